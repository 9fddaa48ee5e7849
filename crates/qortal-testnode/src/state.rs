//! State of a node, from which its endpoints respond: a chain, a clock, and the node's own data.

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

/// The API key that the simulated node accepts in `X-API-KEY`, where the Core requires one.
pub const API_KEY: &str = "9A9JHrtk2KEuYQsBd3VwbK";

/// State of a node.
#[derive(Debug)]
pub(crate) struct State {
    pub(crate) chain: Chain,
    pub(crate) clock: Clock,
    pub(crate) scenario: Scenario,
    pub(crate) builds: Builds,
    /// Number of connections, if it differs from the scenario's.
    pub(crate) connections: Option<u32>,
    /// Number of events since the start.
    pub(crate) events: u64,
    /// Announcements for the websockets.
    pub(crate) announcements: Announcements,
    /// The status after the last change that the node noticed.
    pub(crate) noticed_status: Value,
    /// The last mode of each trade that the websocket for offers has sent. Set by the first event.
    pub(crate) told_modes: Option<HashMap<String, String>>,
    /// Online trade bots, as reported by their websocket.
    pub(crate) presences: Part<Vec<Value>>,
    /// State of the demo's script.
    pub(crate) life: Life,
}

impl State {
    pub(crate) fn new(scenario: Scenario, now: Instant) -> Self {
        let mut chain = scenario.chain();
        // The network's time determines whether accounts are online (`OnlineAccountsManager`).
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

    /// Returns the response of `/admin/status`.
    pub(crate) fn status(&self) -> Value {
        let status = self.scenario.status(&self.chain);
        match self.connections {
            Some(connections) => status.with("numberOfConnections", connections),
            None => status,
        }
    }

    /// Returns the numbers of inbound and outbound peers: all of them at the start, fewer after the node has lost some.
    pub(crate) fn peers(&self) -> (u32, u32) {
        let (inbound, outbound) = self.scenario.network.peers;
        let connections = self.connections.unwrap_or(u32::MAX);
        let outbound = outbound.min(connections);
        (inbound.min(connections - outbound), outbound)
    }

    /// Returns the network's time in ms since the epoch, even if the node does not know it.
    pub(crate) fn now(&self) -> i64 {
        self.clock.millis(Instant::now())
    }

    /// Returns the network's time if the node knows it (`NTP.getTime`).
    pub(crate) fn network_time(&self) -> Option<i64> {
        match self.scenario.machine_clock {
            MachineClock::Ahead(_) => Some(self.now()),
            MachineClock::Unchecked => None,
        }
    }

    /// Returns the Core's error if the node needs the network's time and does not know it.
    pub(crate) fn require_network_time(&self) -> Result<(), Refusal> {
        self.network_time().map(drop).ok_or(Refusal::CRASH)
    }

    /// Returns the machine's time in ms since the epoch.
    pub(crate) fn machine_time(&self) -> i64 {
        self.now()
            .saturating_add(self.scenario.machine_clock.ahead())
    }

    /// Returns the node's uptime by the clock of its machine, in ms.
    pub(crate) fn uptime(&self) -> i64 {
        let uptime = self.clock.uptime(Instant::now()).as_millis();
        let uptime = i64::try_from(uptime).unwrap_or(i64::MAX);
        let before = self.scenario.network.running_for;
        uptime.saturating_add(before + self.scenario.machine_clock.ahead())
    }

    /// Rejects a request without the API key (`Security.checkApiCallAllowed`).
    pub(crate) fn require_key(&self, request: &Request) -> Result<(), Refusal> {
        let key = request.header("x-api-key");
        match key.or_else(|| request.text("apiKey")) {
            None => Err(ApiError::UNAUTHORIZED.saying("Missing 'X-API-KEY' header")),
            Some(API_KEY) => Ok(()),
            Some(_) => Err(ApiError::UNAUTHORIZED.saying("API key invalid")),
        }
    }
}
