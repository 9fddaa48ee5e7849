//! QDN resources that the node has built since its start.

use std::collections::HashMap;

use parking_lot::Mutex;

/// Resources that the node has built for requests, by service, name and identifier.
#[derive(Debug, Default)]
pub(crate) struct Builds(Mutex<HashMap<[String; 3], Build>>);

/// Build state of a resource that was not ready at the node's start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Build {
    /// Queued for a build in the background. The next status request still reports this state.
    Queued,
    Ready,
}

impl Builds {
    /// Returns the state of a resource. A queued one becomes ready for the next call.
    pub(crate) fn look(&self, resource: [String; 3]) -> Option<Build> {
        let mut builds = self.0.lock();
        let build = builds.get_mut(&resource)?;
        Some(std::mem::replace(build, Build::Ready))
    }

    /// Returns the state of a resource without changing it.
    pub(crate) fn peek(&self, resource: &[String; 3]) -> Option<Build> {
        self.0.lock().get(resource).copied()
    }

    /// Removes a resource that was replaced by another publication.
    pub(crate) fn forget(&self, resource: &[String; 3]) {
        self.0.lock().remove(resource);
    }

    pub(crate) fn set(&self, resource: [String; 3], build: Build) {
        self.0.lock().insert(resource, build);
    }
}
