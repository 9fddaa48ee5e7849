//! Which lines of a token file are accepted, and what a token grants.

use std::fs;

use super::*;

const TOKEN: &str = "correct-horse-battery-staple";
/// `printf correct-horse-battery-staple | sha256sum`
const SHA256: &str = "87cbebfeebc05f7c54ac9336c4b4bbec831227a641951a4bde7edd56020f8590";

fn words() -> Vec<TokenFileAttribute> {
    vec![TokenFileAttribute::new(
        "surface",
        ["core", "standard", "full"],
    )]
}

fn names(text: &str, presented: &str) -> Option<String> {
    let tokens = parse(text, &words()).unwrap();
    let now = SystemTime::UNIX_EPOCH + Duration::from_secs(1_800_000_000);
    let found = find(&tokens, presented)?;
    found.grant_at(now).ok()?.subject
}

#[test]
fn a_token_is_found_by_its_text_or_its_hash() {
    let hashed = format!("bob sha256:{SHA256}");
    for (text, presented, expected) in [
        (format!("alice {TOKEN}"), TOKEN, Some("alice")),
        (hashed.clone(), TOKEN, Some("bob")),
        (hashed, SHA256, None),
        (
            format!("# first\n\n  alice  {TOKEN} "),
            TOKEN,
            Some("alice"),
        ),
        // While a token is rotated, both are valid.
        (
            format!("alice {TOKEN}\nalice another-long-token"),
            TOKEN,
            Some("alice"),
        ),
        (
            format!("alice {TOKEN}"),
            "correct-horse-battery-stapl",
            None,
        ),
        (format!("alice {TOKEN}"), "", None),
        (
            format!("alice {TOKEN} expires=2027-01-15T07:59:59Z"),
            TOKEN,
            None,
        ),
        (
            format!("alice {TOKEN} expires=2027-01-15T08:00:01Z"),
            TOKEN,
            Some("alice"),
        ),
        // One second before and after 08:00 UTC.
        (
            format!("alice {TOKEN} expires=2027-01-15T09:59:59+02:00"),
            TOKEN,
            None,
        ),
        (
            format!("alice {TOKEN} expires=2027-01-15T03:30:01-04:30"),
            TOKEN,
            Some("alice"),
        ),
    ] {
        assert_eq!(names(&text, presented).as_deref(), expected, "{text}");
    }
}

#[test]
fn a_grant_names_the_client_its_surface_and_its_rate() {
    let tokens = parse(
        &format!("alice {TOKEN} surface=core rate=5\nbob {TOKEN}-2"),
        &words(),
    )
    .unwrap();
    let grant = tokens[0].grant_at(SystemTime::UNIX_EPOCH).unwrap();
    assert_eq!(grant.subject.as_deref(), Some("alice"));
    assert_eq!(grant.claims["surface"], "core");
    assert_eq!(grant.calls_per_second, NonZeroU32::new(5));
    let other = tokens[1].grant_at(SystemTime::UNIX_EPOCH).unwrap();
    assert_eq!(other.calls_per_second, None);
}

#[test]
fn a_wrong_line_is_told_by_its_number_and_without_the_token() {
    for (text, expected) in [
        (TOKEN, "line 1 of the token file: expected NAME TOKEN"),
        (
            "\nalice short",
            "line 2 of the token file: a token needs at least 16 characters",
        ),
        (
            "alice sha256:12",
            "line 1 of the token file: sha256: needs 64",
        ),
        (
            "alice correct-horse-battery-staple surface=all",
            "surface= needs core, standard or full",
        ),
        (
            "alice correct-horse-battery-staple rate=0",
            "rate= needs the calls per second, a whole number from 1",
        ),
        (
            "alice correct-horse-battery-staple expires=soon",
            "expires= needs a time such as",
        ),
        (
            "alice correct-horse-battery-staple correct-horse-battery-staple",
            "unknown option after NAME TOKEN, expected surface=, rate= or expires=",
        ),
    ] {
        let err = parse(text, &words()).unwrap_err().to_string();
        assert!(err.contains(expected), "{err}");
        assert!(!err.contains(TOKEN), "{err}");
    }
}

/// A token file whose clients call once a second.
struct Watched {
    folder: tempfile::TempDir,
    tokens: TokenFile,
}

impl Watched {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        write(&folder.path().join("tokens"), &format!("alice {TOKEN}"));
        let tokens = TokenFile::read(&folder.path().join("tokens"), words()).unwrap();
        Self { folder, tokens }
    }

    fn path(&self) -> std::path::PathBuf {
        self.folder.path().join("tokens")
    }

    /// Returns the client that each of so many seconds admits, by the first token or the second.
    async fn admitted(&self, seconds: usize) -> Vec<Option<String>> {
        let mut found = Vec::new();
        for _ in 0..seconds {
            tokio::time::advance(Duration::from_secs(1)).await;
            let mut subject = None;
            for token in [TOKEN.to_owned(), format!("{TOKEN}-3")] {
                let grant = self.tokens.verify(&token).await.ok();
                subject = subject.or(grant.and_then(|it| it.subject));
            }
            found.push(subject);
        }
        found
    }
}

fn write(path: &Path, text: &str) {
    fs::write(path, text).unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(path, fs::Permissions::from_mode(0o600)).unwrap();
    }
}

async fn check(change: impl Fn(&Path), expected: [Option<&str>; 4], is_invalid: bool) {
    let watched = Watched::new();
    change(&watched.path());
    let expected = expected.map(|it| it.map(str::to_owned));
    assert_eq!(watched.admitted(4).await, expected);
    assert_eq!(watched.tokens.watcher().is_invalid(), is_invalid);
    // Whatever happened, the next file counts.
    drop(fs::remove_file(watched.path()));
    write(&watched.path(), &format!("carol {TOKEN}-3"));
    assert_eq!(watched.admitted(1).await, [Some("carol".to_owned())]);
    assert!(!watched.tokens.watcher().is_invalid());
}

#[tokio::test(start_paused = true)]
async fn a_file_that_became_invalid_changes_nothing() {
    const STAYS: [Option<&str>; 4] = [Some("alice"); 4];
    check(|path| write(path, "alice"), STAYS, true).await;
    check(|path| fs::remove_file(path).unwrap(), STAYS, true).await;
    check(|_| (), STAYS, false).await;
}

#[tokio::test(start_paused = true)]
async fn a_file_without_tokens_admits_nobody_after_two_seconds() {
    const ENDS: [Option<&str>; 4] = [Some("alice"), Some("alice"), None, None];
    // A file of no bytes may be about to be written, so that it is read a second later.
    let empty_file = [Some("alice"), Some("alice"), Some("alice"), None];
    check(|path| write(path, ""), empty_file, false).await;
    let commented = format!("# alice {TOKEN}\n\n");
    check(|path| write(path, &commented), ENDS, false).await;
    assert!(TokenFile::read(&empty().path().join("tokens"), words()).is_err());
}

/// A folder with a token file that has no tokens.
fn empty() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    write(&folder.path().join("tokens"), "# nobody");
    folder
}

/// By copies that keep times, such as `cp -p`, and by images, whose times are all the same.
#[cfg(unix)]
#[tokio::test(start_paused = true)]
async fn another_file_of_the_same_length_and_time_is_noticed() {
    let in_place = |path: &Path| {
        let modified = fs::metadata(path).unwrap().modified().unwrap();
        write(path, &format!("dave {TOKEN}!"));
        let file = fs::File::options().write(true).open(path).unwrap();
        file.set_modified(modified).unwrap();
    };
    check(in_place, [None; 4], false).await;
    let replaced = |path: &Path| {
        let beside = path.with_extension("new");
        fs::rename(path, &beside).unwrap();
        let modified = fs::metadata(&beside).unwrap().modified().unwrap();
        write(path, &format!("dave {TOKEN}!"));
        let file = fs::File::options().write(true).open(path).unwrap();
        file.set_modified(modified).unwrap();
    };
    check(replaced, [None; 4], false).await;
}

#[cfg(unix)]
#[tokio::test(start_paused = true)]
async fn a_pipe_in_place_of_the_file_keeps_no_request_waiting_and_nothing_from_being_noticed() {
    let pipe = |path: &Path| {
        fs::remove_file(path).unwrap();
        let made = std::process::Command::new("mkfifo").arg(path).status();
        assert!(made.unwrap().success());
    };
    check(pipe, [Some("alice"); 4], true).await;
}
