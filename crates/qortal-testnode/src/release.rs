//! Which release of the Core brought an endpoint. An older one answers its path as it answers any other: usually with
//! 404, unless the path fits an endpoint that it has.

/// A release by its three numbers, such as `[6, 1, 8]`.
pub(crate) type Release = [u16; 3];

/// The release that was recorded; the simulated node has all of its endpoints.
pub(crate) const RECORDED: Release = [6, 1, 8];

/// The endpoints that did not exist in all releases since 4.0.0, by the one that brought them, from the sources of all
/// of these releases.
const BROUGHT: &[(Release, &[&str])] = &[
    (
        [4, 0, 2],
        &["GET /chat/messages/count", "GET /names/search"],
    ),
    (
        [4, 1, 0],
        &[
            "GET /crosschain/tradeoffers/hidden",
            "GET /polls/votes/{pollName}",
            "GET /stats/supply/circulating",
        ],
    ),
    ([4, 4, 1], &["GET /crosschain/{coin}/serverinfos"]),
    (
        [4, 5, 2],
        &[
            "GET /crosschain/{coin}/feekb",
            "GET /crosschain/{coin}/serverconnectionhistory",
        ],
    ),
    (
        [4, 6, 0],
        &[
            "GET /addresses/levels/{minLevel}",
            "GET /addresses/mintership/{address}",
            "GET /addresses/sponsorship/{address}",
            "GET /addresses/sponsorship/{address}/sponsor",
            "GET /arbitrary/resources/searchsimple",
        ],
    ),
    (
        [4, 7, 0],
        &[
            "GET /admin/systeminfo",
            "GET /assets/balancedynamicranges",
            "GET /assets/balancedynamicrange/{height}",
            "GET /assets/balancedynamicamounts/{begin}/{end}",
            "GET /blocks/onlineaccounts/{height}",
        ],
    ),
    (
        [4, 7, 1],
        &[
            "GET /arbitrary/indices",
            "GET /arbitrary/indices/{name}/{idPrefix}",
            "GET /crosschain/ledger/{publicKey}",
        ],
    ),
    (
        [5, 0, 0],
        &[
            "GET /names/primary/{address}",
            "GET /crosschain/{coin}/feerequired",
            "GET /crosschain/signedfees",
            "GET /crosschain/unsignedfees/{address}",
        ],
    ),
    (
        [5, 0, 7],
        &[
            "GET /groups/joinrequests/address/{address}",
            "GET /transactions/payments/between",
        ],
    ),
    (
        [6, 0, 0],
        &[
            "GET /arbitrary/resource/request/peers/{service}/{name}",
            "GET /arbitrary/resource/request/peers/{service}/{name}/{identifier}",
            "GET /crosschain/{coin}/status",
            "GET /data/cache/size",
            "GET /peers/data",
        ],
    ),
    (
        [6, 1, 0],
        &[
            "GET /admin/http/getca",
            "GET /admin/http/san",
            "GET /groups/joinrequests/admin/{address}",
        ],
    ),
    (
        [6, 1, 4],
        &[
            "GET /groups/kicks/member",
            "GET /polls/apps/ratings",
            "POST /arbitrary/resources/onchain/data",
            "GET /websockets/notifications",
        ],
    ),
    (
        [6, 1, 5],
        &[
            "POST /names/list",
            "GET /at/executables",
            "GET /groups/balances",
            "GET /groups/topbans/{year}",
            "GET /groups/topkicks/{year}",
            "GET /groups/topjoins/{year}",
            "GET /groups/topleaves/{year}",
        ],
    ),
    (
        [6, 1, 6],
        &[
            "GET /chat/stats",
            "GET /chat/groupstats",
            "GET /chat/memory",
        ],
    ),
    ([6, 1, 7], &["POST /groups/members/{groupid}/validate"]),
];

/// Whether a release has an endpoint.
pub(crate) fn has(release: Release, method: &str, path: &str) -> bool {
    let is_meant = |endpoint: &&str| endpoint.split_once(' ') == Some((method, path));
    let brought = BROUGHT
        .iter()
        .find(|(_, endpoints)| endpoints.iter().any(is_meant));
    brought.is_none_or(|(since, _)| release >= *since)
}

#[cfg(test)]
mod tests;
