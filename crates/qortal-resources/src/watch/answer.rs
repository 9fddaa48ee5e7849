//! Subjects with a single tool result, which is compared with the previous one.

use qortal_tools::ToolError;
use serde_json::Value;

use super::{
    change::{Change, flag, number, text},
    reader::Reader,
};

/// The tool, the descriptions and the changes of a subject.
#[derive(Debug, Clone, Copy)]
pub(super) struct Telling {
    tool: &'static str,
    /// Returns a short description of the current state.
    pub(super) state: fn(&Value) -> String,
    changes: fn(&Value, &Value) -> Vec<Change>,
}

/// The latest result, null while the chain does not have the subject.
#[derive(Debug)]
pub(super) struct Answer {
    telling: Telling,
    arguments: Value,
    last: Value,
}

impl Answer {
    pub(super) async fn begin(
        reader: Reader<'_>,
        telling: Telling,
        arguments: Value,
    ) -> Result<Self, ToolError> {
        let last = reader.known(telling.tool, arguments.clone()).await?;
        Ok(Self {
            telling,
            arguments,
            last,
        })
    }

    pub(super) fn state(&self) -> String {
        (self.telling.state)(&self.last)
    }

    pub(super) async fn look(&mut self, reader: Reader<'_>) -> Result<Vec<Change>, ToolError> {
        let now = reader.known(self.telling.tool, self.arguments.clone());
        let now = now.await?;
        let changes = (self.telling.changes)(&self.last, &now);
        self.last = now;
        Ok(changes)
    }
}

/// A trade: its steps, and the availability of a seller who waits for a buyer.
pub(super) const TRADE: Telling = Telling {
    tool: "explain_trade",
    state: |now| text(now, "summary").to_owned(),
    changes: |before, now| {
        let said = |what, next: &str| {
            let text = format!("{} {next}", text(now, "summary"));
            vec![Change::new(what, text, now)]
        };
        if now.is_null() {
            let text = "The trade is no longer on the chain, after a reorganization.";
            return match before.is_null() {
                true => Vec::new(),
                false => vec![Change::new("trade_changed", text, before)],
            };
        }
        let mode = text(now, "mode");
        if text(before, "mode") != mode {
            let what = match mode {
                "TRADING" => "taken",
                "REDEEMED" => "completed",
                "REFUNDED" => "refunded",
                "CANCELLED" => "canceled",
                _ => "trade_changed",
            };
            return said(what, text(now, "nextStep"));
        }
        let is_online = |it: &Value| flag(it, "sellerOnline");
        match (mode, is_online(before), is_online(now)) {
            ("OFFERING", false, true) => said("seller_online", text(now, "nextStep")),
            ("OFFERING", true, false) => said("seller_offline", text(now, "nextStep")),
            _ => Vec::new(),
        }
    },
};

/// A name: its registration, its owner, its sale and its data.
pub(super) const NAME: Telling = Telling {
    tool: "get_name_info",
    state: |now| match now {
        Value::Null => "not registered".to_owned(),
        now => format!("owned by {}, {}", text(now, "owner"), offered(now)),
    },
    changes: |before, now| {
        if before.is_null() && now.is_null() {
            return Vec::new();
        }
        let owner = text(now, "owner");
        if before.is_null() {
            let text = format!("The name is registered, by {owner}.");
            return vec![Change::new("registered", text, now)];
        }
        if now.is_null() {
            let text = "The name is no longer registered: its owner has changed it.";
            return vec![Change::new("renamed", text, before)];
        }
        let mut changes = Vec::new();
        let mut tell = |what, text: String| changes.push(Change::new(what, text, now));
        if text(before, "owner") != owner {
            let from = text(before, "owner");
            tell(
                "owner_changed",
                format!("{owner} owns the name now, {from} did before."),
            );
        } else if offered(before) != offered(now) {
            let is_offered = flag(now, "isForSale");
            let what = if is_offered {
                "for_sale"
            } else {
                "not_for_sale"
            };
            tell(what, format!("The name is {} now.", offered(now)));
        }
        if before.get("data") != now.get("data") {
            let text = format!(
                "Its owner changed the data of the name: {}",
                text(now, "data")
            );
            tell("data_changed", text);
        }
        changes
    },
};

fn offered(name: &Value) -> String {
    match (flag(name, "isForSale"), text(name, "salePrice")) {
        (false, _) => "not for sale".to_owned(),
        (true, price) => format!("for sale for {price} QORT"),
    }
}

/// The data of a QDN resource on this node.
pub(super) const QDN_STATUS: Telling = Telling {
    tool: "get_qdn_resource_status",
    state: |now| match now {
        Value::Null => "not published".to_owned(),
        now => text(now, "status").to_owned(),
    },
    changes: |before, now| {
        let [was, status] = [before, now].map(|it| text(it, "status"));
        let text = match (status, number(now, "totalChunkCount")) {
            _ if was == status => return Vec::new(),
            ("", _) => "Nothing is published there any longer.".to_owned(),
            (_, 0) => format!("Its status is {status}: {}", text(now, "meaning")),
            (_, pieces) => {
                let here = number(now, "localChunkCount");
                let meaning = text(now, "meaning");
                format!("Its status is {status}, {here} of {pieces} pieces: {meaning}")
            }
        };
        let what = if status == "READY" { "ready" } else { "status" };
        vec![Change::new(what, text, now)]
    },
};

/// The node: its health, and each reason for it as it appears.
pub(super) const NODE: Telling = Telling {
    tool: "get_node_health",
    state: |now| {
        let verdict = text(now, "verdict");
        let height = number(now, "height");
        let state = format!("{verdict}, height {height}. {}", reasons(now).join(" "));
        state.trim_end().to_owned()
    },
    changes: |before, now| {
        let verdict = text(now, "verdict");
        let kinds = |it: &Value| -> Vec<String> {
            let reasons = reasons(it).into_iter();
            // Numbers in reasons change with each block, so only the letters are compared.
            reasons
                .map(|it| it.chars().filter(|it| it.is_alphabetic()).collect())
                .collect()
        };
        if text(before, "verdict") == verdict && kinds(before) == kinds(now) {
            return Vec::new();
        }
        let what = match verdict {
            "healthy" => "healthy",
            "synchronizing" => "synchronizing",
            "degraded" => "degraded",
            _ => "unhealthy",
        };
        let text = format!("The node is {verdict}. {}", reasons(now).join(" "));
        vec![Change::new(what, text.trim_end(), now)]
    },
};

fn reasons(health: &Value) -> Vec<&str> {
    let reasons = health.get("reasons").and_then(Value::as_array);
    reasons
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect()
}
