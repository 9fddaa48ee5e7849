//! `/assets`: assets, balances and transfers (`AssetsResource`). Orders and their trades are in `asset_orders`.

use serde_json::Value;

use crate::resource::{
    ApiError, Body, Endpoint, Paging, Refusal, Request, Row, State, empty_list, found, refuse_if,
    transactions::{ANYWHERE, Confirmation, involves, select},
    valid_address, valid_addresses,
};

pub(super) const ENDPOINTS: &[Endpoint] = &[
    Endpoint::get("/assets", all),
    Endpoint::get("/assets/info", info),
    Endpoint::get("/assets/balances", balances),
    Endpoint::get("/assets/transactions/{assetid}", transactions),
    Endpoint::get("/assets/transfers/{assetid}", transfers),
    Endpoint::get("/assets/balancedynamicranges", recorded_ranges),
    Endpoint::get("/assets/balancedynamicrange/{height}", recorder_off),
    Endpoint::get("/assets/balancedynamicamounts/{begin}/{end}", recorder_off),
];

/// Returns an existing asset ID from the path.
pub(super) fn asset_in_path(
    state: &State,
    request: &Request,
    name: &'static str,
) -> Result<i64, Refusal> {
    let asset = request.capture_int(name)?;
    refuse_if(!state.chain.has_asset(asset), ApiError::INVALID_ASSET_ID)?;
    Ok(asset)
}

fn all(state: &State, request: &Request) -> Result<Body, Refusal> {
    let paging = Paging::of(request)?;
    let with_data = request.flag("includeData");
    let assets: Vec<&Value> = state.chain.assets.iter().collect();
    if with_data {
        return paging.list(assets);
    }
    paging.list_of(assets, |asset| asset.without("data"))
}

fn info(state: &State, request: &Request) -> Result<Body, Refusal> {
    let (id, name) = (request.int("assetId")?, request.text("assetName"));
    let mut assets = state.chain.assets.iter();
    let asset = match (id, name) {
        (Some(id), _) => assets.find(|asset| asset.number("assetId") == id),
        (None, Some(name)) => assets.find(|asset| asset.text("name") == name),
        (None, None) => return Err(ApiError::INVALID_CRITERIA.into()),
    };
    found(asset, ApiError::INVALID_ASSET_ID)
}

/// Returns balances by accounts, by assets, or by both. The parameter is `assetid`. `assetId` has no effect.
fn balances(state: &State, request: &Request) -> Result<Body, Refusal> {
    let addresses = request.list("address");
    valid_addresses(addresses.iter().copied())?;
    let assets = request.longs("assetid")?;
    let is_known = assets.iter().all(|asset| state.chain.has_asset(*asset));
    refuse_if(!is_known, ApiError::INVALID_ASSET_ID)?;
    let ordering = request.choice(
        "ordering",
        &["ASSET_BALANCE_ACCOUNT", "ACCOUNT_ASSET", "ASSET_ACCOUNT"],
    )?;
    if addresses.is_empty() && assets.is_empty() {
        return Err(ApiError::INVALID_CRITERIA.into());
    }
    let paging = Paging::of(request)?;
    let mut rows: Vec<&Value> = state.chain.balances.iter().collect();
    rows.retain(|row| addresses.is_empty() || addresses.contains(&row.text("address")));
    rows.retain(|row| assets.is_empty() || assets.contains(&row.number("assetId")));
    rows.sort_by(|left, right| {
        let account = || left.text("address").cmp(right.text("address"));
        let asset = || left.number("assetId").cmp(&right.number("assetId"));
        let balance = || left.amount("balance").cmp(&right.amount("balance"));
        match ordering {
            Some("ACCOUNT_ASSET") => account().then_with(asset),
            Some("ASSET_ACCOUNT") => asset().then_with(account),
            Some(_) | None => asset().then_with(balance).then_with(account),
        }
    });
    paging.list(rows)
}

/// Returns all transactions of an asset. A missing `confirmationStatus` crashes the Core.
fn transactions(state: &State, request: &Request) -> Result<Body, Refusal> {
    let asset = asset_in_path(state, request, "assetid")?;
    let confirmation = Confirmation::of(request)?;
    let paging = Paging::of(request)?;
    select(state, paging, &ANYWHERE, |row| {
        confirmation.fits(row) && is_about(state, row, asset)
    })
}

fn is_about(state: &State, row: &Value, asset: i64) -> bool {
    let has = |row: &Value, name: &str| row.get(name).and_then(Value::as_i64) == Some(asset);
    let is_order = |order: &Value| has(order, "haveAssetId") || has(order, "wantAssetId");
    match row.text("type") {
        "ISSUE_ASSET" | "TRANSFER_ASSET" | "UPDATE_ASSET" => has(row, "assetId"),
        "CREATE_ASSET_ORDER" => is_order(row),
        "CANCEL_ASSET_ORDER" => {
            let mut orders = state.chain.transactions.iter();
            orders
                .find(|order| order.text("signature") == row.text("orderId"))
                .is_some_and(is_order)
        }
        _ => false,
    }
}

fn transfers(state: &State, request: &Request) -> Result<Body, Refusal> {
    let asset = asset_in_path(state, request, "assetid")?;
    let address = request.text("address").map(valid_address).transpose()?;
    let paging = Paging::of(request)?;
    select(state, paging, &ANYWHERE, |row| {
        row.text("type") == "TRANSFER_ASSET"
            && row.number("assetId") == asset
            && row.number("blockHeight") > 0
            && address.is_none_or(|address| involves(row, address))
    })
}

/// Returns no ranges, since the balance recorder of this node is off.
fn recorded_ranges(_: &State, request: &Request) -> Result<Body, Refusal> {
    Paging::of(request)?;
    empty_list()
}

fn recorder_off(_: &State, _: &Request) -> Result<Body, Refusal> {
    Err(ApiError::INVALID_DATA.into())
}
