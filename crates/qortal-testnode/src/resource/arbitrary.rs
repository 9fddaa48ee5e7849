//! `/arbitrary`: QDN searches (`ArbitraryResource`). The contents of resources are in `qdn_content`.

use std::{cmp::Reverse, collections::HashMap};

use serde_json::{Value, json};

use crate::{
    like::is_like,
    resource::{
        ApiError, Body, Endpoint, Paging, Refusal, Request, Row, State, Table, fits,
        fixed_with_key, list,
        qdn_service::{service_in_query, service_number},
        qdn_state::current_status,
        refuse_if,
        transactions::{Confirmation, heights, involves, is_modest, select},
    },
};

pub(super) const ENDPOINTS: &[Endpoint] = &[
    Endpoint::get("/arbitrary/resources", resources),
    Endpoint::get("/arbitrary/resources/search", search),
    Endpoint::get("/arbitrary/resources/searchsimple", simple_search),
    Endpoint::get("/arbitrary/search", transactions),
    Endpoint::get("/arbitrary/categories", categories),
    Endpoint::get("/arbitrary/hosted/transactions", hosted_transactions),
    Endpoint::get("/arbitrary/hosted/resources", hosted_resources),
    Endpoint::get("/arbitrary/indices", indices),
    Endpoint::get("/arbitrary/indices/{name}/{idPrefix}", indices_of_name),
    Endpoint::get("/arbitrary/relaymode", fixed_with_key),
];

/// Rejects a default resource with an identifier. Returns whether only default resources are requested.
fn only_default(request: &Request) -> Result<bool, Refusal> {
    let is_default = request.flag("default");
    if is_default && request.text("identifier").is_some() {
        let message = "identifier cannot be specified when requesting a default resource";
        return Err(ApiError::INVALID_CRITERIA.saying(message));
    }
    Ok(is_default)
}

/// Removes the rows that the node's lists of names exclude.
fn retain_listed(state: &State, request: &Request, rows: &mut Vec<&Value>) {
    let is_in = |list: &str, row: &Value| {
        let mut names = state.chain.facts.at("lists").rows(list).iter();
        names.any(|name| name.as_str() == Some(row.text("name")))
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

/// Returns resources in response form, with metadata and the result of `status` for each, if requested.
fn answer(
    request: &Request,
    rows: Vec<&Value>,
    status: impl Fn(&Value) -> Value,
) -> Result<Body, Refusal> {
    let (with_status, metadata) = (
        request.flag("includestatus"),
        request.flag("includemetadata"),
    );
    list(rows.into_iter().map(|row| {
        let row = match row.get("status") {
            Some(_) if with_status => row.with("status", status(row)),
            _ => row.without("status"),
        };
        if metadata {
            row
        } else {
            row.without("metadata")
        }
    }))
}

/// Returns resources by exact service, name and identifier, ordered by name (ignoring case), then by service.
fn resources(state: &State, request: &Request) -> Result<Body, Refusal> {
    let service = service_in_query(request)?;
    let is_default = only_default(request)?;
    let (name, identifier) = (request.text("name"), request.text("identifier"));
    let paging = Paging::of(request)?;
    let mut rows: Vec<&Value> = state.chain.qdn_resources.iter().collect();
    rows.retain(|row| fits(service, row.text("service")));
    rows.retain(|row| fits(name, row.text("name")));
    rows.retain(|row| fits(identifier, row.text("identifier")));
    rows.retain(|row| !is_default || row.get("identifier").is_none());
    retain_listed(state, request, &mut rows);
    rows.sort_by_cached_key(|row| (service_number(row.text("service")), row.text("identifier")));
    // A stable sort: the resources of a name keep this order even if the names are reversed.
    if paging.reverse {
        rows.sort_by_cached_key(|row| Reverse(row.text("name").to_lowercase()));
    } else {
        rows.sort_by_cached_key(|row| row.text("name").to_lowercase());
    }
    answer(request, paging.cut(rows), |row| current_status(state, row))
}

/// The two search engines, whose text comparisons both ignore case.
#[derive(Debug, Clone, Copy)]
enum Engine {
    /// The database query, where `%` and `_` are wildcards (`HSQLDBArbitraryRepository`).
    Database,
    /// The in-memory list of a service's resources, where they are literal (`HSQLDBCacheUtils`).
    Cache,
}

impl Engine {
    /// Returns `true` if a text begins with another one, or contains it.
    fn finds(self, text: &str, wanted: &str, prefix: bool) -> bool {
        let (text, wanted) = (text.to_lowercase(), wanted.to_lowercase());
        match (self, prefix) {
            (Self::Database, true) => is_like(&text, &format!("{wanted}%")),
            (Self::Database, false) => is_like(&text, &format!("%{wanted}%")),
            (Self::Cache, true) => text.starts_with(&wanted),
            (Self::Cache, false) => text.contains(&wanted),
        }
    }

    /// Returns `true` if a resource has the requested identifier. The database treats `default` as none.
    fn is_identified(self, row: &Value, wanted: &str, prefix: bool) -> bool {
        match (self, row.get("identifier").and_then(Value::as_str)) {
            (Self::Database, identifier) if wanted == "default" => identifier.is_none(),
            (_, Some(identifier)) => self.finds(identifier, wanted, prefix),
            (_, None) => false,
        }
    }

    /// Returns `true` if the query matches the name, or, unless only default resources are requested, the identifier, the title or the
    /// description.
    fn fits(self, row: &Value, query: &str, prefix: bool, is_default: bool) -> bool {
        let metadata = row.at("metadata");
        let others = [
            row.text("identifier"),
            metadata.text("title"),
            metadata.text("description"),
        ];
        let mut others = others.iter().filter(|text| !text.is_empty());
        self.finds(row.text("name"), query, prefix)
            || (!is_default && others.any(|text| self.finds(text, query, prefix)))
    }
}

/// Returns resources by parts of their names and metadata, the oldest first.
fn search(state: &State, request: &Request) -> Result<Body, Refusal> {
    let service = service_in_query(request)?;
    let engine = match service {
        Some(_) => Engine::Cache,
        None => Engine::Database,
    };
    let is_latest = request.choice("mode", &["LATEST", "ALL"])? != Some("ALL");
    let is_default = only_default(request)?;
    let least_level = request.int("minlevel")?;
    let (before, after) = (request.long("before")?, request.long("after")?);
    // A negative offset crashes the cache.
    let paging = match Paging::of(request) {
        Err(Refusal::Api(_)) if service.is_some() => return Err(Refusal::CRASH),
        other => other?,
    };
    let prefix = request.flag("prefix");
    let mut rows: Vec<&Value> = state.chain.qdn_resources.iter().collect();
    rows.sort_by_cached_key(|row| row.number("created"));
    if is_latest && service.is_none() {
        // The database searches only the newest of each name and service.
        retain_newest(&mut rows);
    }
    rows.retain(|row| fits(service, row.text("service")));
    rows.retain(|row| !is_default || row.get("identifier").is_none());
    if let Some(query) = request.text("query") {
        rows.retain(|row| engine.fits(row, query, prefix, is_default));
    }
    if let Some(identifier) = request.text("identifier") {
        rows.retain(|row| engine.is_identified(row, identifier, prefix));
    }
    let names = request.list("name");
    let exact = request.flag("exactmatchnames");
    rows.retain(|row| {
        let name = row.text("name");
        let is_found = |wanted: &&str| {
            if exact {
                name.to_lowercase() == wanted.to_lowercase()
            } else {
                engine.finds(name, wanted, prefix)
            }
        };
        names.is_empty() || names.iter().any(is_found)
    });
    for member in ["title", "description"] {
        if let Some(wanted) = request.text(member) {
            rows.retain(|row| engine.finds(row.at("metadata").text(member), wanted, prefix));
        }
    }
    let keywords = request.list("keywords");
    rows.retain(|row| {
        let description = row.at("metadata").text("description");
        let mut words = keywords.iter();
        keywords.is_empty() || words.any(|word| engine.finds(description, word, false))
    });
    rows.retain(|row| least_level.is_none_or(|least| publisher_level(state, row) >= least));
    rows.retain(|row| before.is_none_or(|before| row.number("created") < before));
    rows.retain(|row| after.is_none_or(|after| row.number("created") > after));
    retain_listed(state, request, &mut rows);
    if is_latest && service.is_some() {
        // The cache selects the newest among the matches.
        retain_newest(&mut rows);
    }
    // The cache holds the states from the time it was filled, at the start.
    let status = |row: &Value| match engine {
        Engine::Database => current_status(state, row),
        Engine::Cache => row.at("status").clone(),
    };
    answer(request, paging.apply(rows), status)
}

fn publisher_level(state: &State, row: &Value) -> i64 {
    let name = state.chain.names.row("name", row.text("name"));
    let account = name.and_then(|name| state.chain.account(name.text("owner")));
    account.map_or(0, |account| account.number("level"))
}

/// Retains the newest of each name and service.
fn retain_newest<'a>(rows: &mut Vec<&'a Value>) {
    let mut newest: HashMap<(&'a str, &'a str), i64> = HashMap::new();
    for row in &*rows {
        let time = newest
            .entry((row.text("name"), row.text("service")))
            .or_insert(i64::MIN);
        *time = row.number("created").max(*time);
    }
    rows.retain(|row| {
        let time = newest.get(&(row.text("name"), row.text("service")));
        time == Some(&row.number("created"))
    });
}

/// Searches the database for exact values: `prefix` compares starts, `caseInsensitive` entire values, both with wildcards.
fn simple_search(state: &State, request: &Request) -> Result<Body, Refusal> {
    let service = service_in_query(request)?;
    let (before, after) = (request.long("before")?, request.long("after")?);
    let paging = Paging::of(request)?;
    let (prefix, any_case) = (request.flag("prefix"), request.flag("caseInsensitive"));
    let is_like_it = |text: &str, wanted: &str| {
        let end = if prefix { "%" } else { "" };
        match (prefix, any_case) {
            (false, false) => text == wanted,
            (true, false) => is_like(text, &format!("{wanted}%")),
            (_, true) => is_like(
                &text.to_lowercase(),
                &format!("{}{end}", wanted.to_lowercase()),
            ),
        }
    };
    let identifier = request.raw("identifier");
    let names = request.list("name");
    let mut rows: Vec<&Value> = state.chain.qdn_resources.iter().collect();
    rows.retain(|row| fits(service, row.text("service")));
    rows.retain(|row| {
        let known = row.get("identifier").and_then(Value::as_str);
        identifier.is_none_or(|wanted| known.is_some_and(|known| is_like_it(known, wanted)))
    });
    rows.retain(|row| {
        names.is_empty() || names.iter().any(|name| is_like_it(row.text("name"), name))
    });
    rows.retain(|row| before.is_none_or(|before| row.number("created") < before));
    rows.retain(|row| after.is_none_or(|after| row.number("created") > after));
    rows.sort_by_cached_key(|row| row.number("created"));
    paging.list_of(rows, |row| row.without("status").without("metadata"))
}

/// Returns ARBITRARY transactions, which contain the number of the service.
fn transactions(state: &State, request: &Request) -> Result<Body, Refusal> {
    let service = service_in_query(request)?;
    let number = service.and_then(service_number);
    let address = request.text("address");
    let name = request.text("name").map(str::to_lowercase);
    let group = request.int("txGroupId")?;
    let is_modest = is_modest(request)?;
    let is_unfiltered = service.is_none() && address.is_none();
    refuse_if(is_unfiltered && !is_modest, ApiError::INVALID_CRITERIA)?;
    let confirmation = Confirmation::of(request)?;
    let heights = heights(state, request, confirmation)?;
    let paging = Paging::of(request)?;
    select(state, paging, &heights, |row| {
        row.text("type") == "ARBITRARY"
            && confirmation.fits(row)
            && fits(number, row.number("service"))
            && fits(group, row.number("txGroupId"))
            && address.is_none_or(|address| involves(row, address))
            && fits(name.as_deref(), &row.text("name").to_lowercase())
    })
}

fn categories(state: &State, _: &Request) -> Result<Body, Refusal> {
    list(state.chain.qdn_categories.iter().cloned())
}

/// Returns the stored resources, the largest first. Totals cover the entire list.
fn hosted_transactions(state: &State, request: &Request) -> Result<Body, Refusal> {
    let paging = Paging::of(request)?;
    let name = request.text("name").unwrap_or_default();
    let hosted = &state.chain.qdn_hosted;
    let rows = hosted.matching(|row| row.text("name").starts_with(name));
    let space: i64 = rows.iter().map(|row| row.number("totalSpace")).sum();
    Ok(Body::Json(
        json!({"count": rows.len(), "totalSpace": space, "items": paging.cut(rows)}),
    ))
}

/// Returns the hosted resources whose name or identifier contains the query, the newest first
/// (`ArbitraryDataStorageManager.searchHostedTransactions`).
fn hosted_resources(state: &State, request: &Request) -> Result<Body, Refusal> {
    state.require_key(request)?;
    let paging = Paging::of(request)?;
    let query = request.text("query").unwrap_or_default().to_lowercase();
    let has_query = |text: &str| text.to_lowercase().contains(&query);
    let mut hosted: Vec<&Value> = state.chain.qdn_hosted.iter().collect();
    if !query.is_empty() {
        hosted.retain(|row| has_query(row.text("name")) || has_query(row.text("identifier")));
        hosted.sort_by_cached_key(|row| Reverse(row.number("timestamp")));
    }
    let rows = hosted.into_iter().map(|row| {
        row.pick("name service")
            .with_some("identifier", row.get("identifier").cloned())
            .with("latestSignature", row.at("signature").clone())
    });
    list(paging.cut(rows.collect()))
}

/// Returns published index entries with a term that contains one of the words. Each rank halves the score.
fn indices(state: &State, request: &Request) -> Result<Body, Refusal> {
    let terms: Vec<String> = request
        .list("terms")
        .iter()
        .map(|term| term.to_lowercase())
        .collect();
    let matching = index(state).iter().filter(|entry| {
        let text = entry.text("term").to_lowercase();
        terms.iter().any(|term| text.contains(term))
    });
    list(matching.map(|entry| {
        let rank = i32::try_from(entry.number("rank")).unwrap_or(1);
        json!({"score": 0.5_f64.powi(rank)}).extended(&entry.pick("name category link"))
    }))
}

fn indices_of_name(state: &State, request: &Request) -> Result<Body, Refusal> {
    let (name, prefix) = (request.capture("name"), request.capture("idPrefix"));
    let entries = index(state).iter().filter(|entry| {
        entry.text("name") == name && entry.text("indexIdentifer").starts_with(prefix)
    });
    list(entries.cloned())
}

/// Returns the recorded entries, if anything is published.
fn index(state: &State) -> &[Value] {
    if state.chain.qdn_resources.is_empty() {
        return &[];
    }
    state.chain.facts.at("indices").rows("byName")
}
