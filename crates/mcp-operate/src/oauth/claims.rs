//! The claims of access tokens (RFC 7519, RFC 9068).

use std::{
    collections::BTreeSet,
    time::{Duration, SystemTime},
};

use mcp_protocol::Object;
use mcp_server::AuthInfo;
use serde_json::Value;

use super::fault::{TokenFault, quoted};

/// The largest difference between the clocks of two machines.
const LEEWAY: Duration = Duration::from_secs(60);

/// The claims that a token must have, and the grant that follows from them.
#[derive(Debug)]
pub(super) struct Expected {
    issuer: String,
    /// The audiences of tokens that are valid at every endpoint.
    everywhere: Vec<String>,
    /// The URLs of all endpoints.
    endpoints: Vec<String>,
    /// The scopes that this server distinguishes.
    scopes: Vec<String>,
}

impl Expected {
    /// Expects tokens of this issuer for one of `audiences`, or for the endpoints by their URLs, of which the first covers the
    /// others.
    pub(super) fn new(issuer: &str, audiences: &[String], endpoints: Vec<String>) -> Self {
        let main = endpoints.first().cloned();
        Self {
            issuer: issuer.to_owned(),
            everywhere: audiences.iter().cloned().chain(main).collect(),
            endpoints,
            scopes: Vec::new(),
        }
    }

    /// Sets the scopes that this server recognizes.
    pub(super) fn with_expanded_scopes(mut self, scopes: Vec<String>) -> Self {
        self.scopes = scopes;
        self
    }

    /// Returns the grant of a token with these claims, whose signature is right.
    pub(super) fn grant(&self, claims: Object, now: SystemTime) -> Result<AuthInfo, TokenFault> {
        // One issuer, not a list that includes it (RFC 7519 §4.1.1).
        let issuer = claims.get("iss").and_then(Value::as_str);
        let issuer = issuer.ok_or(TokenFault::Claim("iss"))?;
        if issuer != self.issuer {
            return Err(TokenFault::Issuer(quoted(issuer)));
        }
        let expires = time(&claims, "exp")?.ok_or(TokenFault::Claim("exp"))?;
        if expires.checked_add(LEEWAY).is_some_and(|it| it <= now) {
            return Err(TokenFault::Expired);
        }
        let starts = time(&claims, "nbf")?;
        if starts.is_some_and(|it| it > now + LEEWAY) {
            return Err(TokenFault::NotYetValid);
        }
        let audiences = texts(claims.get("aud"));
        let is_everywhere = audiences.iter().any(|it| self.everywhere.contains(it));
        if !is_everywhere && !audiences.iter().any(|it| self.endpoints.contains(it)) {
            return Err(self.other_audience(&audiences));
        }
        let more = self.endpoints.iter().filter(|_| is_everywhere).cloned();
        let mut grant = AuthInfo::default();
        grant.audiences = audiences.into_iter().chain(more).collect();
        grant.scopes = self.scopes(&claims);
        // A client that acts for no user has itself as the subject, or only names itself.
        let subject = ["sub", "client_id"].into_iter();
        let mut subject = subject.filter_map(|it| claims.get(it)?.as_str());
        grant.subject = subject.next().map(str::to_owned);
        Ok(grant.with_claims(claims))
    }

    /// Returns the scopes in `scope` (RFC 8693) and `scp` (Entra ID, Okta), strings or lists.
    fn scopes(&self, claims: &Object) -> Vec<String> {
        let words = |name| {
            let texts = texts(claims.get(name)).into_iter();
            texts.flat_map(|it| it.split(' ').map(str::to_owned).collect::<Vec<_>>())
        };
        let short = words("scp").filter_map(|it| self.long_scope(&it));
        let all = words("scope").chain(words("scp")).chain(short);
        let all: BTreeSet<String> = all.filter(|it| AuthInfo::is_valid_scope(it)).collect();
        all.into_iter().collect()
    }

    /// Returns the scope that a short name stands for: clients of Entra ID request `api://ID/orders:read`, and the token has
    /// `orders:read`. A name that two scopes share stands for neither.
    fn long_scope(&self, short: &str) -> Option<String> {
        let is_long = |it: &&String| {
            it.contains("://") && it.rsplit_once('/').is_some_and(|(_, end)| end == short)
        };
        let mut long = self.scopes.iter().filter(is_long);
        let found = long.next();
        found.filter(|_| long.next().is_none()).cloned()
    }

    fn other_audience(&self, found: &[String]) -> TokenFault {
        let listed = |texts: &[String]| {
            let texts: Vec<_> = texts.iter().take(4).map(|it| quoted(it)).collect();
            texts.join(" or ")
        };
        match found {
            [] => TokenFault::Claim("aud"),
            found => TokenFault::Audience {
                found: listed(found),
                expected: listed(&self.everywhere),
            },
        }
    }
}

/// Returns a time in seconds since 1970 (RFC 7519 §2, NumericDate); `None` if the claim is absent.
fn time(claims: &Object, name: &'static str) -> Result<Option<SystemTime>, TokenFault> {
    let Some(value) = claims.get(name) else {
        return Ok(None);
    };
    let seconds = value.as_u64().or_else(|| {
        let seconds = value.as_f64().filter(|it| *it >= 0.0)?;
        Duration::try_from_secs_f64(seconds)
            .ok()
            .map(|it| it.as_secs())
    });
    let time = seconds.and_then(|it| SystemTime::UNIX_EPOCH.checked_add(Duration::from_secs(it)));
    time.map(Some).ok_or(TokenFault::Claim(name))
}

/// Returns the strings of a string or a list.
fn texts(value: Option<&Value>) -> Vec<String> {
    let texts = match value {
        Some(Value::Array(values)) => values.as_slice(),
        Some(value) => std::slice::from_ref(value),
        None => &[],
    };
    let texts = texts.iter().filter_map(Value::as_str);
    texts.map(str::to_owned).collect()
}

#[cfg(test)]
mod tests;
