//! Whether the servers that clients start on stdio end by themselves, from what `tests/interop/watched.sh`
//! writes down.

use std::fs;
use std::path::Path;
use std::time::Duration;

use crate::command::wait_for;
use crate::failure::Failure;
use crate::tree::root;

/// How long a server may outlive its client.
const ENDED: Duration = Duration::from_secs(5);

/// The command that runs `server` with `arguments`, and writes to `file` how it ends.
pub(super) fn command(
    server: &Path,
    arguments: &[&str],
    file: &Path,
) -> Result<Vec<String>, Failure> {
    fs::write(file, "").map_err(Failure::io(file.display()))?;
    let script = root().join("tests/interop/watched.sh");
    let paths = [&script, file, server].map(|it| it.display().to_string());
    let arguments = arguments.iter().map(|it| (*it).to_owned());
    Ok(paths.into_iter().chain(arguments).collect())
}

/// What is wrong with how the servers ended, if anything. Where a client `probes`, one process is asked
/// whether it is there, and ended by a signal.
pub(super) fn problem(file: &Path, probes: bool) -> Result<Option<String>, Failure> {
    let read = || fs::read_to_string(file).map_err(Failure::io(file.display()));
    wait_for(ENDED, || {
        let text = read()?;
        let count = |word| text.lines().filter(|line| line.starts_with(word)).count();
        Ok((count("start") == count("end")).then_some(()))
    })?;
    Ok(wrong(&read()?, probes))
}

fn wrong(text: &str, probes: bool) -> Option<String> {
    let count = |wanted: &str| text.lines().filter(|line| *line == wanted).count();
    let started = count("start");
    let ended = text.lines().filter(|line| line.starts_with("end ")).count();
    let signaled = count("signal");
    let allowed = if probes { started / 2 } else { 0 };
    // A program that does not handle the signal ends with 143.
    let rightly = count("end 0") + count("end 143").min(allowed);
    match () {
        () if started == 0 => Some("no server was started".to_owned()),
        () if ended < started => Some("a server outlives its client".to_owned()),
        () if signaled > allowed => Some("a server had to be ended by a signal".to_owned()),
        () if rightly < ended => Some("a server ended with a failure".to_owned()),
        () => None,
    }
}

#[cfg(test)]
mod tests {
    use super::wrong;

    #[test]
    fn a_server_ends_when_its_client_goes() {
        for (text, probes, expected) in [
            ("start\nend 0\n", false, None),
            ("start\nsignal\nend 0\nstart\nend 0\n", true, None),
            ("start\nsignal\nend 143\nstart\nend 0\n", true, None),
            ("", false, Some("no server was started")),
            (
                "start\nstart\nend 0\n",
                false,
                Some("a server outlives its client"),
            ),
            (
                "start\nsignal\nend 0\n",
                false,
                Some("a server had to be ended by a signal"),
            ),
            (
                "start\nsignal\nend 0\n",
                true,
                Some("a server had to be ended by a signal"),
            ),
            (
                "start\nend 1\n",
                false,
                Some("a server ended with a failure"),
            ),
            (
                "start\nend 143\n",
                false,
                Some("a server ended with a failure"),
            ),
        ] {
            assert_eq!(wrong(text, probes).as_deref(), expected, "{text}");
        }
    }
}
