//! A day of chat in the demo. What is said is invented, and so are those who say it.

use serde_json::{Value, json};

use super::Demo;
use super::draw::{Dice, Kind, signature, wide};
use super::groups::{COUNCIL, GARDENERS, LOUNGE, MAKERS, TRADERS, talkers};
use super::ledger::Ledger;
use super::people::{ALICE, BOB, CHLOE, NELL, Person, RITA, TRENT, VICTOR, Who, named, person};
use super::time::{DAY, HOUR, MINUTE};
use crate::chain::Row;
use crate::codec::base58_encode;

/// The message that an example names.
const EXAMPLE: &str =
    "4R8jxa8DvQUwN7c4HPaFcemGsjggEBTSaTnPeRP4aWT2NUMm3Ebk6NBVTtpwJcLaHYnU1HWrtdJs9aTipJtaGCZs";

/// What is said in each group, oldest first. `>` begins an answer to the message before.
const TALKS: [(i64, &[&str]); 5] = [
    (
        LOUNGE,
        &[
            "Good morning, lounge!",
            "> Good morning! The kettle is on.",
            "Has anyone seen the new paper boat app? It folds by itself.",
            "> Yes, mine sank. Still five stars.",
            "My node is synchronized again after the restart, thanks for the hint about the clock.",
            "Reminder: the poll about lounge hours ends when we say it ends.",
            "What is the otter in the mascot poll called now?",
            "> Biscuit is ahead of Pebble by two votes.",
            "I reached level 5 today, it took 618,400 blocks.",
            "> Congratulations! Only 345,600 more to level 6.",
            "Does a name really cost 1.25 QORT?",
            "> It does. You can sell it later if you tire of it.",
            "The radio at harbor-radio plays rain sounds all day.",
            "Who was kicked from here? I saw a gap in the history.",
            "> Someone advertised offers that do not exist. Please never send anyone your keys.",
            "Picnic in the park: sandwiches or soup? Vote while it lasts.",
            "My picture of the harbor is online, look for photo-1.",
            "> Very blue. I like it.",
            "Is group 694 the one that lets me mint?",
            "> Yes. Ask to join it, then wait for an admin.",
            "How do I see how many blocks I miss for the next level?",
            "> Ask for your minting status.",
            "Good evening from the night train.",
            "> Good evening! Mind the gap.",
        ],
    ),
    (
        TRADERS,
        &[
            "LTC went up again this week.",
            "> Slowly is fine with me.",
            "Two of my offers sold over night, 150 QORT and 75 QORT.",
            "Why does my trade stay in TRADING for an hour?",
            "> Keep your node running, the buyer's bot has to send the secret.",
            "> If it does not, the QORT come back by themselves.",
            "Is anyone selling for DGB below 35?",
            "> Not today. There are five offers, two at the same price.",
            "My Pirate Chain offer is up, 100 QORT.",
            "The sellers who are offline make the book look cheaper than it is.",
            "> Look at who is online first. I always do.",
            "Dogecoin has the most small deals, it seems.",
            "Refunded trade of last week explained itself: the buyer's computer slept.",
            "I will be away tonight, my bot stays on.",
        ],
    ),
    (
        MAKERS,
        &[
            "Published version two of the tin robot app.",
            "> It dances now! Lovely.",
            "How large may a thumbnail be?",
            "> Keep it below 500 KB, smaller is kinder.",
            "The cloud map needs a better legend.",
            "> I can draw one tomorrow.",
            "My website builds on your node too? Mine says READY.",
            "> READY here as well.",
            "I rated all six apps, the garden one made me calm.",
        ],
    ),
    (
        GARDENERS,
        &[
            "The moss is green. Nothing else happened.",
            "> That is the best that can happen.",
            "Ferns unroll on Thursday.",
            "Has anyone tried to grow an otter?",
            "> That is not how gardens work.",
        ],
    ),
    (
        COUNCIL,
        &[
            "Two people ask to join the council. Opinions?",
            "> Let us invite Oscar first, he was here before.",
            "The teapot is within the budget.",
        ],
    ),
];

/// What two say to each other: sender, recipient, text.
const DIRECT: [(Who, Who, &str); 9] = [
    (
        RITA,
        ALICE,
        "Your 300 QORT offer is nearly through, I watch it.",
    ),
    (ALICE, RITA, "Thank you! I keep my node on."),
    (NELL, RITA, "I locked the coins an hour ago."),
    (RITA, NELL, "My bot saw them. Now yours sends the secret."),
    (BOB, ALICE, "Did the payment arrive?"),
    (ALICE, BOB, "It did, 7.5 QORT."),
    (CHLOE, VICTOR, "The report is easy to read now."),
    (VICTOR, CHLOE, "I removed half of the words."),
    (TRENT, BOB, "The desk has one transaction to approve."),
];

/// What is said while the demo runs, in turn.
pub(super) const LATER: [&str; 6] = [
    "Another block, another minute.",
    "The kettle whistles.",
    "My node counts blocks, I count sheep.",
    "Is it evening where you are?",
    "The radio plays rain again.",
    "Someone voted for soup.",
];

/// Who says it, and in which group.
pub(super) fn speaker(turn: usize) -> (u32, &'static str) {
    let talkers: Vec<_> = talkers(LOUNGE)
        .into_iter()
        .filter(|it| !it.name.is_empty())
        .collect();
    let speaker = talkers.iter().cycle().nth(turn * 5 % 97);
    (3, speaker.map_or("", |it| it.address.as_str()))
}

pub(super) fn rows(demo: Demo) -> Vec<Value> {
    let mut rows = Vec::new();
    let mut dice = Dice::new(Kind::Chat);
    for (group, texts) in TALKS {
        let people: Vec<&Person> = talkers(group)
            .into_iter()
            .filter(|it| !it.name.is_empty())
            .collect();
        let step = (DAY - HOUR) / wide(texts.len());
        let (mut last, mut answered) = (ALICE, String::new());
        for (place, text) in (0..).zip(texts) {
            let ago = DAY - 30 * MINUTE - step * place - dice.below(step / 2);
            let is_example = rows.is_empty();
            let speaker = match is_example {
                true => person(ALICE),
                false => {
                    let others: Vec<&Person> =
                        people.iter().filter(|it| it.who != last).copied().collect();
                    dice.pick(&others)
                }
            };
            let (text, refers_to) = match text.strip_prefix("> ") {
                Some(text) => (text, Some(answered.clone())),
                None => (*text, None),
            };
            let mut row = message(demo, wide(rows.len()), ago, speaker, text);
            row = row.with("txGroupId", group);
            if let Some(signature) = refers_to {
                row = row.with("chatReference", signature);
            }
            if is_example {
                row = row.with("signature", EXAMPLE);
            }
            if !text.is_empty() && row.get("chatReference").is_none() {
                answered = row.text("signature").to_owned();
            }
            last = speaker.who;
            rows.push(row);
        }
    }
    for (place, (from, to, text)) in (0..).zip(DIRECT) {
        let ago = 20 * HOUR - place * 2 * HOUR;
        let recipient = person(to);
        let row = message(demo, 1_000 + place, ago, person(from), text);
        rows.push(
            row.with("recipient", recipient.address.as_str())
                .with("recipientName", recipient.name.as_str()),
        );
    }
    rows.sort_by_cached_key(|row| row.number("timestamp"));
    rows
}

fn message(demo: Demo, place: i64, ago: i64, speaker: &Person, text: &str) -> Value {
    json!({
        "timestamp": demo.before(ago),
        "txGroupId": 0,
        "reference": signature(Kind::Chat, 5_000 + place),
        "senderPublicKey": speaker.key,
        "sender": speaker.address,
        "senderName": speaker.name,
        "encoding": "BASE58",
        "data": base58_encode(text.as_bytes()),
        "isText": true,
        "isEncrypted": false,
        "signature": signature(Kind::Chat, place),
    })
}

/// How much memory the messages of each sender and of each group take.
pub(super) fn sizes(rows: &[Value]) -> Value {
    let size = |row: &Value| 160 + wide(row.text("data").len());
    let sum = |fits: &dyn Fn(&&Value) -> bool| -> i64 { rows.iter().filter(fits).map(size).sum() };
    let senders = named().map(|it| {
        let size = sum(&|row| row.text("sender") == it.address);
        json!({"sender": it.address, "senderName": it.name, "size": size})
    });
    let groups = [0, LOUNGE, COUNCIL, MAKERS, TRADERS, GARDENERS].map(|group| {
        let size = sum(&|row| row.number("txGroupId") == group);
        json!({"groupId": group, "size": size})
    });
    let largest = |rows: Vec<Value>| {
        let mut rows: Vec<Value> = rows
            .into_iter()
            .filter(|it| it.number("size") > 0)
            .collect();
        rows.sort_by_cached_key(|row| std::cmp::Reverse(row.number("size")));
        rows
    };
    json!({"senders": largest(senders.collect()), "groups": largest(groups.into())})
}

/// Chat is not in blocks; now and then a message of another kind is.
pub(super) fn record(ledger: &mut Ledger) {
    let members = json!({
        "recipient": person(TRENT).address,
        "version": 4,
        "nonce": 0,
        "amount": "0.00000000",
        "data": base58_encode(b"Thank you for the lounge"),
        "isText": true,
        "isEncrypted": false,
    });
    ledger.add(ledger.sent("MESSAGE", 8 * DAY, BOB, members));
}
