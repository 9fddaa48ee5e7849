//! Access tokens of HTTP clients, from a file that the operator writes.

use std::{
    num::NonZeroU32,
    path::Path,
    sync::Arc,
    time::{Duration, SystemTime},
};

use data_encoding::HEXLOWER_PERMISSIVE;
use jiff::{
    SignedDuration,
    civil::{DateTime, Time},
    fmt::temporal::Pieces,
    tz::Offset,
};
use mcp_http::{TokenVerifier, VerifyError};
use mcp_server::{AuthInfo, BoxFuture};
use parking_lot::{Mutex, RwLock};
use serde_json::json;
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;
use tokio::time::Instant;

use crate::{
    FileSnapshot, FileWatcher, ReloadOutcome,
    secret::{OperatorFileError, OperatorFileKind},
};

/// Room for thousands of tokens.
const FILE: OperatorFileKind = OperatorFileKind::secret("token file", 1 << 20);
/// The time for which a file must be empty before nobody is admitted: an editor or a copy may empty it for a moment.
const EMPTY_FOR: Duration = Duration::from_secs(2);
/// The shortest token: 16 random characters cannot be guessed over a network.
const MIN_TOKEN_CHARS: usize = 16;
/// A token in the file that is only its SHA-256, in hexadecimal.
const HASHED: &str = "sha256:";

/// A file of access tokens, one per line.
///
/// A line is `NAME TOKEN` or `NAME sha256:HEX`, then optionally `rate=CALLS_PER_SECOND`, `expires=TIME` and
/// [attributes](TokenFileAttribute) of the program. Lines that start with `#` are comments.
///
/// Changes to the file take effect within seconds, without a restart. A file that has held no tokens for at least two seconds
/// admits nobody. If the file cannot be read or has an invalid line, an error is logged and the previous tokens stay in effect in effect.
/// Other users must not be able to read it.
#[derive(Debug, Clone)]
pub struct TokenFile {
    tokens: Arc<RwLock<Arc<[Token]>>>,
    file: FileWatcher,
}

/// An attribute of a token that selects one of several names, such as `surface=core`. The selection becomes a claim of the grant.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct TokenFileAttribute {
    /// The text before the equals sign, which is also the claim's name.
    pub key: &'static str,
    /// The permitted values.
    pub allowed_values: Vec<&'static str>,
}

/// A line of the file.
#[derive(Debug)]
struct Token {
    name: String,
    sha256: [u8; 32],
    /// The words of the program, and what they choose.
    choices: Vec<(&'static str, &'static str)>,
    /// Calls per second.
    rate: Option<NonZeroU32>,
    expires: Option<SystemTime>,
}

/// An error reading a token file. It never shows a token.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TokenFileError {
    /// The file cannot be read, or its mode is wrong.
    #[error(transparent)]
    File(#[from] OperatorFileError),
    /// The file has an invalid line, or no tokens at startup.
    #[error("{0}")]
    Unusable(String),
}

impl TokenFileAttribute {
    /// Creates an attribute with these permitted values.
    #[must_use]
    pub fn new(word: &'static str, names: impl IntoIterator<Item = &'static str>) -> Self {
        Self {
            key: word,
            allowed_values: names.into_iter().collect(),
        }
    }
}

impl TokenFile {
    /// Reads the file. Its lines may have the attributes in `words`.
    ///
    /// # Errors
    /// Returns an error if other users can read the file, a line is invalid, or there are no tokens. The error never shows a token.
    pub fn read(path: &Path, words: Vec<TokenFileAttribute>) -> Result<Self, TokenFileError> {
        let seen = FileSnapshot::now(vec![path.to_owned()]);
        let first = read(path, &words)?;
        if first.is_empty() {
            let how = "hint: add a line NAME TOKEN, such as: alice $(openssl rand -hex 32)";
            return unusable(format!("the token file has no tokens\n{how}"));
        }
        let tokens = Arc::new(RwLock::new(first));
        let (current, path) = (Arc::clone(&tokens), path.to_owned());
        let empty_since = Mutex::new(None);
        let file = seen.into_watcher(
            "token file",
            "the previous tokens stay in effect",
            move || {
                let read = read(&path, &words);
                let mut empty_since = empty_since.lock();
                if !read.as_ref().is_ok_and(|it| it.is_empty()) {
                    *empty_since = None;
                } else if empty_since.get_or_insert_with(Instant::now).elapsed() < EMPTY_FOR {
                    return Ok::<_, TokenFileError>(ReloadOutcome::Later);
                }
                let read = read?;
                let tokens = read.len();
                *current.write() = read;
                // From this log line on, the new tokens are in effect.
                match tokens {
                    0 => tracing::warn!("the token file has no tokens, every client is rejected"),
                    _ => tracing::info!(tokens, "the token file was reloaded"),
                }
                Ok(ReloadOutcome::Now)
            },
        );
        Ok(Self { tokens, file })
    }

    /// Returns the watcher of the file, to reload it immediately.
    #[must_use]
    pub fn watcher(&self) -> &FileWatcher {
        &self.file
    }
}

impl TokenVerifier for TokenFile {
    fn verify<'a>(&'a self, token: &'a str) -> BoxFuture<'a, Result<AuthInfo, VerifyError>> {
        Box::pin(async move {
            self.file.poll().await;
            let tokens = Arc::clone(&self.tokens.read());
            let found = find(&tokens, token).ok_or(VerifyError::unknown_token())?;
            found.grant_at(SystemTime::now())
        })
    }
}

/// Returns the token that a client presented.
fn find<'a>(tokens: &'a [Token], presented: &str) -> Option<&'a Token> {
    let presented: [u8; 32] = Sha256::digest(presented).into();
    // All digests are compared, and each to its end, so that the time it takes tells nothing.
    tokens.iter().fold(None, |found, it| {
        if bool::from(it.sha256.ct_eq(&presented)) {
            Some(it)
        } else {
            found
        }
    })
}

impl Token {
    fn grant_at(&self, now: SystemTime) -> Result<AuthInfo, VerifyError> {
        if self.expires.is_some_and(|expires| expires <= now) {
            return Err(VerifyError::Expired);
        }
        let choices = self.choices.iter();
        let claims = choices.map(|(word, name)| ((*word).to_owned(), json!(name)));
        Ok(AuthInfo::default()
            .with_subject(self.name.clone())
            .with_claims(claims.collect())
            .with_calls_per_second(self.rate))
    }
}

fn read(path: &Path, words: &[TokenFileAttribute]) -> Result<Arc<[Token]>, TokenFileError> {
    let file = FILE.read(path)?;
    if let Some(warning) = file.warning {
        tracing::warn!("{warning}");
    }
    parse(&file.text, words)
}

fn unusable<T>(what: String) -> Result<T, TokenFileError> {
    Err(TokenFileError::Unusable(what))
}

fn parse(text: &str, words: &[TokenFileAttribute]) -> Result<Arc<[Token]>, TokenFileError> {
    let lines = text.lines().map(str::trim).enumerate();
    let lines = lines.filter(|(_, it)| !it.is_empty() && !it.starts_with('#'));
    let tokens = lines.map(|(n, line)| {
        let of_line = |problem| format!("line {} of the token file: {problem}", n + 1);
        token(line, words).or_else(|problem| unusable(of_line(problem)))
    });
    tokens.collect()
}

fn token(line: &str, known: &[TokenFileAttribute]) -> Result<Token, String> {
    let mut words = line.split_whitespace();
    let (Some(name), Some(secret)) = (words.next(), words.next()) else {
        return Err("expected NAME TOKEN, the name of a client and its token".to_owned());
    };
    let sha256 = match secret.strip_prefix(HASHED) {
        Some(hex) => {
            let bytes = HEXLOWER_PERMISSIVE.decode(hex.as_bytes()).ok();
            let bytes = bytes.and_then(|it| it.try_into().ok());
            bytes.ok_or("sha256: needs 64 hexadecimal digits")?
        }
        None if secret.len() < MIN_TOKEN_CHARS => {
            return Err("a token needs at least 16 characters".to_owned());
        }
        None => Sha256::digest(secret).into(),
    };
    let mut token = Token {
        name: name.to_owned(),
        sha256,
        choices: Vec::new(),
        rate: None,
        expires: None,
    };
    for word in words {
        let (word, value) = word.split_once('=').unwrap_or_default();
        let choice = known.iter().find(|it| it.key == word);
        match (word, choice) {
            (_, Some(choice)) => {
                let name = choice.allowed_values.iter().find(|it| **it == value);
                let name = name.ok_or_else(|| {
                    format!("{word}= needs {}", listed(&choice.allowed_values, "or"))
                })?;
                token.choices.push((choice.key, name));
            }
            ("rate", None) => {
                let calls = value.parse();
                let wrong = |_| "rate= needs the calls per second, a whole number from 1";
                token.rate = Some(calls.map_err(wrong)?);
            }
            ("expires", None) => {
                let wrong = "expires= needs a time such as 2027-01-31T00:00:00Z";
                token.expires = Some(moment(value).ok_or(wrong)?);
            }
            _ => {
                let words = known.iter().map(|it| it.key).chain(["rate", "expires"]);
                let words: Vec<_> = words.map(|it| format!("{it}=")).collect();
                let words = listed(&words, "or");
                return Err(format!("unknown option after NAME TOKEN, expected {words}"));
            }
        }
    }
    Ok(token)
}

/// Words as a sentence has them: "a, b or c".
fn listed(words: &[impl AsRef<str>], last: &str) -> String {
    let words: Vec<_> = words.iter().map(AsRef::as_ref).collect();
    match words.split_last() {
        Some((end, before)) if !before.is_empty() => {
            format!("{} {last} {end}", before.join(", "))
        }
        _ => words.concat(),
    }
}

/// Reads a date, with or without a time of it; one without an offset is of UTC.
fn moment(text: &str) -> Option<SystemTime> {
    const EPOCH: DateTime = DateTime::constant(1970, 1, 1, 0, 0, 0, 0);
    // The form without hyphens could be a number as well.
    text.get(4..).filter(|it| it.starts_with('-'))?;
    let pieces = Pieces::parse(text).ok()?;
    if pieces.time_zone_annotation().is_some() {
        return None;
    }
    let time = pieces.time().unwrap_or(Time::midnight());
    let local = pieces.date().to_datetime(time).duration_since(EPOCH);
    let zone = pieces.to_numeric_offset().unwrap_or(Offset::UTC);
    let since = local - SignedDuration::from_secs(zone.seconds().into());
    // What was before the epoch has expired all the same.
    let since = Duration::try_from(since).unwrap_or_default();
    SystemTime::UNIX_EPOCH.checked_add(since)
}

#[cfg(test)]
mod tests;
