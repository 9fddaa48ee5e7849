//! The connection limit that the file descriptors of the process allow.

use std::num::NonZeroU32;

use crate::admin;

/// Connections unless the configuration says otherwise: many more than the users of one node have.
const CONNECTIONS: u32 = 1_024;
/// What the rest of the process opens: connections and websockets to nodes, files, pipes.
const RESERVED: u32 = 96;
/// Fewer connections than this are worth a warning.
const FEW: u32 = 256;

/// Raises the file descriptor limit as far as the system allows, and returns the number of connections that fit alongside the rest
/// of the process.
///
/// The default is 1,024 connections. A limit that leaves room for only a few, or for fewer than configured, is logged as a warning.
#[must_use]
pub fn raise_fd_limit(configured: Option<NonZeroU32>) -> usize {
    let wanted = configured.map_or(CONNECTIONS, NonZeroU32::get);
    let all = u64::from(wanted) + u64::from(RESERVED) + u64::from(admin::CONNECTIONS);
    let limit = match rlimit::increase_nofile_limit(all) {
        Ok(limit) => u32::try_from(limit).unwrap_or(u32::MAX),
        Err(err) => {
            tracing::debug!(%err, "the limit of file descriptors is unknown");
            u32::MAX
        }
    };
    let connections = fitting(wanted, limit);
    if connections < wanted.min(FEW) || (configured.is_some() && connections < wanted) {
        tracing::warn!(
            connections,
            limit,
            "the limit of file descriptors is low: raise it with `ulimit -n` or LimitNOFILE for more connections"
        );
    }
    usize::try_from(connections).unwrap_or(usize::MAX)
}

/// A small limit is shared half and half.
fn fitting(wanted: u32, limit: u32) -> u32 {
    let rest = limit.saturating_sub(RESERVED).max(limit / 2);
    wanted.min(rest).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connections_leave_descriptors_for_the_rest() {
        for (wanted, limit, expect) in [
            (1_024, 1 << 20, 1_024),
            (1_024, 1_024, 928),
            (1_024, 256, 160),
            (1_024, 64, 32),
            (10, 64, 10),
            (1_024, 0, 1),
        ] {
            assert_eq!(fitting(wanted, limit), expect, "{wanted} of {limit}");
        }
    }
}
