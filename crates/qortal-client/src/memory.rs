//! Memory for answers, which a program may share out between all that it holds.

use std::{fmt, sync::Arc};

use bytes::Bytes;

/// Grants memory for one answer or websocket: it is called with the bytes in all, as they grow, and returns `false` when there is no
/// more. What it granted is given back when it is dropped.
pub type MemoryGrant = Box<dyn FnMut(usize) -> bool + Send + Sync>;

/// Where answers and websockets get the memory for their bytes, and for the values they are read into.
#[derive(Clone)]
pub struct AnswerMemory(Arc<dyn Fn() -> MemoryGrant + Send + Sync>);

impl AnswerMemory {
    /// Calls `begin` for each answer and each websocket.
    pub fn new(begin: impl Fn() -> MemoryGrant + Send + Sync + 'static) -> Self {
        Self(Arc::new(begin))
    }

    pub(crate) fn begin(&self) -> MemoryGrant {
        (self.0)()
    }
}

impl fmt::Debug for AnswerMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("AnswerMemory")
    }
}

/// What was granted for something else than bytes.
pub(crate) struct Granted(#[expect(dead_code, reason = "it acts on drop")] Option<MemoryGrant>);

impl Granted {
    /// Asks for so many bytes in all; `None` if there is no memory for them.
    pub(crate) fn ask(memory: Option<&AnswerMemory>, bytes: usize) -> Option<Self> {
        let Some(memory) = memory else {
            return Some(Self(None));
        };
        let mut grant = memory.begin();
        grant(bytes).then_some(Self(Some(grant)))
    }
}

impl fmt::Debug for Granted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Granted")
    }
}

/// The bytes, which keep what was granted until the last use of them has ended.
pub(crate) fn hold(bytes: Bytes, grant: Option<MemoryGrant>) -> Bytes {
    match grant {
        Some(grant) => Bytes::from_owner(GrantedBytes {
            bytes,
            _grant: grant,
        }),
        None => bytes,
    }
}

struct GrantedBytes {
    bytes: Bytes,
    _grant: MemoryGrant,
}

impl AsRef<[u8]> for GrantedBytes {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}
