//! QDN services: their names in paths and queries, and their numbers in transactions (`Service`).

use qortal_types::Service;

use crate::resource::{Refusal, Request};

/// Returns the service with this exact name.
pub(super) fn named(name: &str) -> Option<&'static Service> {
    Service::ALL.iter().find(|it| it.as_str() == name)
}

/// Returns the service in a query. Numbers are not accepted.
pub(super) fn service_in_query(request: &Request) -> Result<Option<&'static str>, Refusal> {
    let Some(name) = request.text("service") else {
        return Ok(None);
    };
    let service = named(name).ok_or(Refusal::BadParameter("service"))?;
    Ok(Some(service.as_str()))
}

/// Returns the number of a service.
pub(super) fn service_number(service: &str) -> Option<i64> {
    named(service)?.id().map(i64::from)
}
