//! Public nodes of the Qortal community.

/// Nodes whose API anyone may read, run by volunteers of the community: those that Qortal Hub, the community's desktop application, knows.
/// Each can be gone tomorrow, and none is asked while the user's own node answers.
pub(super) const PUBLIC_NODES: [&str; 5] = [
    "https://api.qortal.org",
    "https://api2.qortal.org",
    "https://ext-node.qortal.link",
    "https://apinode1.qortalnodes.live",
    "https://apinode2.qortalnodes.live",
];
