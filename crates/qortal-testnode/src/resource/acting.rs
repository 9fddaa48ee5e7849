//! Endpoints that act, sign or reveal secrets. A read-only client must never call them, so a strict node complains;
//! the answers are the refusals of a node on the main network: a key is demanded, or the call is restricted.

use crate::resource::{ApiError, Body, Endpoint, Refusal, Request, World};

pub(super) const ENDPOINTS: &[Endpoint] = &[
    Endpoint::acting("GET", "/admin/stop", keyed),
    Endpoint::acting("GET", "/admin/restart", keyed),
    Endpoint::acting("GET", "/admin/bootstrap", keyed),
    Endpoint::acting("GET", "/admin/repository/data", keyed),
    Endpoint::acting("POST", "/admin/repository/data", keyed),
    Endpoint::acting("POST", "/admin/repository/backup", keyed),
    Endpoint::acting("POST", "/admin/repository/checkpoint", keyed),
    Endpoint::acting("DELETE", "/admin/repository", keyed),
    Endpoint::acting("POST", "/admin/mintingaccounts", keyed),
    Endpoint::acting("DELETE", "/admin/mintingaccounts", keyed),
    Endpoint::acting("POST", "/admin/orphan", keyed),
    Endpoint::acting("POST", "/admin/forcesync", keyed),
    Endpoint::acting("POST", "/admin/apikey/generate", keyed),
    Endpoint::acting("POST", "/peers", keyed),
    Endpoint::acting("DELETE", "/peers", keyed),
    Endpoint::acting("DELETE", "/peers/known", keyed),
    Endpoint::acting("POST", "/peers/commonblock", keyed),
    Endpoint::acting("POST", "/lists/{list}", keyed),
    Endpoint::acting("DELETE", "/lists/{list}", keyed),
    Endpoint::acting("GET", "/bootstrap/validate", keyed),
    Endpoint::acting("POST", "/bootstrap/create", keyed),
    Endpoint::acting("POST", "/addresses/publicize", restricted),
    Endpoint::acting("POST", "/addresses/publicize/compute", keyed),
    Endpoint::acting("POST", "/addresses/rewardshare", restricted),
    Endpoint::acting("POST", "/addresses/rewardsharekey", restricted),
    Endpoint::acting("POST", "/names/register", restricted),
    Endpoint::acting("POST", "/names/update", restricted),
    Endpoint::acting("POST", "/names/sell", restricted),
    Endpoint::acting("POST", "/names/sell/cancel", restricted),
    Endpoint::acting("POST", "/names/buy", restricted),
    Endpoint::acting("POST", "/payments/pay", restricted),
    Endpoint::acting("POST", "/transactions/process", restricted),
    Endpoint::acting("POST", "/transactions/sign", restricted),
    Endpoint::acting("POST", "/polls/create", restricted),
    Endpoint::acting("POST", "/polls/vote", restricted),
    Endpoint::acting("POST", "/groups/create", restricted),
    Endpoint::acting("POST", "/groups/update", restricted),
    Endpoint::acting("POST", "/groups/addadmin", restricted),
    Endpoint::acting("POST", "/groups/removeadmin", restricted),
    Endpoint::acting("POST", "/groups/ban", restricted),
    Endpoint::acting("POST", "/groups/ban/cancel", restricted),
    Endpoint::acting("POST", "/groups/kick", restricted),
    Endpoint::acting("POST", "/groups/invite", restricted),
    Endpoint::acting("POST", "/groups/invite/cancel", restricted),
    Endpoint::acting("POST", "/groups/join", restricted),
    Endpoint::acting("POST", "/groups/leave", restricted),
    Endpoint::acting("POST", "/groups/approval", restricted),
    Endpoint::acting("POST", "/groups/setdefault", restricted),
    Endpoint::acting("POST", "/assets/issue", restricted),
    Endpoint::acting("POST", "/assets/update", restricted),
    Endpoint::acting("POST", "/assets/transfer", restricted),
    Endpoint::acting("POST", "/assets/order", restricted),
    Endpoint::acting("POST", "/assets/order/delete", restricted),
    Endpoint::acting("POST", "/at", restricted),
    Endpoint::acting("POST", "/chat", keyed),
    Endpoint::acting("POST", "/chat/compute", keyed),
    Endpoint::acting("POST", "/arbitrary/compute", keyed),
    Endpoint::acting("POST", "/arbitrary/{service}/{name}", keyed),
    Endpoint::acting("POST", "/arbitrary/{service}/{name}/{identifier}", keyed),
    Endpoint::acting(
        "DELETE",
        "/arbitrary/resource/{service}/{name}/{identifier}",
        keyed,
    ),
    Endpoint::acting("GET", "/crosschain/tradebot", keyed),
    Endpoint::acting("POST", "/crosschain/tradebot/create", keyed),
    Endpoint::acting("POST", "/crosschain/tradebot/respond", keyed),
    Endpoint::acting("DELETE", "/crosschain/tradebot", keyed),
    Endpoint::acting("DELETE", "/crosschain/tradeoffer", keyed),
    Endpoint::acting("POST", "/crosschain/{coin}/start", keyed),
    Endpoint::acting("POST", "/crosschain/{coin}/send", keyed),
    Endpoint::acting("POST", "/crosschain/{coin}/addserver", keyed),
    Endpoint::acting("POST", "/crosschain/{coin}/removeserver", keyed),
    Endpoint::acting("POST", "/crosschain/{coin}/setcurrentserver", keyed),
    Endpoint::acting("POST", "/crosschain/{coin}/walletbalance", keyed),
    Endpoint::acting("POST", "/crosschain/{coin}/wallettransactions", keyed),
    Endpoint::acting("POST", "/crosschain/{coin}/addressinfos", keyed),
    Endpoint::acting("POST", "/utils/privatekey", restricted),
    Endpoint::acting("POST", "/utils/publickey", restricted),
    Endpoint::acting("POST", "/render/authorize/{what*}", keyed),
    Endpoint::acting("GET", "/render/{what*}", keyed),
];

/// Refused for want of the key. With the key nothing happens either: this node cannot act.
fn keyed(world: &World, request: &Request) -> Result<Body, Refusal> {
    world.require_key(request)?;
    Err(ApiError::NON_PRODUCTION.into())
}

/// Refused because the API of this node is restricted.
fn restricted(_: &World, _: &Request) -> Result<Body, Refusal> {
    Err(ApiError::NON_PRODUCTION.into())
}
