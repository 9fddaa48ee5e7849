//! Who mints in the demo: reward shares, minters online, and the rewards of all blocks so far.

use serde_json::{Value, json};

use super::Demo;
use super::draw::{Kind, digest, signature, wide};
use super::ledger::{Ledger, QORT};
use super::people::{ALICE, BOB, CHLOE, Minting, Person, cast, minters, person, retired};
use super::time::{DAY, MINUTE, TIP};

/// Rewards are paid once in so many blocks.
const BATCH: i64 = 1_000;
/// Blocks between two reductions of the reward.
const REDUCTION_EVERY: i64 = 259_200;
const FIRST_REWARD: i64 = 5 * QORT;
const REDUCTION: i64 = QORT / 4;
const LAST_REWARD: i64 = 2 * QORT;
/// What each founder had at the beginning.
const GENESIS_AMOUNT: i64 = 100 * QORT;
/// Online accounts sign for periods of this length.
const ONLINE_PERIOD: i64 = 10 * MINUTE;
/// The level a founder counts as.
const FOUNDER_LEVEL: i64 = 10;

/// Minter and recipient of the shares that were left when shares with others came to an end.
const SPONSORED: [(usize, usize); 2] = [(ALICE, BOB), (ALICE, CHLOE)];

pub(super) fn record(ledger: &mut Ledger) {
    let demo = ledger.demo();
    for founder in founders() {
        let members = json!({
            "recipient": founder.address,
            "amount": crate::chain::amount_text(GENESIS_AMOUNT),
            "assetId": 0,
        });
        ledger.add(ledger.genesis("GENESIS", members));
    }
    for minter in minters() {
        // Since then there were a few more blocks than it minted.
        let missed = 2_000 + wide(minter.who) * 37;
        let ago = demo.start - demo.time(TIP - minter.minted - missed);
        let members = json!({
            "recipient": minter.address,
            "rewardSharePublicKey": minter.minting_key(),
            "sharePercent": "0.00",
        });
        let entry = ledger.sent("REWARD_SHARE", ago, minter.who, members);
        ledger.add(entry.with_fee(0));
    }
    for (place, (minter, recipient)) in (0..).zip(SPONSORED) {
        let members = json!({
            "recipient": person(recipient).address,
            "rewardSharePublicKey": sponsored_key(recipient),
            "sharePercent": "0.00",
        });
        ledger.add(ledger.sent("REWARD_SHARE", (500 - place) * DAY, minter, members));
    }
}

fn founders() -> impl Iterator<Item = &'static Person> {
    cast()
        .iter()
        .filter(|person| person.minting == Minting::Founder)
}

fn sponsored_key(recipient: usize) -> String {
    digest(Kind::RewardShare, 10_000 + wide(recipient))
}

pub(super) fn reward_shares() -> Vec<Value> {
    let row = |minter: &Person, recipient: &Person, key: String| {
        json!({
            "minterPublicKey": minter.key,
            "recipient": recipient.address,
            "rewardSharePublicKey": key,
            "sharePercent": "0.00",
            "mintingAccount": minter.address,
        })
    };
    let own = minters().map(|minter| row(minter, minter, minter.minting_key()));
    let shared = SPONSORED.iter().map(|(minter, recipient)| {
        row(
            person(*minter),
            person(*recipient),
            sponsored_key(*recipient),
        )
    });
    own.chain(shared).collect()
}

/// The key that the node itself mints with.
pub(super) fn minting_accounts() -> Vec<Value> {
    let alice = person(ALICE);
    vec![json!({
        "publicKey": alice.minting_key(),
        "mintingAccount": alice.address,
        "recipientAccount": alice.address,
    })]
}

pub(super) fn online_accounts(demo: Demo) -> Vec<Value> {
    let period = demo.start.div_euclid(ONLINE_PERIOD) * ONLINE_PERIOD;
    let row = |minter: &Person| {
        json!({
            "timestamp": period,
            "signature": signature(Kind::Minting, wide(minter.who)),
            "rewardSharePublicKey": minter.minting_key(),
            "minterAddress": minter.address,
            "recipientAddress": minter.address,
            "minterLevel": effective_level(minter),
            "isMinterMember": true,
        })
    };
    minters().map(row).collect()
}

/// The level someone mints with.
pub(super) fn effective_level(person: &Person) -> i64 {
    match person.minting {
        Minting::Founder => FOUNDER_LEVEL,
        Minting::Never | Minting::Online | Minting::Retired => person.level,
    }
}

/// Those who sign blocks in turn: with the higher levels it is likelier.
pub(super) fn signers() -> Vec<&'static Person> {
    minters().filter(|it| effective_level(it) >= 5).collect()
}

/// The rewards of all blocks up to the last batch, in units of 10⁻⁸ QORT.
pub(super) fn supply() -> i64 {
    let blocks = TIP - TIP % BATCH;
    let mut sum = 0;
    let (mut reward, mut done) = (FIRST_REWARD, 0);
    while done < blocks {
        let part = match reward > LAST_REWARD {
            true => REDUCTION_EVERY.min(blocks - done),
            false => blocks - done,
        };
        sum += part * reward;
        done += part;
        reward = (reward - REDUCTION).max(LAST_REWARD);
    }
    sum
}

/// Whose minting brought what, in units of 10⁻⁸ QORT: all rewards, and the fees, which go to minters as well.
pub(super) fn earnings(fees: i64) -> Vec<(&'static Person, i64)> {
    let mut earned: Vec<_> = minters().map(|it| (it, it.earned())).collect();
    let left = supply() + fees - earned.iter().map(|(_, units)| units).sum::<i64>();
    let retired: Vec<_> = retired().collect();
    // They stopped one after the other.
    let weight = |place: usize| 20 + wide(place);
    let weights: i64 = (0..retired.len()).map(weight).sum();
    let mut rest = left;
    for (place, account) in retired.iter().enumerate() {
        let part = match place + 1 == retired.len() {
            true => rest,
            false => left / weights * weight(place),
        };
        rest -= part;
        earned.push((account, part));
    }
    earned
}
