//! Files that are reloaded without a restart.

use std::{
    error::Error,
    fmt, fs,
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, SystemTime},
};

use parking_lot::Mutex;
use tokio::time::{Instant, sleep, timeout};
use tokio_util::sync::CancellationToken;

/// How long a change may go unnoticed.
const LOOK_AGAIN: Duration = Duration::from_secs(1);
/// How long a look is waited for: a file may be on a disk that does not answer, or a pipe that no one writes to.
const PATIENCE: Duration = Duration::from_millis(200);

/// A watcher that rereads files when they change.
///
/// Invalid content is logged and the earlier content stays in effect. Clones share the watcher.
#[derive(Clone)]
pub struct FileWatcher(Arc<Files>);

struct Files {
    /// What they are, and what stays if they become invalid, for the log.
    name: &'static str,
    earlier: &'static str,
    paths: Vec<PathBuf>,
    /// Reads the files, and puts what is in them where it is used.
    take_over: Box<dyn Fn() -> Result<ReloadOutcome, Box<dyn Error>> + Send + Sync>,
    /// Whether they were invalid when they were read last.
    is_invalid: AtomicBool,
    /// Held while they are read.
    turn: Mutex<()>,
    state: Mutex<State>,
}

struct State {
    /// What the files were when they were read last.
    versions: Vec<Option<Version>>,
    /// Their versions at the last look if one of them was empty.
    empty: Option<Vec<Option<Version>>>,
    looked: Instant,
    /// Whether they are being looked at.
    is_read: bool,
}

/// Whether newly read content is in effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_enums,
    reason = "a reading is in effect or it is not"
)]
pub enum ReloadOutcome {
    /// The content is in effect.
    Now,
    /// The content is not in effect yet. The watcher reads the files again at its next poll, even if they have not changed.
    Later,
}

/// Whether a file has changed: another file at its path, another length, or a later change of its content or its mode.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Version {
    modified: SystemTime,
    length: u64,
    /// The device and the inode, and the change of the inode, which no program sets.
    #[cfg(unix)]
    inode: [i128; 4],
}

/// The state of files before their first read.
#[derive(Debug)]
pub struct FileSnapshot {
    paths: Vec<PathBuf>,
    versions: Vec<Option<Version>>,
}

impl FileSnapshot {
    /// Records the current state of the files. The watcher notices every later change.
    #[must_use]
    pub fn now(paths: Vec<PathBuf>) -> Self {
        Self {
            versions: versions(&paths),
            paths,
        }
    }

    /// Creates a watcher for the files.
    ///
    /// `take_over` reads the files, puts their content into use, and returns whether it is in effect. `name` and `earlier` are for
    /// the log: `name` is the kind of file, such as `token file`, and `earlier` is the consequence of invalid content, such as `the
    /// earlier tokens stay`.
    #[must_use]
    pub fn into_watcher<E: Error + 'static>(
        self,
        name: &'static str,
        earlier: &'static str,
        take_over: impl Fn() -> Result<ReloadOutcome, E> + Send + Sync + 'static,
    ) -> FileWatcher {
        FileWatcher(Arc::new(Files {
            name,
            earlier,
            paths: self.paths,
            take_over: Box::new(move || Ok(take_over()?)),
            is_invalid: AtomicBool::new(false),
            turn: Mutex::new(()),
            state: Mutex::new(State {
                versions: self.versions,
                empty: None,
                looked: Instant::now(),
                is_read: false,
            }),
        }))
    }
}

impl FileWatcher {
    /// Returns the name of the files in the log.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.0.name
    }

    /// Returns `true` if the last read found invalid content, so the earlier content is still in effect.
    #[must_use]
    pub fn is_invalid(&self) -> bool {
        self.0.is_invalid.load(Ordering::Relaxed)
    }

    /// Reads the files now, whether or not they have changed. This may block.
    pub fn reload(&self) {
        self.0.read(versions(&self.0.paths));
    }

    /// Checks for changes, at most once a second, and reads the files if there are any. If a file is slow, the read continues in
    /// the background.
    pub async fn poll(&self) {
        let Self(files) = self;
        {
            let mut state = files.state.lock();
            if state.is_read || state.looked.elapsed() < LOOK_AGAIN {
                return;
            }
            state.looked = Instant::now();
            state.is_read = true;
        }
        let Files { name, earlier, .. } = **files;
        let files = Arc::clone(files);
        let looked = tokio::task::spawn_blocking(move || files.look());
        match timeout(PATIENCE, looked).await {
            Ok(Ok(())) => {}
            Ok(Err(err)) => tracing::error!(%err, "the {name} could not be checked for changes"),
            Err(_) => tracing::warn!("the {name} is slow to read, {earlier} meanwhile"),
        }
    }

    /// Checks for changes once a second until `stop` is cancelled.
    pub async fn run(&self, stop: &CancellationToken) {
        while stop.run_until_cancelled(sleep(LOOK_AGAIN)).await.is_some() {
            self.poll().await;
        }
    }
}

impl Files {
    fn look(&self) {
        let found = versions(&self.paths);
        let mut state = self.state.lock();
        // One that is empty for the first time may be about to be written.
        let is_empty = found.iter().flatten().any(|it| it.length == 0);
        let waits = is_empty && state.empty.as_ref() != Some(&found);
        state.empty = is_empty.then(|| found.clone());
        let is_changed = state.versions != found;
        drop(state);
        if is_changed && !waits {
            self.read(found);
        }
        self.state.lock().is_read = false;
    }

    fn read(&self, versions: Vec<Option<Version>>) {
        // One after the other, so that what was read last stays. Who waits for a pipe is not waited for.
        let _turn = self.turn.try_lock_for(PATIENCE);
        // Of two files that are replaced one after the other, the first does not fit.
        let taken = (self.take_over)();
        self.is_invalid.store(taken.is_err(), Ordering::Relaxed);
        if let Err(err) = &taken {
            let Self { name, earlier, .. } = self;
            tracing::error!(error = &**err, "the {name} has become invalid, {earlier}");
        }
        if !matches!(taken, Ok(ReloadOutcome::Later)) {
            self.state.lock().versions = versions;
        }
    }
}

fn versions(paths: &[PathBuf]) -> Vec<Option<Version>> {
    let version = |path| {
        let metadata = fs::metadata(path).ok()?;
        Some(Version {
            modified: metadata.modified().ok()?,
            length: metadata.len(),
            #[cfg(unix)]
            inode: inode(&metadata),
        })
    };
    paths.iter().map(version).collect()
}

#[cfg(unix)]
fn inode(metadata: &fs::Metadata) -> [i128; 4] {
    use std::os::unix::fs::MetadataExt;
    [
        metadata.dev().into(),
        metadata.ino().into(),
        metadata.ctime().into(),
        metadata.ctime_nsec().into(),
    ]
}

impl fmt::Debug for FileWatcher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(files) = self;
        f.debug_tuple("FileWatcher").field(&files.paths).finish()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn files_are_read_again_only_when_they_have_changed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("watched");
        fs::write(&path, "a").unwrap();
        let reads = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&reads);
        let seen = FileSnapshot::now(vec![path.clone()]);
        let file = seen.into_watcher("file", "the previous one stays in effect", move || {
            counted.fetch_add(1, Ordering::Relaxed);
            fs::read_to_string(&path).map(|_| ReloadOutcome::Now)
        });
        let looked = async || {
            tokio::time::advance(LOOK_AGAIN).await;
            file.poll().await;
            reads.load(Ordering::Relaxed)
        };
        assert_eq!(looked().await, 0);
        fs::write(folder.path().join("watched"), "ab").unwrap();
        assert_eq!(looked().await, 1);
        assert_eq!(looked().await, 1);
        // Emptied, perhaps to be written: it is read at the look after.
        fs::write(folder.path().join("watched"), "").unwrap();
        assert_eq!(looked().await, 1);
        assert_eq!(looked().await, 2);
        // Gone, and reported once.
        fs::remove_file(folder.path().join("watched")).unwrap();
        assert_eq!(looked().await, 3);
        assert_eq!(looked().await, 3);
        file.reload();
        assert_eq!(reads.load(Ordering::Relaxed), 4);
    }
}
