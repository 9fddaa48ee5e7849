//! Effects of transactions when they are confirmed.

use serde_json::{Value, json};

use crate::{
    announcement::Announcement,
    builds::Build,
    chain::{Row, units},
    state::State,
};

impl State {
    /// Confirms all unconfirmed transactions in the block at a height.
    pub(super) fn settle_waiting(&mut self, height: i64) {
        let time = self.chain.tip().map_or(0, |block| block.timestamp());
        let mut settled = Vec::new();
        let waits = |row: &&mut Value| row.get("blockHeight").is_none();
        for row in self.chain.transactions.own().iter_mut().filter(waits) {
            *row = in_block(row, height);
            settled.push(row.clone());
        }
        for row in &settled {
            self.chain.hold(height, row);
            self.settle(row, height, time);
        }
    }

    fn settle(&mut self, row: &Value, height: i64, time: i64) {
        let creator = row.text("creatorAddress");
        let signature = row.text("signature");
        let accounts = self.chain.accounts.own();
        if let Some(account) = accounts.iter_mut().find(|it| it.text("address") == creator) {
            *account = account.with("reference", signature);
        }
        self.credit(creator, -units(row.text("fee")).unwrap_or_default());
        match row.text("type") {
            "PAYMENT" => {
                let (to, amount) = (row.text("recipient").to_owned(), row.amount("amount"));
                self.credit(creator, -amount);
                self.credit(&to, amount);
                self.announce_payment_of(creator, row);
            }
            "DEPLOY_AT" => {
                self.credit(creator, -row.amount("amount"));
                self.deploy_offer(row);
            }
            "MESSAGE" => self.message_to_contract(row.text("recipient"), height, time),
            "SELL_NAME" => self.set_sale(row.text("name"), Some(row.text("amount"))),
            "CANCEL_SELL_NAME" => self.set_sale(row.text("name"), None),
            "REGISTER_NAME" => self.register(row),
            "JOIN_GROUP" => {
                let group = u32::try_from(row.number("groupId")).unwrap_or_default();
                self.enter(creator, group);
            }
            "ARBITRARY" => self.publish_row(row),
            _ => {}
        }
    }

    /// Puts a name up for sale, or ends its sale if `price` is `None`.
    pub(crate) fn set_sale(&mut self, name: &str, price: Option<&str>) {
        let is_meant = |row: &&mut Value| row.text("name") == name;
        if let Some(row) = self.chain.names.own().iter_mut().find(is_meant) {
            let sale = row
                .without("salePrice")
                .with("isForSale", price.is_some())
                .with_some("salePrice", price);
            *row = sale;
        }
    }

    fn register(&mut self, row: &Value) {
        let (name, owner) = (row.text("name"), row.text("creatorAddress"));
        self.chain.names.own().push(json!({
            "name": name,
            "reducedName": name.to_lowercase(),
            "owner": owner,
            "data": row.text("data"),
            "registered": row.number("timestamp"),
            "isForSale": false,
        }));
        let primary_names = self.chain.primary_names.own();
        if primary_names.get(owner).is_none() {
            *primary_names = primary_names.with(owner, name);
        }
    }

    /// Sends a publication that replaces a resource without an identifier.
    pub(super) fn publish_anew(&mut self, service: &str, name: &str) {
        let mut resources = self.chain.qdn_resources.iter();
        let resource = resources.find(|row| is_resource(row, service, name));
        let Some(signature) = resource.map(|row| row.text("latestSignature").to_owned()) else {
            return;
        };
        let mut rows = self.chain.transactions.iter();
        let before = rows.find(|row| row.text("signature") == signature).cloned();
        if let Some(before) = before {
            let fields = json!({"secret": self.fresh_text(32), "data": self.fresh_text(32)});
            self.send_like(&before, before.text("creatorAddress"), &fields);
        }
    }

    /// Lists the resource of a publication as newly published. The node does not have any of its data yet.
    fn publish_row(&mut self, row: &Value) {
        let (name, signature) = (row.text("name"), row.text("signature"));
        let mut resources = self.chain.qdn_resources.own().iter_mut();
        let before = row.number("service");
        let resource = resources.find(|it| {
            it.text("name") == name
                && it.text("identifier") == row.text("identifier")
                && qortal_types::Service::from_id(u32::try_from(before).unwrap_or_default())
                    .is_some_and(|service| service.as_str() == it.text("service"))
        });
        let Some(resource) = resource else {
            return;
        };
        *resource = resource
            .with("latestSignature", signature)
            .with("updated", row.number("timestamp"));
        let service = resource.text("service").to_owned();
        let publication = resource
            .pick("service name")
            .with("created", row.number("timestamp"))
            .with("signature", signature)
            .with("timestamp", self.machine_time());
        self.announcements
            .add(Announcement::Publication(publication));
        self.set_data(&service, name, "PUBLISHED");
    }

    /// Sets the state of a resource's data on the node: `PUBLISHED` for none, `READY` for all.
    pub(super) fn set_data(&mut self, service: &str, name: &str, status: &str) {
        let is_ready = status == "READY";
        let (title, description) = match status {
            "READY" => ("Ready", "Ready"),
            _ => ("Published", "Published but not yet downloaded"),
        };
        let status =
            json!({"status": status, "id": status, "title": title, "description": description});
        for row in self.chain.qdn_resources.own().iter_mut() {
            if is_resource(row, service, name) {
                *row = row.with("status", status.clone());
            }
        }
        for row in self.chain.qdn_content.own().iter_mut() {
            if is_resource(row, service, name) {
                let total = row.at("status").number("totalChunkCount");
                let status = status
                    .with("localChunkCount", if is_ready { total } else { 0 })
                    .with("totalChunkCount", total)
                    .with("percentLoaded", if is_ready { 100.0 } else { 0.0 });
                *row = row.with("status", status);
            }
        }
        let key = [service.to_owned(), name.to_owned(), String::new()];
        if is_ready {
            self.builds.set(key, Build::Ready);
        } else {
            self.builds.forget(&key);
        }
    }

    /// Announces a payment to the subscribers of its recipient's payments.
    pub(super) fn announce_payment_of(&mut self, sender: &str, row: &Value) {
        let payment = json!({
            "amount": row.text("amount"),
            "sender": sender,
            "signature": row.text("signature"),
            "created": row.number("timestamp").to_string(),
            "recipient": row.text("recipient"),
            "timestamp": self.machine_time(),
        });
        self.announcements.add(Announcement::Payment(payment));
    }
}

fn is_resource(row: &Value, service: &str, name: &str) -> bool {
    row.text("service") == service && row.text("name") == name && row.get("identifier").is_none()
}

/// Returns a transaction with its height, in the position where the Core writes it.
fn in_block(row: &Value, height: i64) -> Value {
    let mut confirmed = json!({});
    for (name, value) in row.as_object().into_iter().flatten() {
        confirmed = confirmed.with(name, value.clone());
        if name == "txGroupId" {
            confirmed = confirmed.with("blockHeight", height);
        }
    }
    confirmed
}
