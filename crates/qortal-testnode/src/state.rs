//! The state of a node, from which its endpoints answer: a chain, a clock, and what the node knows.

use std::collections::HashMap;

use serde_json::Value;
use tokio::time::Instant;

use crate::{
    Scenario,
    announcement::Announcements,
    builds::Builds,
    chain::{Chain, Part, Row},
    clock::{Clock, MachineClock},
    error::{ApiError, Refusal},
    life::Life,
    request::Request,
};

/// The key the simulated node accepts in `X-API-KEY`, where the Core demands one.
pub const API_KEY: &str = "9A9JHrtk2KEuYQsBd3VwbK";

/// State of a node.
#[derive(Debug)]
pub(crate) struct State {
    pub(crate) chain: Chain,
    pub(crate) clock: Clock,
    pub(crate) scenario: Scenario,
    pub(crate) builds: Builds,
    /// How many connections the node has, if that is not what the scenario says.
    pub(crate) connections: Option<u32>,
    /// How much has happened since the start.
    pub(crate) events: u64,
    /// What the websockets tell.
    pub(crate) announcements: Announcements,
    /// The status as of the last change that the node noticed.
    pub(crate) noticed_status: Value,
    /// The mode of each trade that the websocket for offers has told; known from the first event on.
    pub(crate) told_modes: Option<HashMap<String, String>>,
    /// Which trade bots are online, as their websocket tells it.
    pub(crate) presences: Part<Vec<Value>>,
    /// What goes on in the demo.
    pub(crate) life: Life,
}

impl State {
    pub(crate) fn new(scenario: Scenario, now: Instant) -> Self {
        let mut chain = scenario.chain();
        // Whether accounts are online is judged by the network's time (`OnlineAccountsManager`).
        if scenario.machine_clock == MachineClock::Unchecked {
            chain.online_accounts.own().clear();
        }
        let clock = Clock::new(scenario.start_time(&chain), now);
        let clock = if scenario.is_frozen() {
            clock.frozen()
        } else {
            clock
        };
        let presences = chain.presences.clone();
        let mut state = Self {
            chain,
            clock,
            scenario,
            builds: Builds::default(),
            connections: None,
            events: 0,
            announcements: Announcements::default(),
            noticed_status: Value::Null,
            told_modes: None,
            presences,
            life: Life::default(),
        };
        state.noticed_status = state.status();
        state
    }

    /// What `/admin/status` answers.
    pub(crate) fn status(&self) -> Value {
        let status = self.scenario.status(&self.chain);
        match self.connections {
            Some(connections) => status.with("numberOfConnections", connections),
            None => status,
        }
    }

    /// Returns the numbers of inbound and outbound peers: all at the start, fewer while the node has lost some.
    pub(crate) fn peers(&self) -> (u32, u32) {
        let (inbound, outbound) = self.scenario.network.peers;
        let connections = self.connections.unwrap_or(u32::MAX);
        let outbound = outbound.min(connections);
        (inbound.min(connections - outbound), outbound)
    }

    /// The network's time in ms since the epoch, whether the node knows it or not.
    pub(crate) fn now(&self) -> i64 {
        self.clock.millis(Instant::now())
    }

    /// The network's time as far as the node knows it (`NTP.getTime`).
    pub(crate) fn network_time(&self) -> Option<i64> {
        match self.scenario.machine_clock {
            MachineClock::Ahead(_) => Some(self.now()),
            MachineClock::Unchecked => None,
        }
    }

    /// Fails as the Core does where it needs the network's time and does not know it.
    pub(crate) fn require_network_time(&self) -> Result<(), Refusal> {
        self.network_time().map(drop).ok_or(Refusal::CRASH)
    }

    /// The clock of the node's machine in ms since the epoch.
    pub(crate) fn machine_time(&self) -> i64 {
        self.now()
            .saturating_add(self.scenario.machine_clock.ahead())
    }

    /// How long the node has been running by the clock of its machine, in ms.
    pub(crate) fn uptime(&self) -> i64 {
        let uptime = self.clock.uptime(Instant::now()).as_millis();
        let uptime = i64::try_from(uptime).unwrap_or(i64::MAX);
        let before = self.scenario.network.running_for;
        uptime.saturating_add(before + self.scenario.machine_clock.ahead())
    }

    /// Lets a request pass that carries the API key (`Security.checkApiCallAllowed`).
    pub(crate) fn require_key(&self, request: &Request) -> Result<(), Refusal> {
        let key = request.header("x-api-key");
        match key.or_else(|| request.text("apiKey")) {
            None => Err(ApiError::UNAUTHORIZED.saying("Missing 'X-API-KEY' header")),
            Some(API_KEY) => Ok(()),
            Some(_) => Err(ApiError::UNAUTHORIZED.saying("API key invalid")),
        }
    }
}
