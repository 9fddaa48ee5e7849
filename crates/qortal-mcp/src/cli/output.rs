//! Rows that are written as they come: to standard output, or to a file that a later run goes on with.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, ErrorKind, IsTerminal, Read, Seek, Write},
    path::{self, Path, PathBuf},
};

use serde::{Serialize, de::DeserializeOwned};

/// What standard output is called in errors.
const STDOUT: &str = "standard output";

/// Where rows go.
#[derive(Debug)]
pub(crate) struct Output {
    name: String,
    file: Option<File>,
    /// Whether the file keeps what is written: a pipe or a device has no length to set, and nothing to synchronize.
    is_regular: bool,
}

impl Output {
    /// The file at a path, of which what is after so many bytes is removed: it was being written when an earlier run ended.
    /// Without a path it is standard output.
    ///
    /// # Errors
    /// Fails if the file cannot be written, or is shorter than it was left.
    pub(crate) fn open(path: Option<&str>, bytes: u64) -> io::Result<Self> {
        let Some(path) = path else {
            let name = STDOUT.to_owned();
            return Ok(Self {
                name,
                file: None,
                is_regular: false,
            });
        };
        let mut options = OpenOptions::new();
        let mut file = options
            .create(true)
            .write(true)
            .truncate(false)
            .open(path)?;
        let metadata = file.metadata()?;
        if metadata.len() < bytes {
            let why = "the file is shorter than the recorded progress";
            return Err(io::Error::new(ErrorKind::InvalidData, why));
        }
        let is_regular = metadata.is_file();
        if is_regular {
            file.set_len(bytes)?;
            file.seek(io::SeekFrom::End(0))?;
        }
        Ok(Self {
            name: path.to_owned(),
            file: Some(file),
            is_regular,
        })
    }

    /// What people call it.
    #[must_use]
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Whether it is a file.
    #[must_use]
    pub(crate) const fn is_file(&self) -> bool {
        self.file.is_some()
    }

    /// Whether a line on standard error would be seen, and not stand among rows.
    #[must_use]
    pub(crate) fn has_status(&self) -> bool {
        io::stderr().is_terminal() && (self.is_file() || !io::stdout().is_terminal())
    }

    /// Removes what a file has after so many bytes. Standard output keeps what it has.
    ///
    /// # Errors
    /// Fails if the file cannot be written.
    pub(crate) fn cut(&mut self, bytes: u64) -> io::Result<()> {
        let Some(file) = self.file.as_mut().filter(|_| self.is_regular) else {
            return Ok(());
        };
        file.set_len(bytes)?;
        file.seek(io::SeekFrom::End(0)).map(drop)
    }

    /// Writes lines, which are there for good when it returns.
    ///
    /// # Errors
    /// Fails if they cannot be written.
    pub(crate) fn write(&mut self, lines: &str) -> io::Result<()> {
        match &mut self.file {
            Some(_) if lines.is_empty() => Ok(()),
            Some(file) => {
                file.write_all(lines.as_bytes())?;
                if self.is_regular {
                    file.sync_data()
                } else {
                    file.flush()
                }
            }
            None => {
                let mut out = io::stdout().lock();
                out.write_all(lines.as_bytes())?;
                out.flush()
            }
        }
    }
}

/// The size of a file of progress, in bytes. It has one place, with the arguments of its call, and a device may have no end.
const LARGEST_PROGRESS: u64 = 4 << 20;

/// How far a list came, as [`write_progress`] left it at a path; `None` if there is no such file yet.
///
/// # Errors
/// Fails if the file cannot be read, or was written by something else: then the kind is [`ErrorKind::InvalidData`].
pub(crate) fn read_progress<T: DeserializeOwned>(path: &str) -> io::Result<Option<T>> {
    match File::open(path) {
        Ok(file) => {
            let mut text = Vec::new();
            file.take(LARGEST_PROGRESS).read_to_end(&mut text)?;
            let kept = serde_json::from_slice(&text);
            kept.map_err(|err| io::Error::new(ErrorKind::InvalidData, err))
        }
        Err(err) if err.kind() == ErrorKind::NotFound => Ok(None),
        Err(err) => Err(err),
    }
}

/// Returns whether rows at one path would overwrite the progress at another, or the file that replaces it.
#[must_use]
pub(crate) fn is_same_file(output: &str, progress: &str) -> bool {
    let output = located(output);
    [located(progress), located(&beside(progress))].contains(&output)
}

/// The file at a path, without links: the same for each way to write it. The file need not exist.
fn located(path: &str) -> PathBuf {
    let whole = path::absolute(path).unwrap_or_else(|_| path.into());
    whole.canonicalize().unwrap_or_else(|_| {
        let folder = whole.parent().and_then(|it| it.canonicalize().ok());
        let name = whole.file_name().map(Path::new);
        folder
            .zip(name)
            .map_or(whole.clone(), |(it, name)| it.join(name))
    })
}

/// The file that replaces the progress at a path.
fn beside(path: &str) -> String {
    format!("{path}.new")
}

/// Replaces the file at a path at once: it has one state or the next.
///
/// # Errors
/// Fails if it cannot be written.
pub(crate) fn write_progress(path: &str, progress: &impl Serialize) -> io::Result<()> {
    let beside = beside(path);
    fs::write(&beside, serde_json::to_string(progress)?)?;
    fs::rename(&beside, path)
}

/// Rows, how many a second, and a bar of 20 parts where all are known: short enough for a terminal of 80 columns. `new` came within
/// so many seconds.
#[must_use]
pub(crate) fn progress(rows: u64, total: Option<u64>, new: u64, seconds: u64) -> String {
    let rate = new.checked_div(seconds);
    let rate = rate.map_or_else(String::new, |it| format!(", {it} a second"));
    match total.filter(|it| *it >= rows && *it > 0) {
        Some(total) => {
            let part = |of: u64| rows.saturating_mul(of) / total;
            let bar = "#".repeat(usize::try_from(part(20)).unwrap_or(20));
            format!("[{bar:<20}] {} %, {rows} of {total} rows{rate}", part(100))
        }
        None => format!("{rows} rows{rate}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_is_rows_rate_and_share() {
        for (rows, total, new, seconds, said) in [
            (5, None, 5, 0, "5 rows"),
            (80_000, None, 30_000, 20, "80000 rows, 1500 a second"),
            (
                150_000,
                Some(150_000),
                150_000,
                140,
                "[####################] 100 %, 150000 of 150000 rows, 1071 a second",
            ),
            (
                1,
                Some(3),
                1,
                1,
                "[######              ] 33 %, 1 of 3 rows, 1 a second",
            ),
            // What is known of the rest of a list says nothing of all of it.
            (150, Some(100), 50, 0, "150 rows"),
            (0, Some(0), 0, 3, "0 rows, 0 a second"),
        ] {
            assert_eq!(progress(rows, total, new, seconds), said);
            assert!(said.len() < 80, "{said}");
        }
    }

    #[test]
    fn rows_and_progress_in_one_file_are_found_however_the_path_is_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
        fs::create_dir(path("folder")).unwrap();
        for (output, progress, is_same) in [
            ("rows", "rows", true),
            ("rows", "./rows", true),
            ("rows", "folder/../rows", true),
            ("rows.new", "rows", true),
            ("rows", "rows.state", false),
            ("rows", "folder/rows", false),
        ] {
            let found = is_same_file(&path(output), &path(progress));
            assert_eq!(found, is_same, "{output} {progress}");
        }
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(path("rows"), path("link")).unwrap();
            assert!(!is_same_file(&path("rows"), &path("link")));
            fs::write(path("rows"), "").unwrap();
            assert!(is_same_file(&path("rows"), &path("link")));
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_device_fails_with_the_reason_for_which_it_cannot_be_written() {
        let mut output = Output::open(Some("/dev/full"), 0).unwrap();
        let err = output.write("1\n").unwrap_err();
        assert_eq!(err.kind(), ErrorKind::StorageFull);
        let mut output = Output::open(Some("/dev/null"), 0).unwrap();
        output.write("1\n").unwrap();
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_device_without_end_is_no_progress() {
        for device in ["/dev/zero", "/dev/full"] {
            let err = read_progress::<u64>(device).unwrap_err();
            assert_eq!(err.kind(), ErrorKind::InvalidData);
        }
    }

    #[test]
    fn a_file_goes_on_where_it_was_left() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
        let (rows, state) = (path("rows"), path("state"));
        assert_eq!(read_progress::<u64>(&state).unwrap(), None);
        let mut output = Output::open(Some(&rows), 0).unwrap();
        output.write("1\n2\n").unwrap();
        write_progress(&state, &2_u64).unwrap();
        let left = read_progress::<u64>(&state).unwrap().unwrap();
        let mut output = Output::open(Some(&rows), left).unwrap();
        output.write("3\n").unwrap();
        assert_eq!(fs::read_to_string(&rows).unwrap(), "1\n3\n");
        let shorter = Output::open(Some(&rows), 5).unwrap_err();
        let odd = read_progress::<u64>(&rows).unwrap_err();
        for err in [shorter, odd] {
            assert_eq!(err.kind(), ErrorKind::InvalidData);
        }
        let folder = folder.path().to_str().unwrap();
        assert!(read_progress::<u64>(folder).is_err());
    }
}
