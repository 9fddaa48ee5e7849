//! Acts of the script: each sends a transaction or a message, or changes the node.

use serde_json::{Value, json};

use crate::{
    Event,
    chain::{Row, pseudo_random, units},
    codec::base58_encode,
    state::State,
};

impl State {
    pub(super) fn act(&mut self, act: &Value) {
        let from = self.owner(act.text("from"));
        match act.text("act") {
            "pay" => {
                let to = self.owner(act.text("to"));
                let fields = json!({"recipient": to, "amount": act.text("amount")});
                self.send("PAYMENT", &from, &fields);
            }
            "sell" => {
                let name = act.text("name");
                let fields = json!({"name": name, "amount": act.text("amount")});
                self.send("SELL_NAME", &self.owner(name), &fields);
            }
            "unsell" => {
                let name = act.text("name");
                let sale = self.template("SELL_NAME");
                let sale = sale.without("amount").with("type", "CANCEL_SELL_NAME");
                self.send_like(&sale, &self.owner(name), &json!({"name": name}));
            }
            "ask" => {
                let group = act.number("group");
                if let Some(stranger) = self.stranger(group) {
                    self.send("JOIN_GROUP", &stranger, &json!({"groupId": group}));
                }
            }
            "publish" => self.publish_anew(act.text("service"), act.text("name")),
            "take" => self.take_offer(act),
            "complete" => self.complete_trade(),
            "offer" => self.make_offer(),
            "build" => self.set_data(act.text("service"), act.text("name"), "READY"),
            "peers" => {
                let count = u32::try_from(act.number("count")).unwrap_or_default();
                self.apply(&Event::Connections(count));
            }
            "direct" => {
                let to = self.owner(act.text("to"));
                self.whisper(&from, &to);
            }
            "say" | "reply" | "react" => self.speak(act, &from),
            _ => {}
        }
    }

    /// Sends a group message in the Hub's envelope: a text, a reply to the last text of the group, or a reaction to it.
    fn speak(&mut self, act: &Value, from: &str) {
        let group = u32::try_from(act.number("group")).unwrap_or_default();
        let mut messages = self.chain.chat.iter();
        let last = messages.rfind(|row| {
            row.number("txGroupId") == i64::from(group) && row.get("chatReference").is_none()
        });
        let last = last.map(|row| row.at("signature").clone());
        let special_id: String = self.fresh_text(8).chars().take(8).collect();
        if act.text("act") == "react" {
            let envelope = json!({
                "message": "",
                "specialId": special_id,
                "type": "reaction",
                "content": act.text("emoji"),
                "contentState": true,
            });
            return self.say(group, [from, ""], &envelope.to_string(), last);
        }
        let text = json!({"type": "text", "text": act.text("text")});
        let envelope = json!({
            "repliedTo": last.filter(|_| act.text("act") == "reply"),
            "type": "",
            "specialId": special_id,
            "images": [],
            "isEdited": false,
            "messageText": {"type": "doc", "content": [{"type": "paragraph", "content": [text]}]},
            "version": 3,
        });
        self.say(group, [from, ""], &envelope.to_string(), None);
    }

    /// Sends an encrypted message from one account to another.
    fn whisper(&mut self, from: &str, to: &str) {
        self.say(0, [from, to], "", None);
        let cipher = base58_encode(&pseudo_random(self.now(), self.fresh(), 180));
        if let Some(row) = self.chain.chat.own().last_mut() {
            *row = row.with("data", cipher).with("isEncrypted", true);
        }
    }

    /// Returns a named account without any relation to a group: it is not a member and has no request, invitation or ban.
    fn stranger(&self, group: i64) -> Option<String> {
        let is_of = |row: &Value| row.number("groupId") == group;
        let members = self.chain.group_members.iter().filter(|row| is_of(row));
        let members: Vec<&str> = members.map(|row| row.text("member")).collect();
        let events = |list: &str, who: &'static str| -> Vec<&str> {
            let rows = self.chain.group_events.rows(list).iter();
            rows.filter(|row| is_of(row))
                .map(|row| row.text(who))
                .collect()
        };
        let known = [
            members,
            events("joinRequests", "joiner"),
            // Invited accounts would become members immediately.
            events("invites", "invitee"),
            events("bans", "offender"),
        ]
        .concat();
        let mut owners = self.chain.names.iter().map(|row| row.text("owner"));
        let stranger = owners.rfind(|owner| !known.contains(owner));
        stranger.map(str::to_owned)
    }

    /// Sends a transaction with the fields of the latest one of its type, except for the given ones.
    pub(super) fn send(&mut self, of_type: &str, creator: &str, fields: &Value) {
        let template = self.template(of_type);
        self.send_like(&template, creator, fields);
    }

    fn template(&self, of_type: &str) -> Value {
        let mut rows = self.chain.transactions.iter();
        let row = rows.rfind(|row| row.text("type") == of_type && row.number("txGroupId") == 0);
        row.cloned().unwrap_or_default()
    }

    /// Sends a copy of a transaction with other fields, if its creator can pay for it.
    pub(super) fn send_like(&mut self, template: &Value, creator: &str, fields: &Value) {
        let mut row = template.without("blockHeight").extended(fields);
        let Some(account) = self.chain.account(creator) else {
            return;
        };
        let cost = match row.text("type") {
            "PAYMENT" | "DEPLOY_AT" => row.amount("amount"),
            _ => 0,
        };
        let cost = cost.saturating_add(units(row.text("fee")).unwrap_or_default());
        if self.chain.balance(creator, 0) < cost {
            return;
        }
        let key = account.text("publicKey").to_owned();
        let reference = self.last_transaction_of(creator, account.text("reference"));
        if let Some(fields) = row.as_object_mut() {
            for (name, value) in fields.iter_mut() {
                if name.ends_with("PublicKey") {
                    *value = key.clone().into();
                }
            }
        }
        let row = row
            .with("timestamp", self.now())
            .with("reference", reference)
            .with("signature", self.fresh_text(64))
            .with("creatorAddress", creator);
        self.chain.transactions.own().push(row);
    }

    /// Returns the signature of an account's last transaction, confirmed or not.
    fn last_transaction_of(&self, creator: &str, confirmed: &str) -> String {
        let mut waiting = self.chain.transactions.iter().rev();
        let mut waiting = { &mut waiting }.take_while(|row| row.get("blockHeight").is_none());
        let last = waiting.find(|row| row.text("creatorAddress") == creator);
        let last = last.map_or(confirmed, |row| row.text("signature"));
        last.to_owned()
    }

    /// Returns an unused number.
    fn fresh(&mut self) -> u64 {
        self.events = self.events.saturating_add(1);
        self.events
    }

    /// Returns an unused signature or key of a length in bytes.
    pub(super) fn fresh_text(&mut self, length: usize) -> String {
        let fresh = self.fresh().wrapping_mul(1_000).wrapping_add(900);
        base58_encode(&pseudo_random(self.now(), fresh, length))
    }
}
