//! What the endpoints answer from: a chain, a clock and the state of the node.

use std::time::Instant;

use serde_json::Value;

use crate::chain::{Chain, Row};
use crate::clock::Clock;
use crate::error::{ApiError, Refusal};
use crate::request::Request;
use crate::scenario::Scenario;

/// The key the simulated node accepts in `X-API-KEY`, where the Core demands one.
pub const API_KEY: &str = "9A9JHrtk2KEuYQsBd3VwbK";

/// A node without its network.
#[derive(Debug)]
pub(crate) struct World {
    pub(crate) chain: Chain,
    pub(crate) clock: Clock,
    pub(crate) scenario: Scenario,
    /// How many connections the node has, if that is not what the scenario says.
    pub(crate) connections: Option<u32>,
    /// How much has happened since the start.
    pub(crate) events: u64,
}

impl World {
    pub(crate) fn new(scenario: Scenario, now: Instant) -> Self {
        let chain = scenario.chain();
        let clock = Clock::new(scenario.start_time(&chain), now);
        Self {
            chain,
            clock,
            scenario,
            connections: None,
            events: 0,
        }
    }

    /// What `/admin/status` answers.
    pub(crate) fn status(&self) -> Value {
        let status = self.scenario.status(&self.chain);
        match self.connections {
            Some(connections) => status.with("numberOfConnections", connections),
            None => status,
        }
    }

    /// The node's time in ms since the epoch.
    pub(crate) fn now(&self) -> i64 {
        self.clock.millis(Instant::now())
    }

    /// Lets a request pass that carries the API key (`Security.checkApiCallAllowed`).
    pub(crate) fn require_key(&self, request: &Request) -> Result<(), Refusal> {
        let refuse = |message: &str| {
            Err(Refusal::Explained(
                ApiError::UNAUTHORIZED,
                message.to_owned(),
            ))
        };
        match request
            .header("x-api-key")
            .or_else(|| request.text("apiKey"))
        {
            None => refuse("Missing 'X-API-KEY' header"),
            Some(API_KEY) => Ok(()),
            Some(_) => refuse("API key invalid"),
        }
    }
}
