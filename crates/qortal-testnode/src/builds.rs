//! Which QDN resources the node has put together since its start.

use std::collections::HashMap;

use parking_lot::Mutex;

/// The resources that requests made the node build, by service, name and identifier.
#[derive(Debug, Default)]
pub(crate) struct Builds(Mutex<HashMap<[String; 3], Build>>);

/// How far the node is with a resource that it did not have ready at its start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Build {
    /// In the queue, to be built in the background: the next look still sees that.
    Queued,
    Ready,
}

impl Builds {
    /// How far a resource is; one that was queued is ready for the next look.
    pub(crate) fn look(&self, resource: [String; 3]) -> Option<Build> {
        let mut builds = self.0.lock();
        let build = builds.get_mut(&resource)?;
        Some(std::mem::replace(build, Build::Ready))
    }

    /// How far a resource is.
    pub(crate) fn peek(&self, resource: &[String; 3]) -> Option<Build> {
        self.0.lock().get(resource).copied()
    }

    /// Forgets that a resource was built: another one has been published in its place.
    pub(crate) fn forget(&self, resource: &[String; 3]) {
        self.0.lock().remove(resource);
    }

    pub(crate) fn set(&self, resource: [String; 3], build: Build) {
        self.0.lock().insert(resource, build);
    }
}
