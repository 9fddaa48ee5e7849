//! What the endpoints answer from: a chain, a clock and the state of the node.

use std::time::Instant;

use crate::chain::Chain;
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
}

impl World {
    pub(crate) fn new(scenario: Scenario, now: Instant) -> Self {
        let chain = scenario.chain();
        let clock = Clock::new(scenario.start_time(&chain), now);
        Self {
            chain,
            clock,
            scenario,
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
