//! Addresses, prompts and completions over a node that is well: no input of a client is an internal error.

use mcp_protocol::{Request, RequestId, Revision};
use mcp_server::RequestContext;
use qortal_resources::{Prompt, Source};
use qortal_tests::Host;
use serde_json::{Value, json};
use test_chain::walk::rounds;

use super::{Dice, SEED};

const ROUNDS: usize = 3_000;
const INTERNAL_ERROR: i64 = -32603;

/// What leads elsewhere, is another type, or is nothing.
const PARTS: &[&str] = &[
    "a%2fb",
    "x%2f..",
    "%2e%2e%2fadmin%2fstop",
    "..",
    ".",
    "%2F",
    "%5c",
    "%00",
    "%zz",
    "%",
    "%25",
    "%0a",
    "a?b",
    "a#b",
    "a b",
    "\u{202e}",
    "é",
    "0",
    "-1",
    "1",
    "200",
    "468",
    "469",
    "99999999999999999999",
    "1e3",
    "null",
    "LITECOIN",
    "gold",
    "Bob",
    "rita-trades",
    "QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9v",
    "QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9e",
    "ATXYZ",
    "*",
    "",
    "//",
    ".csv",
    ".png",
    "REGISTER_NAME",
];

/// The address of a resource with values of any kind, and sometimes with a part more or in another place.
fn address(dice: &mut Dice, templates: &[&str]) -> String {
    let template = dice.of(templates);
    let mut address = (*template).to_owned();
    while let Some((before, rest)) = template_part(&address) {
        address = format!("{before}{}{rest}", dice.of(PARTS));
    }
    if dice.one_in(4) {
        let places: Vec<_> = address.char_indices().map(|(at, _)| at).collect();
        let at = places.get("qortal://".len()..).map_or(0, |it| *dice.of(it));
        let part: &str = dice.of::<&str>(PARTS);
        address.insert_str(at, part);
    }
    address
}

fn template_part(address: &str) -> Option<(String, String)> {
    let (before, rest) = address.split_once('{')?;
    let (_, after) = rest.split_once('}')?;
    Some((before.to_owned(), after.to_owned()))
}

fn params(dice: &mut Dice, templates: &[&str]) -> (&'static str, Value) {
    match dice.roll(8) {
        0 => {
            let prompts = Prompt::all();
            let prompt = dice.of(prompts);
            let arguments = prompt.arguments.iter();
            let arguments = arguments.map(|it| (it.name.to_owned(), json!(dice.of(PARTS))));
            let arguments: serde_json::Map<_, _> = arguments.collect();
            (
                "prompts/get",
                json!({"name": prompt.name, "arguments": arguments}),
            )
        }
        1 => {
            let reference = json!({"type": "ref/resource", "uri": dice.of(templates)});
            let names = ["name", "address", "height", "coin", "account", "blockchain"];
            let argument = json!({"name": dice.of(&names), "value": dice.of(PARTS)});
            (
                "completion/complete",
                json!({"ref": reference, "argument": argument}),
            )
        }
        _ => ("resources/read", json!({"uri": address(dice, templates)})),
    }
}

#[tokio::test]
async fn no_input_is_an_internal_error_while_the_node_is_well() {
    let host = Host::start().await;
    host.server.set_call_rates(None, None);
    let templates: Vec<_> = Source::all().map(|it| it.template).collect();
    let mut dice = Dice::new();
    let mut codes = std::collections::BTreeMap::<i64, usize>::new();
    for round in 0..rounds(ROUNDS) {
        let (method, params) = params(&mut dice, &templates);
        let shown = format!("seed {SEED:#x}, round {round}: {method} {params}");
        let request = Request {
            id: RequestId::Integer(1),
            method: method.to_owned(),
            params: params.as_object().cloned(),
        };
        let cx = RequestContext::default();
        let answer = host
            .server
            .handle(Revision::V2025_11_25, request, &cx)
            .await;
        let answer: Value = serde_json::from_slice(&answer.to_vec()).unwrap();
        let code = answer["error"]["code"].as_i64().unwrap_or_default();
        *codes.entry(code).or_default() += 1;
        assert_ne!(code, INTERNAL_ERROR, "{answer} for {shown}");
    }
    // The input reaches every layer, or this is worth little.
    for code in [
        0,
        -32602,
        Revision::V2025_11_25.features().resource_not_found,
    ] {
        assert!(codes.contains_key(&code), "no {code} in {codes:?}");
    }
    host.stop().await;
}
