//! `/arbitrary`: searching the QDN (`ArbitraryResource`). What resources contain is in `qdn_content`.

use serde_json::{Value, json};

use crate::answer::Body;
use crate::chain::Row;
use crate::error::{ApiError, Refusal};
use crate::paging::Paging;
use crate::request::Request;
use crate::resource::list;
use crate::resource::qdn_service::{service_in_query, service_number};
use crate::resource::transactions::{Confirmation, heights, involves, select};
use crate::route::Endpoint;
use crate::world::World;

pub(super) const ENDPOINTS: &[Endpoint] = &[
    Endpoint::get("/arbitrary/resources", resources),
    Endpoint::get("/arbitrary/resources/search", search),
    Endpoint::get("/arbitrary/resources/searchsimple", simple_search),
    Endpoint::get("/arbitrary/search", transactions),
    Endpoint::get("/arbitrary/categories", categories),
    Endpoint::get("/arbitrary/hosted/transactions", hosted_transactions),
    Endpoint::volatile("/arbitrary/hosted/resources", hosted_resources),
    Endpoint::get("/arbitrary/indices", indices),
    Endpoint::get("/arbitrary/indices/{name}/{idPrefix}", indices_of_name),
    Endpoint::volatile("/arbitrary/relaymode", relay_mode),
];

/// Most transactions of a search that names neither service nor address.
const UNFILTERED_LIMIT: usize = 20;

/// Refuses a default resource with an identifier; tells whether only default resources are wanted.
fn only_default(request: &Request) -> Result<bool, Refusal> {
    let is_default = request.flag("default");
    if is_default && request.text("identifier").is_some() {
        let message =
            "identifier cannot be specified when requesting a default resource".to_owned();
        return Err(Refusal::Explained(ApiError::INVALID_CRITERIA, message));
    }
    Ok(is_default)
}

/// Leaves out what the node's lists of names rule out.
fn retain_listed(world: &World, request: &Request, rows: &mut Vec<&Value>) {
    let is_in = |list: &str, row: &Value| {
        let names = world
            .chain
            .facts
            .at("lists")
            .get(list)
            .and_then(Value::as_array);
        names.is_some_and(|names| {
            names
                .iter()
                .any(|name| name.as_str() == Some(row.text("name")))
        })
    };
    if request.flag("followedonly") {
        rows.retain(|row| is_in("followedNames", row));
    }
    if request.flag("excludeblocked") {
        rows.retain(|row| !is_in("blockedNames", row));
    }
    if let Some(filter) = request.text("namefilter") {
        rows.retain(|row| is_in(filter, row));
    }
}

/// Resources as they are answered, with status and metadata if asked for.
fn answer(request: &Request, rows: Vec<&Value>) -> Result<Body, Refusal> {
    let (status, metadata) = (
        request.flag("includestatus"),
        request.flag("includemetadata"),
    );
    list(rows.into_iter().map(|row| {
        let row = if status {
            row.clone()
        } else {
            row.without("status")
        };
        if metadata {
            row
        } else {
            row.without("metadata")
        }
    }))
}

/// Resources by exact service, name and identifier, ordered by name without regard to case, then by service.
fn resources(world: &World, request: &Request) -> Result<Body, Refusal> {
    let service = service_in_query(request)?;
    let is_default = only_default(request)?;
    let (name, identifier) = (request.text("name"), request.text("identifier"));
    let paging = Paging::of(request)?;
    let mut rows: Vec<&Value> = world.chain.qdn_resources.iter().collect();
    rows.retain(|row| service.is_none_or(|service| row.text("service") == service));
    rows.retain(|row| name.is_none_or(|name| row.text("name") == name));
    rows.retain(|row| identifier.is_none_or(|identifier| row.text("identifier") == identifier));
    rows.retain(|row| !is_default || row.get("identifier").is_none());
    retain_listed(world, request, &mut rows);
    rows.sort_by_key(|row| (service_number(row.text("service")), row.text("identifier")));
    // Stable: the resources of a name stay in this order, whichever way the names go.
    let name = |row: &Value| row.text("name").to_lowercase();
    rows.sort_by(|left, right| {
        let order = name(left).cmp(&name(right));
        if paging.reverse {
            order.reverse()
        } else {
            order
        }
    });
    answer(request, paging.cut(rows))
}

/// Whether a text is found in another: at its start with `prefix`, else anywhere, without regard to case.
fn is_found(text: &str, wanted: &str, prefix: bool) -> bool {
    let (text, wanted) = (text.to_lowercase(), wanted.to_lowercase());
    if prefix {
        text.starts_with(&wanted)
    } else {
        text.contains(&wanted)
    }
}

/// Resources by parts of their names and metadata, oldest first.
fn search(world: &World, request: &Request) -> Result<Body, Refusal> {
    let service = service_in_query(request)?;
    let mode = request.choice("mode", &["LATEST", "ALL"])?;
    let is_default = only_default(request)?;
    let least_level = request.int("minlevel")?;
    let (before, after) = (request.long("before")?, request.long("after")?);
    // With a service the answer comes from a cache, where a negative offset crashes.
    let paging = match Paging::of(request) {
        Err(Refusal::Api(_)) if service.is_some() => return Err(Refusal::CRASH),
        other => other?,
    };
    let prefix = request.flag("prefix");
    let mut rows: Vec<&Value> = world.chain.qdn_resources.iter().collect();
    rows.sort_by_key(|row| row.number("created"));
    let all = rows.clone();
    rows.retain(|row| service.is_none_or(|service| row.text("service") == service));
    rows.retain(|row| !is_default || row.get("identifier").is_none());
    if let Some(query) = request.text("query") {
        rows.retain(|row| is_default_query(row, query, prefix, is_default));
    }
    if let Some(identifier) = request.text("identifier") {
        rows.retain(|row| is_found(row.text("identifier"), identifier, prefix));
    }
    let names = request.list("name");
    let exact = request.flag("exactmatchnames");
    rows.retain(|row| {
        let name = row.text("name");
        let fits = |wanted: &&str| {
            if exact {
                name.to_lowercase() == wanted.to_lowercase()
            } else {
                is_found(name, wanted, prefix)
            }
        };
        names.is_empty() || names.iter().any(fits)
    });
    for member in ["title", "description"] {
        if let Some(wanted) = request.text(member) {
            rows.retain(|row| is_found(row.at("metadata").text(member), wanted, prefix));
        }
    }
    let keywords = request.list("keywords");
    rows.retain(|row| {
        let description = row.at("metadata").text("description");
        keywords.is_empty()
            || keywords
                .iter()
                .any(|keyword| is_found(description, keyword, false))
    });
    rows.retain(|row| least_level.is_none_or(|least| publisher_level(world, row) >= least));
    rows.retain(|row| before.is_none_or(|before| row.number("created") < before));
    rows.retain(|row| after.is_none_or(|after| row.number("created") > after));
    retain_listed(world, request, &mut rows);
    if mode != Some("ALL") {
        // The cache knows the newest among the matches; the database only the newest of the name and service.
        let candidates = if service.is_some() { rows.clone() } else { all };
        rows.retain(|row| is_newest(row, &candidates));
    }
    answer(request, paging.apply(rows))
}

fn is_default_query(row: &Value, query: &str, prefix: bool, is_default: bool) -> bool {
    let metadata = &row.at("metadata");
    is_found(row.text("name"), query, prefix)
        || (!is_default
            && (is_found(row.text("identifier"), query, prefix)
                || is_found(metadata.text("title"), query, prefix)
                || is_found(metadata.text("description"), query, prefix)))
}

fn publisher_level(world: &World, row: &Value) -> i64 {
    let name = world
        .chain
        .names
        .iter()
        .find(|name| name.text("name") == row.text("name"));
    let account = name.and_then(|name| world.chain.account(name.text("owner")));
    account.map_or(0, |account| account.number("level"))
}

fn is_newest(row: &Value, candidates: &[&Value]) -> bool {
    let is_newer = |other: &&Value| {
        other.text("name") == row.text("name")
            && other.text("service") == row.text("service")
            && other.number("created") > row.number("created")
    };
    !candidates.iter().any(is_newer)
}

/// Exact search; `prefix` compares starts, `caseInsensitive` alone finds parts.
fn simple_search(world: &World, request: &Request) -> Result<Body, Refusal> {
    let service = service_in_query(request)?;
    let (before, after) = (request.long("before")?, request.long("after")?);
    let paging = Paging::of(request)?;
    let (prefix, any_case) = (request.flag("prefix"), request.flag("caseInsensitive"));
    let fits = |text: &str, wanted: &str| match (prefix, any_case) {
        (false, false) => text == wanted,
        (true, false) => text.starts_with(wanted),
        (prefix, true) => is_found(text, wanted, prefix),
    };
    let identifier = request.text("identifier");
    let names = request.list("name");
    let mut rows: Vec<&Value> = world.chain.qdn_resources.iter().collect();
    rows.retain(|row| service.is_none_or(|service| row.text("service") == service));
    rows.retain(|row| identifier.is_none_or(|identifier| fits(row.text("identifier"), identifier)));
    rows.retain(|row| names.is_empty() || names.iter().any(|name| fits(row.text("name"), name)));
    rows.retain(|row| before.is_none_or(|before| row.number("created") < before));
    rows.retain(|row| after.is_none_or(|after| row.number("created") > after));
    rows.sort_by_key(|row| row.number("created"));
    list(
        paging
            .apply(rows)
            .into_iter()
            .map(|row| row.without("status").without("metadata")),
    )
}

/// ARBITRARY transactions, which carry the number of the service.
fn transactions(world: &World, request: &Request) -> Result<Body, Refusal> {
    let service = service_in_query(request)?;
    let number = service.and_then(service_number);
    let address = request.text("address");
    let name = request.text("name").map(str::to_lowercase);
    let group = request.int("txGroupId")?;
    let asked_limit = request.int("limit")?;
    let is_modest = asked_limit
        .is_some_and(|limit| usize::try_from(limit).is_ok_and(|limit| limit <= UNFILTERED_LIMIT));
    if service.is_none() && address.is_none() && !is_modest {
        return Err(ApiError::INVALID_CRITERIA.into());
    }
    let confirmation = Confirmation::of(request)?;
    let heights = heights(world, request, confirmation)?;
    let paging = Paging::of(request)?;
    select(world, paging, |row| {
        row.text("type") == "ARBITRARY"
            && confirmation.fits(row)
            && heights.contains(&row.number("blockHeight"))
            && number.is_none_or(|number| row.number("service") == number)
            && group.is_none_or(|group| row.number("txGroupId") == group)
            && address.is_none_or(|address| involves(row, address))
            && name
                .as_ref()
                .is_none_or(|name| row.text("name").to_lowercase() == *name)
    })
}

fn categories(world: &World, _: &Request) -> Result<Body, Refusal> {
    list(world.chain.qdn_categories.iter().cloned())
}

/// What the node stores, biggest first; totals are those of the whole list.
fn hosted_transactions(world: &World, request: &Request) -> Result<Body, Refusal> {
    let paging = Paging::of(request)?;
    let name = request.text("name").unwrap_or_default();
    let rows = world
        .chain
        .qdn_hosted
        .iter()
        .filter(|row| row.text("name").starts_with(name));
    let rows: Vec<&Value> = rows.collect();
    let space: i64 = rows.iter().map(|row| row.number("totalSpace")).sum();
    Ok(Body::Json(
        json!({"count": rows.len(), "totalSpace": space, "items": paging.cut(rows)}),
    ))
}

fn hosted_resources(world: &World, request: &Request) -> Result<Body, Refusal> {
    world.require_key(request)?;
    let paging = Paging::of(request)?;
    let rows = world.chain.qdn_hosted.iter().map(|row| {
        let resource = json!({"name": row.at("name"), "service": row.at("service")});
        let resource = match row.get("identifier") {
            Some(identifier) => resource.with("identifier", identifier.clone()),
            None => resource,
        };
        resource.with("latestSignature", row.at("signature").clone())
    });
    list(paging.cut(rows.collect()))
}

/// Published index entries whose terms contain one of the words; scores are halved from place to place.
fn indices(world: &World, request: &Request) -> Result<Body, Refusal> {
    let terms: Vec<String> = request
        .list("terms")
        .iter()
        .map(|term| term.to_lowercase())
        .collect();
    let entries = world
        .chain
        .facts
        .at("indices")
        .at("byName")
        .as_array()
        .filter(|_| !world.chain.qdn_resources.is_empty());
    let matching = entries.into_iter().flatten().filter(|entry| {
        let text = entry.text("term").to_lowercase();
        terms.iter().any(|term| text.contains(term))
    });
    list(matching.map(|entry| {
        let rank = i32::try_from(entry.number("rank")).unwrap_or(1);
        json!({
            "score": 0.5_f64.powi(rank),
            "name": entry.at("name"),
            "category": entry.at("category"),
            "link": entry.at("link"),
        })
    }))
}

fn indices_of_name(world: &World, request: &Request) -> Result<Body, Refusal> {
    let (name, prefix) = (request.capture("name"), request.capture("idPrefix"));
    let entries = world
        .chain
        .facts
        .at("indices")
        .at("byName")
        .as_array()
        .filter(|_| !world.chain.qdn_resources.is_empty());
    let matching = entries.into_iter().flatten().filter(|entry| {
        entry.text("name") == name && entry.text("indexIdentifer").starts_with(prefix)
    });
    list(matching.cloned())
}

fn relay_mode(world: &World, request: &Request) -> Result<Body, Refusal> {
    world.require_key(request)?;
    Ok(Body::Text("true".to_owned()))
}
