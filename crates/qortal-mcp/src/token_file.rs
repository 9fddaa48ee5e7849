//! Access tokens from a file that the operator writes: who may call over HTTP.

use std::{
    error::Error,
    fs,
    num::NonZeroU32,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, SystemTime},
};

use mcp_http::TokenVerifier;
use mcp_server::{BoxFuture, Grant};
use qortal_tools::Surface;
use qortal_types::Timestamp;
use serde_json::json;
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;
use tokio::time::{Instant, timeout};

use crate::{
    config::{ConfigError, secret},
    run::reload::ReadAgain,
};

/// Thousands of tokens.
const MAX_FILE_BYTES: u64 = 1 << 20;
/// The shortest token: 16 random characters cannot be guessed over a network.
const MIN_TOKEN_CHARS: usize = 16;
/// A token in the file that is only its SHA-256, in hexadecimal.
const HASHED: &str = "sha256:";
/// The claim that names the surface of a token.
const SURFACE: &str = "surface";
/// How long a change of the file may go unnoticed.
const LOOK_AGAIN: Duration = Duration::from_secs(1);
/// How long a request waits for the file, which may be on a disk that does not answer, or a pipe that no one writes to.
const PATIENCE: Duration = Duration::from_millis(200);

/// The tokens of a file. A change of the file takes effect within seconds; a file that became invalid is reported and
/// changes nothing.
#[derive(Debug)]
pub(crate) struct TokenFile {
    path: PathBuf,
    current: Arc<Mutex<Current>>,
}

#[derive(Debug)]
struct Current {
    tokens: Arc<[Token]>,
    version: Option<Version>,
    looked: Instant,
    /// Whether the file is being read.
    is_read: bool,
}

/// Tells whether a file has changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Version {
    modified: SystemTime,
    bytes: u64,
}

/// A line of the file.
#[derive(Debug)]
struct Token {
    name: String,
    sha256: [u8; 32],
    surface: Option<Surface>,
    /// Calls per second.
    rate: Option<NonZeroU32>,
    expires: Option<Timestamp>,
}

/// Why a file of tokens cannot be used. No error shows a token.
#[derive(Debug, thiserror::Error)]
pub(crate) enum TokenFileError {
    #[error(transparent)]
    Unreadable(#[from] ConfigError),
    #[error("other users of this machine can read the token file\nhint: chmod 600 {path:?}")]
    ReadableByOthers { path: PathBuf },
    #[error("the token file has more than {MAX_FILE_BYTES} bytes")]
    TooLong,
    #[error("the token file has no tokens\nhint: a line is NAME TOKEN, such as: alice {example}")]
    Empty { example: &'static str },
    #[error("line {line} of the token file: {problem}")]
    Line { line: usize, problem: &'static str },
}

impl TokenFile {
    pub(crate) fn read(path: &Path) -> Result<Self, TokenFileError> {
        let version = version(path);
        Ok(Self {
            current: Arc::new(Mutex::new(Current {
                tokens: read(path)?,
                version,
                looked: Instant::now(),
                is_read: false,
            })),
            path: path.to_owned(),
        })
    }

    /// The tokens as of now; those of before, if the file cannot be read soon.
    async fn current(&self) -> Arc<[Token]> {
        let known = {
            let mut current = lock(&self.current);
            if current.is_read || current.looked.elapsed() < LOOK_AGAIN {
                return Arc::clone(&current.tokens);
            }
            current.looked = Instant::now();
            current.is_read = true;
            current.version
        };
        let (path, current) = (self.path.clone(), Arc::clone(&self.current));
        let looked = tokio::task::spawn_blocking(move || {
            let changed = match version(&path) {
                version if version == known => None,
                version => Some((version, read(&path))),
            };
            let mut current = lock(&current);
            current.is_read = false;
            if let Some((version, read)) = changed {
                current.take(version, read);
            }
        });
        if timeout(PATIENCE, looked).await.is_err() {
            tracing::warn!("the token file is slow to read; the earlier tokens stay meanwhile");
        }
        Arc::clone(&lock(&self.current).tokens)
    }
}

impl Current {
    fn take(&mut self, version: Option<Version>, read: Result<Arc<[Token]>, TokenFileError>) {
        self.version = version;
        match read {
            Ok(tokens) => {
                tracing::info!(tokens = tokens.len(), "the token file was read again");
                self.tokens = tokens;
            }
            Err(err) => {
                tracing::error!(
                    error = &err as &dyn Error,
                    "the token file has become invalid; the earlier tokens stay"
                );
            }
        }
    }
}

/// Ignores poison: the data is valid after every statement.
fn lock(current: &Mutex<Current>) -> MutexGuard<'_, Current> {
    current.lock().unwrap_or_else(PoisonError::into_inner)
}

impl ReadAgain for TokenFile {
    fn read_again(&self) {
        let version = version(&self.path);
        let read = read(&self.path);
        lock(&self.current).take(version, read);
    }
}

impl TokenVerifier for TokenFile {
    fn verify<'a>(
        &'a self,
        token: &'a str,
    ) -> BoxFuture<'a, Result<Option<Grant>, Box<dyn Error + Send + Sync>>> {
        Box::pin(async move {
            let tokens = self.current().await;
            Ok(find(&tokens, token, now()).map(Token::grant))
        })
    }
}

/// The token that a client presented, if it is known and has not expired.
fn find<'a>(tokens: &'a [Token], presented: &str, now: Timestamp) -> Option<&'a Token> {
    let presented: [u8; 32] = Sha256::digest(presented).into();
    // All digests are compared, and each to its end, so that the time it takes tells nothing.
    let known = tokens.iter().fold(None, |found, it| {
        match bool::from(it.sha256.ct_eq(&presented)) {
            true => Some(it),
            false => found,
        }
    });
    known.filter(|it| it.expires.is_none_or(|expires| now < expires))
}

fn now() -> Timestamp {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    let millis = since.map_or(0, |it| it.as_millis());
    Timestamp::from_millis(i64::try_from(millis).unwrap_or(i64::MAX))
}

/// The surface that the token of a client names, if it names one.
pub(crate) fn surface(grant: &Grant) -> Option<Surface> {
    let name = grant.claims.get(SURFACE)?.as_str()?;
    Surface::ALL.into_iter().find(|it| it.name() == name)
}

impl Token {
    fn grant(&self) -> Grant {
        let surface = self
            .surface
            .map(|it| (SURFACE.to_owned(), json!(it.name())));
        Grant::default()
            .with_subject(self.name.clone())
            .with_claims(surface.into_iter().collect())
            .with_calls_per_second(self.rate)
    }
}

fn version(path: &Path) -> Option<Version> {
    let metadata = fs::metadata(path).ok()?;
    Some(Version {
        modified: metadata.modified().ok()?,
        bytes: metadata.len(),
    })
}

fn read(path: &Path) -> Result<Arc<[Token]>, TokenFileError> {
    let file = secret::read("token file", path, MAX_FILE_BYTES)?;
    if file.is_readable_by_others {
        return Err(TokenFileError::ReadableByOthers {
            path: path.to_owned(),
        });
    }
    parse(&file.text.ok_or(TokenFileError::TooLong)?)
}

/// Reads lines of `NAME TOKEN [surface=NAME] [rate=NUMBER] [expires=DATE]`. Lines that start with `#` are comments.
fn parse(text: &str) -> Result<Arc<[Token]>, TokenFileError> {
    let lines = text.lines().map(str::trim).enumerate();
    let lines = lines.filter(|(_, it)| !it.is_empty() && !it.starts_with('#'));
    let tokens = lines.map(|(n, line)| {
        token(line).map_err(|problem| TokenFileError::Line {
            line: n + 1,
            problem,
        })
    });
    let tokens: Arc<[Token]> = tokens.collect::<Result<_, _>>()?;
    if tokens.is_empty() {
        let example = "$(openssl rand -hex 32)";
        return Err(TokenFileError::Empty { example });
    }
    Ok(tokens)
}

fn token(line: &str) -> Result<Token, &'static str> {
    let mut words = line.split_whitespace();
    let (Some(name), Some(secret)) = (words.next(), words.next()) else {
        return Err("expected NAME TOKEN, the name of a client and its token");
    };
    let sha256 = match secret.strip_prefix(HASHED) {
        Some(hex) => from_hex(hex).ok_or("sha256: needs 64 hexadecimal digits")?,
        None if secret.len() < MIN_TOKEN_CHARS => {
            return Err("a token needs at least 16 characters");
        }
        None => Sha256::digest(secret).into(),
    };
    let mut token = Token {
        name: name.to_owned(),
        sha256,
        surface: None,
        rate: None,
        expires: None,
    };
    for word in words {
        match word.split_once('=') {
            Some(("surface", name)) => {
                let surface = Surface::ALL.into_iter().find(|it| it.name() == name);
                token.surface =
                    Some(surface.ok_or("surface= needs core, standard, python, full or dynamic")?);
            }
            Some(("rate", calls)) => {
                let calls = calls
                    .parse()
                    .map_err(|_| "rate= needs a whole number from 1, of calls per second")?;
                token.rate = Some(calls);
            }
            Some(("expires", time)) => {
                let time = time
                    .parse()
                    .map_err(|_| "expires= needs a time such as 2027-01-31T00:00:00Z")?;
                token.expires = Some(time);
            }
            _ => return Err("after NAME TOKEN only surface=, rate= and expires= are known"),
        }
    }
    Ok(token)
}

fn from_hex(hex: &str) -> Option<[u8; 32]> {
    let mut bytes = [0; 32];
    if hex.len() != 64 || !hex.bytes().all(|it| it.is_ascii_hexdigit()) {
        return None;
    }
    for (n, byte) in bytes.iter_mut().enumerate() {
        *byte = u8::from_str_radix(hex.get(2 * n..2 * n + 2)?, 16).ok()?;
    }
    Some(bytes)
}

#[cfg(test)]
mod tests;
