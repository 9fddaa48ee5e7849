//! Tests that no request, however odd, crashes the node.

use bytes::Bytes;
use hyper::{
    header::{HeaderMap, HeaderValue},
    {Method, Uri},
};
use tokio::time::Instant;

use super::{Endpoint, answer};
use crate::{
    request::Request,
    resource,
    scenario::Scenario,
    state::{API_KEY, State},
};

/// Odd values of a path parameter.
const ODD_SEGMENTS: [&str; 10] = [
    "0",
    "-1",
    "2147483647",
    "-2147483648",
    "99999999999999999999",
    "..",
    "%F0%9F%98%80%FF",
    "QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9v",
    "1111111111111111111111111111111111",
    "LITECOIN",
];

/// Every query parameter of the endpoints, each with an odd value.
const ODD_QUERIES: [&str; 5] = [
    "limit=2147483647&offset=2147483647&reverse=true&count=2147483647&start=1&end=2147483647",
    "limit=-2147483648&offset=0&count=-1&end=1&startBlock=-2147483648&blockLimit=2147483647&confirmationStatus=CONFIRMED",
    "startBlock=2147483647&blockLimit=-2147483648&confirmationStatus=CONFIRMED&reverse=true&limit=1&amount=-9999999999999",
    "minimumTimestamp=9223372036854775807&after=9223372036854775807&before=-9223372036854775808&maxtrades=-5&txGroupId=0",
    "query=%25%25%25_&identifier=%00&filepath=..%2F..%2F..&encoding=base64&attachment=true&attachmentFilename=%22%0D%0A&name=%F0%9F%98%80",
];

fn targets(endpoint: &Endpoint) -> impl Iterator<Item = String> {
    let has_parameter = endpoint.path.contains('{');
    let segments = if has_parameter { ODD_SEGMENTS.len() } else { 1 };
    ODD_SEGMENTS.iter().take(segments).flat_map(move |segment| {
        let parts = endpoint.path.split('/').map(|part| {
            if part.starts_with('{') {
                *segment
            } else {
                part
            }
        });
        let path = parts.collect::<Vec<_>>().join("/");
        std::iter::once(path.clone()).chain(
            ODD_QUERIES
                .iter()
                .map(move |query| format!("{path}?{query}")),
        )
    })
}

#[test]
fn every_endpoint_survives_odd_requests() {
    let mut headers = HeaderMap::new();
    headers.insert("x-api-key", HeaderValue::from_static(API_KEY));
    headers.insert("content-type", HeaderValue::from_static("application/json"));
    headers.insert(
        "range",
        HeaderValue::from_static("bytes=18446744073709551615-0"),
    );
    let bodies = ["", "null", "[null, 1, {}]", "[\"\"]", "[{\"service\": 1}]"];
    for (scenario, every) in [
        (Scenario::recorded(), 1),
        (Scenario::empty(), 7),
        (Scenario::newer_core(), 7),
    ] {
        let state = State::new(scenario, Instant::now());
        for endpoint in resource::endpoints() {
            for (number, target) in targets(endpoint).enumerate().step_by(every) {
                let uri: Uri = target.parse().unwrap();
                let method: Method = endpoint.method.parse().unwrap();
                let body = Bytes::from_static(bodies[number % bodies.len()].as_bytes());
                let request = Request::new(method, &uri, headers.clone(), body).unwrap();
                let routed = answer(&state, request);
                assert!((200..600).contains(&routed.answer.status), "{target}");
            }
        }
    }
}

#[test]
fn literal_segments_win_over_parameters() {
    let state = State::new(Scenario::recorded(), Instant::now());
    for (target, status) in [
        ("/names/search?query=zzz", 200),
        ("/names/searches", 404),
        ("/addresses/online", 200),
        ("/groups/balances", 200),
    ] {
        let request = Request::new(
            Method::GET,
            &target.parse().unwrap(),
            HeaderMap::new(),
            Bytes::new(),
        )
        .unwrap();
        assert_eq!(answer(&state, request).answer.status, status, "{target}");
    }
}
