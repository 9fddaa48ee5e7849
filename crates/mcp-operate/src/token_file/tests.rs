//! Which lines of a token file are accepted, and what a token grants.

use std::fs;

use super::*;

const TOKEN: &str = "correct-horse-battery-staple";
/// `printf correct-horse-battery-staple | sha256sum`
const SHA256: &str = "87cbebfeebc05f7c54ac9336c4b4bbec831227a641951a4bde7edd56020f8590";

fn words() -> Vec<TokenWord> {
    vec![TokenWord::new("surface", ["core", "standard", "full"])]
}

fn names(text: &str, presented: &str) -> Option<String> {
    let tokens = parse(text, &words()).unwrap();
    let now = SystemTime::UNIX_EPOCH + Duration::from_secs(1_800_000_000);
    find(&tokens, presented, now).map(|it| it.name.clone())
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
    let grant = tokens[0].grant();
    assert_eq!(grant.subject.as_deref(), Some("alice"));
    assert_eq!(grant.claims["surface"], "core");
    assert_eq!(grant.calls_per_second, NonZeroU32::new(5));
    assert_eq!(tokens[1].grant().calls_per_second, None);
}

#[test]
fn a_wrong_line_is_told_by_its_number_and_without_the_token() {
    for (text, expected) in [
        ("", "the token file has no tokens"),
        ("# alice", "the token file has no tokens"),
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
            "rate= needs a whole number from 1",
        ),
        (
            "alice correct-horse-battery-staple expires=soon",
            "expires= needs a time such as",
        ),
        (
            "alice correct-horse-battery-staple correct-horse-battery-staple",
            "after NAME TOKEN only surface=, rate= and expires= are known",
        ),
    ] {
        let err = parse(text, &words()).unwrap_err().to_string();
        assert!(err.contains(expected), "{err}");
        assert!(!err.contains(TOKEN), "{err}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_file_that_became_invalid_changes_nothing() {
    let name = format!("mcp-operate-{}-reread", std::process::id());
    let path = std::env::temp_dir().join(name);
    let write = |text: &str| {
        fs::write(&path, text).unwrap();
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
        }
    };
    write(&format!("alice {TOKEN}"));
    let tokens = TokenFile::read(&path, words()).unwrap();
    let subject = async |token: &str| {
        tokio::time::advance(Duration::from_secs(1)).await;
        let grant = tokens.verify(token).await.unwrap();
        grant.and_then(|it| it.subject)
    };
    assert_eq!(subject(TOKEN).await.as_deref(), Some("alice"));
    write("alice");
    assert_eq!(subject(TOKEN).await.as_deref(), Some("alice"));
    fs::remove_file(&path).unwrap();
    assert_eq!(subject(TOKEN).await.as_deref(), Some("alice"));
    write(&format!("carol {TOKEN}-3"));
    assert_eq!(
        subject(&format!("{TOKEN}-3")).await.as_deref(),
        Some("carol")
    );
    assert_eq!(subject(TOKEN).await, None);
    fs::remove_file(&path).unwrap();
}

/// On real time: what reads a pipe cannot be told that time has passed.
#[cfg(unix)]
#[tokio::test]
async fn a_pipe_that_no_one_writes_to_keeps_no_request_waiting() {
    use std::os::unix::fs::PermissionsExt;

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tokens");
    fs::write(&path, format!("alice {TOKEN}")).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
    let tokens = TokenFile::read(&path, words()).unwrap();
    fs::remove_file(&path).unwrap();
    let made = std::process::Command::new("mkfifo").arg(&path).status();
    assert!(made.unwrap().success());
    tokens.file.forget_look();
    for _ in 0..3 {
        let grant = tokens.verify(TOKEN).await.unwrap();
        assert_eq!(grant.unwrap().subject.as_deref(), Some("alice"));
    }
    // Ends the read, so that the test does.
    fs::write(&path, format!("carol {TOKEN}")).unwrap();
}
