//! Requests that no tool and no resource may send, whatever is asked of it.

use percent_encoding::percent_decode_str;
use qortal_client::api::admin::NodeSetting;

use crate::Chain;

/// Paths that must never be asked for, whatever the method; `*` stands for the rest.
///
/// What acts or reveals secrets (the Core's resources AdminResource, CrossChainTradeBotResource, BootstrapResource,
/// RenderResource, PeersResource, ArbitraryResource, DeveloperResource and the websocket of the trade bot), what its
/// key protects unless a tool is for it, and what tells of machines that are not asked about.
const FORBIDDEN: [&str; 20] = [
    "/admin/stop",
    "/admin/restart",
    "/admin/bootstrap",
    "/admin/repository*",
    "/admin/settings",
    "/admin/logs*",
    "/admin/apikey*",
    "/admin/systeminfo",
    "/admin/http*",
    "/bootstrap*",
    "/render*",
    "/developer*",
    "/payments*",
    "/data*",
    "/websockets*",
    "/crosschain/tradebot*",
    "/crosschain/htlc*",
    "/peers/enginestats",
    "/peers/known",
    "/arbitrary/check*",
];

/// The node's lists that a tool is for (class `ListUtils`).
const LISTS: [&str; 3] = ["followedNames", "blockedNames", "blockedAddresses"];

/// The websockets that tell nothing but what anybody may know; `*` stands for the query. `TradeBotWebSocket` tells
/// private keys.
const TELLING_SOCKETS: [&str; 4] = [
    "/websockets/admin/status",
    "/websockets/blocks",
    "/websockets/chat/messages?*",
    "/websockets/crosschain/tradepresence",
];

/// Below `/crosschain/{coin}/`: what sends coins, takes keys or changes servers and fees (CrossChainBitcoinResource
/// and its five sisters).
const ACTIONS_OF_COINS: [&str; 15] = [
    "start",
    "send",
    "addserver",
    "removeserver",
    "setcurrentserver",
    "updatefeekb",
    "updatefeerequired",
    "walletbalance",
    "wallettransactions",
    "addressinfos",
    "repair",
    "walletaddress",
    "walletprivatekey",
    "walletseedphrase",
    "syncstatus",
];

/// A request line of the Core's server has less than 8 KiB, headers included.
const LONGEST_TARGET: usize = 7_000;

/// Query parameters that make a reading endpoint act.
const ACTING_PARAMETERS: [&str; 4] = ["build", "rebuild", "newLoggingLevel", "secret"];

/// The POST endpoints that only take long arguments and change nothing.
const READING_POSTS: [&str; 3] = [
    "/names/list",
    "/groups/members/*",
    "/arbitrary/resources/onchain/data",
];

/// Texts that lead elsewhere if anything in between takes them at their word.
pub const TRAPS: [&str; 22] = [
    "../admin/stop",
    "../../admin/stop",
    "..%2F..%2Fadmin%2Fstop",
    "%2e%2e%2fadmin%2fstop",
    "..%252f..%252fadmin",
    "..\\..\\apikey.txt",
    "....//admin",
    "/admin/stop",
    "//admin/stop",
    "admin/stop",
    "stop",
    "tradebot",
    "check",
    "x?build=true",
    "x&rebuild=true",
    "x#fragment",
    "x;jsessionid=1",
    "a\u{0}b",
    "a\r\nGET /admin/stop HTTP/1.1",
    "..",
    ".",
    "\u{FF0E}\u{FF0E}\u{2215}admin",
];

/// Why an exchange must not have happened.
#[must_use]
pub fn violation(method: &str, target: &str) -> Option<String> {
    if method == "CLOSE" {
        return None; // no request: the end of a websocket
    }
    let once = percent_decode_str(target).decode_utf8_lossy();
    let twice = percent_decode_str(&once).decode_utf8_lossy();
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let decoded_path = percent_decode_str(path).decode_utf8_lossy();
    let says = |rule: &str| Some(format!("{rule}: {method} {target}"));
    let fits = |pattern: &&str| match pattern.strip_suffix('*') {
        Some(start) => path.starts_with(start) || decoded_path.starts_with(start),
        None => path == *pattern || decoded_path == *pattern,
    };
    // The journal notes as well when a socket is closed.
    let is_telling_socket = matches!(method, "GET" | "CLOSE")
        && TELLING_SOCKETS.iter().any(|it| match it.strip_suffix('*') {
            Some(start) => target.starts_with(start),
            None => target == *it,
        });
    if FORBIDDEN.iter().any(&fits) && !is_telling_socket {
        return says("a forbidden path");
    }
    let setting = decoded_path.strip_prefix("/admin/settings/");
    let is_allowed = |name| NodeSetting::ALL.iter().any(|it| it.as_str() == name);
    let list = decoded_path.strip_prefix("/lists/");
    if setting.is_some_and(|it| !is_allowed(it)) || list.is_some_and(|it| !LISTS.contains(&it)) {
        return says("a setting or list that no tool is for");
    }
    let of_coin = decoded_path
        .strip_prefix("/crosschain/")
        .and_then(|it| it.split('/').nth(1));
    if of_coin.is_some_and(|it| ACTIONS_OF_COINS.contains(&it)) {
        return says("an action of a coin");
    }
    if target.len() > LONGEST_TARGET {
        return says("too long");
    }
    match method {
        "POST" if !READING_POSTS.iter().any(fits) => return says("a forbidden POST"),
        "GET" | "POST" => {}
        _ => return says("a forbidden method"),
    }
    let acts = |pair: &str| ACTING_PARAMETERS.contains(&pair.split('=').next().unwrap_or_default());
    if query.split('&').any(acts) {
        return says("an acting parameter");
    }
    let climbs = |text: &str| text.split(['/', '\\']).any(|it| matches!(it, ".." | "."));
    let twice_decoded_path = twice.split('?').next().unwrap_or_default();
    if climbs(&decoded_path) || climbs(twice_decoded_path) || path.contains("//") {
        return says("a climbing path");
    }
    let file = query.split('&').find_map(|it| it.strip_prefix("filepath="));
    let file = file.map(|it| percent_decode_str(it).decode_utf8_lossy().into_owned());
    let leads_out = |it: &str| climbs(it) || it.starts_with('/') || it.contains('\0');
    if file.is_some_and(|it| leads_out(&it)) {
        return says("a climbing file path");
    }
    // An encoded slash or NUL in a path is decoded by servers before they look at it.
    let lower = path.to_ascii_lowercase();
    if ["%2f", "%5c", "%00", "%0d", "%0a"]
        .iter()
        .any(|it| lower.contains(it))
    {
        return says("an encoded separator in the path");
    }
    None
}

/// The traps, and texts that are longer than anything of the chain.
#[must_use]
pub fn texts() -> Vec<String> {
    let long = [100, 1_000, 20_000].map(|it| "x".repeat(it));
    TRAPS.map(str::to_owned).into_iter().chain(long).collect()
}

/// What must not have been asked, and how much was. A strict node complains too, about any request that it does
/// not know or that acts.
pub async fn end(chain: Chain, what: &str) -> usize {
    let journal = chain.node.journal();
    let found: Vec<_> = journal
        .iter()
        .filter_map(|it| violation(&it.method, &it.target))
        .collect();
    assert!(found.is_empty(), "{what}: {found:#?}");
    chain.stop().await;
    journal.len()
}
