//! Payments of the demo: what traders began with, small ones between people, and those that wait for a block.

use serde_json::{Value, json};

use super::draw::{Dice, Kind, wide};
use super::ledger::{Ledger, QORT};
use super::people::{
    ALICE, BOB, BUYERS, CHLOE, GINA, NELL, OSCAR, OTHERS, PENALIZED, RITA, SELLERS, SPAMMER, TRENT,
    VICTOR, Who, ZEBRA, person, retired,
};
use super::time::{DAY, HOUR, MINUTE};
use crate::chain::amount_text;

/// How many small payments there were in the last months.
const PAYMENTS: i64 = 240;
/// The transactions that examples name.
const BEFORE_EXAMPLE: &str =
    "HKJM8XpHmKCGXp3F9mMASJ367kWeNf8Uu5RWy6A58kmeYAjYcAobfckfaSm9MR7U1f8rsCeXy3AUbtFF2RdvXXx";
const EXAMPLE: &str =
    "2ppNzaXEVCWwtmdWyYJvCWhnbZonsF5zUWBQpQsyyx2EYXL3RdqvR1tTha7nHyURVb6AtXkrFdfyRQt3DzHscVw1";
/// The group whose admins approve what is sent for it.
const APPROVAL_DESK: i64 = 6;

fn to(recipient: Who, units: i64) -> Value {
    json!({"recipient": person(recipient).address, "amount": amount_text(units)})
}

pub(super) fn record(ledger: &mut Ledger) {
    begin(ledger);
    between_people(ledger);
    let payments = [
        (31 * HOUR, CHLOE, 12 * QORT, Some(BEFORE_EXAMPLE)),
        (27 * HOUR, BOB, 123_456_789, Some(EXAMPLE)),
        (20 * HOUR, OSCAR, 42 * QORT, None),
        (9 * HOUR, OSCAR, 5, None),
        (3 * HOUR, BOB, 7 * QORT + QORT / 2, None),
    ];
    for (ago, recipient, units, signature) in payments {
        let mut entry = ledger.sent("PAYMENT", ago, ALICE, to(recipient, units));
        if let Some(signature) = signature {
            entry = entry.signed(signature);
        }
        ledger.add(entry);
    }
    let payment = ledger.sent("PAYMENT", 40_000, RITA, to(NELL, 1_234_500_000));
    ledger.add(payment.waiting());
    let payment = ledger.sent("PAYMENT", 25_000, VICTOR, to(CHLOE, 3 * QORT));
    ledger.add(payment.waiting());
    let payment = ledger.sent("PAYMENT", 5 * HOUR, BOB, to(TRENT, 15 * QORT));
    ledger.add(payment.pending_in(APPROVAL_DESK));
}

/// What the accounts began with came from those who have minted for long.
fn begin(ledger: &mut Ledger) {
    let known = [
        (ALICE, 2_500),
        (BOB, 900),
        (CHLOE, 12_000),
        (RITA, 60_000),
        (NELL, 1_500),
        (VICTOR, 1_200),
        (TRENT, 24_000),
        (SPAMMER, 20),
        (ZEBRA, 700),
        (9, 150),
        (GINA, 30),
        (PENALIZED, 400),
    ];
    let sellers = SELLERS.map(|who| (who, 25_000));
    let others = BUYERS
        .chain(OTHERS)
        .map(|who| (who, 150 + wide(who) % 7 * 55));
    let donors: Vec<_> = retired().map(|it| it.who).collect();
    let all = known.into_iter().chain(sellers).chain(others);
    for ((who, amount), donor) in all.zip(donors.iter().cycle()) {
        // Long before any of them traded, or registered a name.
        let ago = (950 + wide(who)) * DAY + wide(who) * 7 * MINUTE;
        ledger.add(ledger.sent("PAYMENT", ago, *donor, to(who, amount * QORT)));
    }
    let minters = super::people::minters().filter(|it| it.who >= OTHERS.end);
    for (minter, donor) in minters.zip(donors.iter().cycle()) {
        let ago = 2_150 * DAY - wide(minter.who) * 3 * HOUR;
        ledger.add(ledger.sent("PAYMENT", ago, *donor, to(minter.who, 10 * QORT)));
    }
}

/// Small amounts, more often round ones.
fn between_people(ledger: &mut Ledger) {
    let mut dice = Dice::new(Kind::Payment);
    let people: Vec<Who> = [ALICE, BOB, CHLOE, RITA, NELL, VICTOR, TRENT, ZEBRA]
        .into_iter()
        .chain(OTHERS)
        .collect();
    for _ in 0..PAYMENTS {
        let (from, recipient) = (dice.pick(&people), dice.pick(&people));
        let ago = dice.within(6 * HOUR, 120 * DAY);
        let units = match dice.below(3) {
            0 => dice.within(1, 12) * QORT / 2,
            1 => dice.within(1, 4) * 5 * QORT / 2,
            _ => dice.within(10_000_000, 900_000_000),
        };
        // Nothing comes between the transactions that examples name.
        let is_apart = from != ALICE || ago > 2 * DAY;
        if from != recipient && is_apart {
            ledger.add(ledger.sent("PAYMENT", ago, from, to(recipient, units)));
        }
    }
}
