//! Events of a running node, which tests apply to its state.

mod chain;

use serde_json::{Value, json};
use tokio::time::Instant;

use crate::{
    announcement::Announcement,
    chain::{Row, amount_text, pseudo_random},
    codec::base58_encode,
    event::chain::has_all,
    socket::offers,
    state::State,
};

/// An event of the chain or of the node. It affects every later response.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Event {
    /// A block from a peer, without transactions, follows the last one.
    Block,
    /// A block minted by the node itself, without transactions, follows the last one. The websocket for trade offers omits it.
    OwnBlock,
    /// Another block replaces the last one, as after a reorganization.
    OtherBlock,
    /// The last block is removed without a replacement, as in the middle of a reorganization. Its transactions become unconfirmed again.
    Orphaned,
    /// The number of the node's connections changes. The node notices it as with [`StatusCheck`](Self::StatusCheck).
    Connections(u32),
    /// The node checks its status. Only then does its websocket report a change.
    StatusCheck,
    /// The network's time advances by this many milliseconds.
    Later(u32),
    /// An account receives an amount in a new block. Its balance and the websockets reflect the payment, lists of transactions do not.
    Payment {
        /// Address of the account.
        to: String,
        /// Amount in units of 10⁻⁸ QORT.
        units: i64,
    },
    /// An account receives several payments in one new block. Lists of transactions contain them.
    Payments {
        /// Address of the account.
        to: String,
        /// Amount of each payment in units of 10⁻⁸ QORT.
        units: i64,
        /// Number of payments.
        count: u32,
    },
    /// A new block confirms all unconfirmed transactions.
    Confirmed,
    /// An account sends a message to a group.
    GroupMessage {
        /// Address of the sender.
        from: String,
        /// ID of the group.
        group: u32,
        /// Text of the message.
        text: String,
    },
    /// An account sends a message to a group that refers to its last message: an edit or a reaction.
    GroupReaction {
        /// Address of the sender.
        from: String,
        /// ID of the group.
        group: u32,
        /// Text of the message.
        text: String,
    },
    /// The node learns that an account has left a group.
    GroupLeft {
        /// Address of the account.
        address: String,
        /// ID of the group.
        group: u32,
    },
    /// An account joins an open group or requests to join a closed one, in a new block.
    Joined {
        /// Address of the account.
        address: String,
        /// ID of the group.
        group: u32,
    },
    /// A name is put up for sale, in a new block.
    NameOffered {
        /// The registered name.
        name: String,
        /// Price in units of 10⁻⁸ QORT.
        units: i64,
    },
    /// An account sends a message to another account.
    DirectMessage {
        /// Address of the sender.
        from: String,
        /// Address of the recipient.
        to: String,
        /// Text of the message.
        text: String,
    },
    /// An offer is canceled in a new block.
    OfferCancelled {
        /// Address of the offer's automated transaction.
        at_address: String,
    },
    /// The next block has a new offer that resembles another one.
    OfferMade {
        /// Address of the other offer's automated transaction.
        like: String,
        /// Address of the new offer's automated transaction.
        at_address: String,
    },
    /// A trade changes its mode with the next block.
    TradeMoved {
        /// Address of the trade's automated transaction.
        at_address: String,
        /// The new mode, such as `TRADING` or `REDEEMED`.
        mode: String,
    },
    /// The node receives the presence of a seller's trade bot.
    SellerOnline {
        /// Address of the offer's automated transaction.
        at_address: String,
        /// Expiry of the presence, in ms since the epoch.
        until: i64,
    },
    /// A QDN resource is published. The node does not have any of its data yet.
    Published {
        /// The service, such as `IMAGE`.
        service: String,
        /// The registered name.
        name: String,
        /// The identifier of the resource.
        identifier: String,
    },
    /// A row is added at the end of a table. Other tables do not reflect it.
    RowAdded {
        /// Name of the file in `data/`, or of a list in it, such as `group_events.bans`.
        table: &'static str,
        /// Fields that select a row. The new row is a copy of the first match.
        like: Value,
        /// Fields that differ in the new row.
        but: Value,
    },
    /// All rows of a table with these fields are removed.
    RowsRemoved {
        /// Name of the table, as for [`RowAdded`](Self::RowAdded).
        table: &'static str,
        /// Fields that select the rows.
        like: Value,
    },
}

/// The paying account of [`Event::Payment`], and the buyer of [`Event::TradeMoved`].
const PAYER: &str = "QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9v";

/// Time between two blocks, in ms.
const BLOCK_TIME: i64 = 60_000;

impl State {
    pub(crate) fn apply(&mut self, event: &Event) {
        self.events = self.events.saturating_add(1);
        let chain = &self.chain;
        self.told_modes.get_or_insert_with(|| offers::open(chain));
        let nonce = self.events;
        let now = self.now();
        match event {
            Event::Block => self.block_from_peer(nonce),
            Event::OwnBlock => self.block(nonce),
            Event::OtherBlock => {
                self.chain.drop_tip();
                self.block_from_peer(nonce);
            }
            Event::Orphaned => self.chain.orphan(),
            Event::Connections(connections) => {
                self.connections = Some(*connections);
                self.notice_status();
            }
            Event::StatusCheck => self.notice_status(),
            Event::Later(millis) => self.clock.advance((*millis).into()),
            Event::Confirmed => {
                self.block_from_peer(nonce);
                let height = self.chain.height();
                let waiting = |row: &&mut Value| row.number("blockHeight") == 0;
                for row in self.chain.transactions.own().iter_mut().filter(waiting) {
                    *row = row.with("blockHeight", height);
                }
            }
            Event::Payment { to, units } => {
                self.chain.pay(to, *units);
                self.block_from_peer(nonce);
                self.announce_payment(to, *units, &base58_encode(&pseudo_random(now, nonce, 64)));
            }
            Event::Payments { to, units, count } => {
                self.chain.pay(to, units.saturating_mul((*count).into()));
                let row =
                    json!({"type": "PAYMENT", "recipient": to, "amount": amount_text(*units)});
                let rows: Vec<Value> = (0..*count).map(|_| row.clone()).collect();
                for signature in self.mined(nonce, PAYER, &rows) {
                    self.announce_payment(to, *units, &signature);
                }
            }
            Event::Joined { address, group } => self.join(nonce, address, *group),
            Event::NameOffered { name, units } => {
                let price = amount_text(*units);
                self.set_sale(name, Some(&price));
                let owner = self.owner(name);
                let transaction = json!({"type": "SELL_NAME", "name": name, "amount": price});
                self.mined(nonce, &owner, &[transaction]);
            }
            Event::GroupMessage { from, group, text } => {
                self.say(*group, [from, ""], text, None);
            }
            Event::GroupReaction { from, group, text } => {
                let last = self.chain.last_signature(*group);
                self.say(*group, [from, ""], text, last);
            }
            Event::GroupLeft { address, group } => {
                let has_left = |row: &Value| {
                    row.text("member") == address && row.number("groupId") == i64::from(*group)
                };
                self.chain.group_members.own().retain(|row| !has_left(row));
            }
            Event::DirectMessage { from, to, text } => {
                self.say(0, [from, to], text, None);
            }
            Event::OfferCancelled { at_address } => {
                self.chain.move_trade(at_address, "CANCELLED");
                self.block_from_peer(nonce);
            }
            Event::OfferMade { like, at_address } => self.chain.offer(like, at_address, now),
            Event::TradeMoved { at_address, mode } => self.chain.move_trade(at_address, mode),
            Event::SellerOnline { at_address, until } => {
                self.seller_online(nonce, at_address, *until);
            }
            Event::Published {
                service,
                name,
                identifier,
            } => self.publish(nonce, service, name, identifier),
            Event::RowAdded { table, like, but } => self.chain.add_row(table, like, but),
            Event::RowsRemoved { table, like } => {
                if let Some(rows) = self.chain.rows_of(table) {
                    rows.retain(|row| !has_all(row, like));
                }
            }
        }
    }

    fn block(&mut self, nonce: u64) {
        self.chain.grow(nonce);
        if let Some(block) = self.chain.tip() {
            self.announcements.add(Announcement::Block(block.summary()));
        }
    }

    /// Adds a block from a peer, whose transactions follow.
    pub(crate) fn next_block(&mut self) {
        self.events = self.events.saturating_add(1);
        let chain = &self.chain;
        self.told_modes.get_or_insert_with(|| offers::open(chain));
        self.block(self.events);
    }

    fn block_from_peer(&mut self, nonce: u64) {
        self.block(nonce);
        self.tell_offers();
    }

    pub(crate) fn say(
        &mut self,
        group: u32,
        from_to: [&str; 2],
        text: &str,
        refers_to: Option<Value>,
    ) {
        let (nonce, now) = (self.events, self.now());
        self.chain.say(nonce, now, group, from_to, text, refers_to);
        self.announcements.add(Announcement::Message);
    }

    fn announce_payment(&mut self, to: &str, units: i64, signature: &str) {
        self.announcements.add(Announcement::Payment(json!({
            "amount": amount_text(units),
            "sender": PAYER,
            "signature": signature,
            "created": self.now().to_string(),
            "recipient": to,
            "timestamp": self.machine_time(),
        })));
    }

    fn join(&mut self, nonce: u64, address: &str, group: u32) {
        if self.enter(address, group) {
            let transaction = json!({"type": "JOIN_GROUP", "groupId": group});
            self.mined(nonce, address, &[transaction]);
        } else {
            self.block_from_peer(nonce);
        }
    }

    /// Makes an account a member of an open group, or lists its request to join a closed one. Returns `false` if the account is a member or
    /// has a request already.
    pub(crate) fn enter(&mut self, address: &str, group: u32) -> bool {
        let is_of = |row: &Value, member: &str| {
            row.number("groupId") == i64::from(group) && row.text(member) == address
        };
        let members = self.chain.group_members.own();
        let events = self.chain.group_events.own();
        let mut requests = events.rows("joinRequests").to_vec();
        let mut groups = self.chain.groups.own().iter_mut();
        let row = groups.find(|row| row.number("groupId") == i64::from(group));
        let is_in = members.iter().any(|row| is_of(row, "member"))
            || requests.iter().any(|row| is_of(row, "joiner"));
        let Some(row) = row.filter(|_| !is_in) else {
            return false;
        };
        if row.flag("isOpen") {
            *row = row.with("memberCount", row.number("memberCount") + 1);
            members.push(json!({"groupId": group, "member": address, "joined": self.clock.millis(Instant::now())}));
        } else {
            requests.push(json!({"groupId": group, "joiner": address}));
            *events = events.with("joinRequests", requests);
        }
        true
    }

    /// Adds a block with transactions of one account. Returns their signatures.
    fn mined(&mut self, nonce: u64, creator: &str, rows: &[Value]) -> Vec<String> {
        let now = self.now();
        self.block(nonce);
        let height = self.chain.height();
        let mut signatures = Vec::new();
        for (row, place) in rows.iter().zip(0_u64..) {
            let drawn = |sequence: u64| {
                let sequence = nonce.wrapping_mul(1_000).wrapping_add(sequence);
                base58_encode(&pseudo_random(now, sequence, 64))
            };
            let signature = drawn(place);
            let row = row
                .with("timestamp", now)
                .with("reference", drawn(place.wrapping_add(500)))
                .with("fee", "0.01000000")
                .with("signature", signature.clone())
                .with("txGroupId", 0)
                .with("blockHeight", height)
                .with("approvalStatus", "NOT_REQUIRED")
                .with("creatorAddress", creator);
            self.chain.hold(height, &row);
            self.chain.transactions.own().push(row);
            signatures.push(signature);
        }
        self.tell_offers();
        signatures
    }

    fn notice_status(&mut self) {
        let status = self.status();
        if status != self.noticed_status {
            self.announcements.add(Announcement::Status(status.clone()));
            self.noticed_status = status;
        }
    }

    /// Stores and announces a presence, unless it expires no later than the known one. Expired presences are removed without an
    /// announcement.
    pub(crate) fn seller_online(&mut self, nonce: u64, at_address: &str, until: i64) {
        let now = self.now();
        let presences = self.presences.own();
        presences.retain(|it| it.number("timestamp") > now);
        let trade = self.chain.trades.own().iter_mut();
        let Some(row) = { trade }.find(|row| row.at("trade").text("qortalAtAddress") == at_address)
        else {
            return;
        };
        let trade = row.at("trade").with("creatorPresenceExpiry", until);
        *row = row.with("trade", trade.clone());
        let address = trade.at("qortalCreatorTradeAddress");
        let known = presences
            .iter()
            .position(|it| it.at("tradeAddress") == address);
        let known = known.map(|it| presences.remove(it));
        let key = match &known {
            Some(known) => known.at("publicKey").clone(),
            None => base58_encode(&pseudo_random(until, nonce, 32)).into(),
        };
        let presence = json!({
            "timestamp": until,
            "publicKey": key,
            "atAddress": at_address,
            "tradeAddress": address,
        });
        match known {
            Some(known) if known.number("timestamp") >= until => presences.push(known),
            _ => {
                presences.push(presence.clone());
                self.announcements.add(Announcement::Presence(presence));
            }
        }
    }

    fn publish(&mut self, nonce: u64, service: &str, name: &str, identifier: &str) {
        let now = self.now();
        let signature = base58_encode(&pseudo_random(now, nonce, 64));
        let id = json!({"service": service, "name": name, "identifier": identifier});
        let status = json!({
            "status": "PUBLISHED",
            "id": "PUBLISHED",
            "title": "Published",
            "description": "Published but not yet downloaded",
        });
        let row = id
            .with("latestSignature", signature.clone())
            .with("status", status)
            .with("created", now);
        self.chain.qdn_resources.own().push(row);
        let publication = id
            .with("created", now)
            .with("signature", signature)
            .with("timestamp", self.machine_time());
        self.announcements
            .add(Announcement::Publication(publication));
    }
}
