//! The cast of the demo: accounts with keys, levels and what they have to do with minting. None of them is a person.
//!
//! The first ones have the addresses and names of the recorded chain, so that the examples of the tools work on both.

use std::collections::HashMap;
use std::sync::LazyLock;

use serde_json::{Value, json};

use super::draw::{Kind, digest, number, wide};
use crate::chain::{Row, drawn};
use crate::codec::{address_of, base58_encode};

/// The place of a person in the cast.
pub(super) type Who = usize;

pub(super) const ALICE: Who = 0;
pub(super) const BOB: Who = 1;
pub(super) const CHLOE: Who = 2;
pub(super) const RITA: Who = 3;
pub(super) const NELL: Who = 4;
pub(super) const VICTOR: Who = 5;
pub(super) const TRENT: Who = 6;
pub(super) const SPAMMER: Who = 7;
pub(super) const ZEBRA: Who = 8;
pub(super) const OSCAR: Who = 10;
pub(super) const GINA: Who = 11;
pub(super) const PENALIZED: Who = 12;

/// Name, address, public key, level.
const KNOWN: [(&str, &str, &str, i64); 13] = [
    (
        "Alice Test",
        "QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9v",
        "2tiMr5LTpaWCgbRvkPK8TFd7k63DyHJMMFFsz9uBf1ZP",
        5,
    ),
    (
        "Bób-Name",
        "QixPbJUwsaHsVEofJdozU9zgVqkK6aYhrK",
        "C6wuddsBV3HzRrXUtezE7P5MoRXp5m3mEDokRDGZB6ry",
        1,
    ),
    (
        "chloe",
        "QaUpHNhT3Ygx6avRiKobuLdusppR5biXjL",
        "7KNBj2MnEb6zq1vvKY1q8G2Voctcc2Z1X4avFyEH2eJC",
        3,
    ),
    (
        "rita-trades",
        "QiuRTi8vnLqAWrkfUXFwDrTcZBTJ8N6UqJ",
        "CddYUrFeW4SV4GCpK7i1Vh34AmaqkHJGk9vqj6yeyVp7",
        0,
    ),
    (
        "new-name",
        "QPxkbALbBSkWAhiqj8KnNftQ7b2QbCy3U6",
        "EyEpG8pzQi6LTSJA6176xaiyCkcQ8yVDNwjhguzJCG62",
        0,
    ),
    (
        "victor",
        "QSC9jRj3hnuxU9odrP8qbTW1KdJBGngtPq",
        "5vpvNek7axzMmdQ7HYRqbGFXE4Tupk4x7MMMRz82dkhg",
        4,
    ),
    (
        "trent",
        "QaRfMCN42yurmJNmkc5p9hR846vJgsTovB",
        "E4LAsk1jxUsrG4cSaKa56cWL5NHmseBz3QiiqbhuLa4e",
        6,
    ),
    (
        "spam-name",
        "QZajYTTmxtjX7C2YgytGgNKXDVvxFgZWHg",
        "6VyefPqXMmbEgzZsJhGuQnUPPjvdhDZ4E43ZcwRTL9St",
        0,
    ),
    (
        "zebra",
        "QjHp5Ky4WmVaRKnaaGCKvTQ4TuvwhyMZCz",
        "HiWhaJCSH9yLePQL9iMs7NQxonNxTEA64UBxuww2pt2R",
        2,
    ),
    (
        "il1o0|mix",
        "QhFNm1fBrJrHaXvei8bTu4H31wwFUx3wrL",
        "ExV74gNSSWMTfkbEcm4TPCQGJvGMbG7pANQBDA5WM6RD",
        0,
    ),
    ("", "QTNkKMYELoQ2aHM2oWepDrzgspmRTRFJrC", "", 0),
    (
        "",
        "QRAyhrkP2e3qk7FgxosXcwATBJiaGgtTzh",
        "C6nz7dRxwi91TNni5kuzxBJMMmsLGmJatQybmT8SAG8p",
        0,
    ),
    ("", "QSsBRjKobUenghATsCnodVRfYGDACzreCC", "", 0),
];

/// Accounts that sell and buy QORT and have names, after those that are known.
pub(super) const SELLERS: std::ops::Range<Who> = 13..20;
pub(super) const BUYERS: std::ops::Range<Who> = 20..36;
/// Accounts with names that do other things.
pub(super) const OTHERS: std::ops::Range<Who> = 36..44;
/// How many minters there are of each level from 1 on. Founders come after them, and count as level 10.
const MINTERS: [usize; 8] = [7, 9, 12, 14, 18, 16, 20, 12];
const FOUNDERS: usize = 34;
/// Of the minters every so many has a name.
const NAMED_MINTER: usize = 3;
/// Accounts that minted for years and no longer do, where most QORT are.
const RETIRED: usize = 60;

/// Blocks to mint in all for each level (`blocksNeededByLevel` of the main network, added up).
const BLOCKS_OF_LEVEL: [i64; 9] = [
    0, 7_200, 72_000, 201_600, 374_400, 618_400, 964_000, 1_482_400, 2_173_600,
];
/// What a block brought a minter of each level on average, in units of 10⁻⁸ QORT.
const EARNED: [i64; 9] = [
    0, 40_000, 60_000, 160_000, 200_000, 400_000, 500_000, 800_000, 900_000,
];

/// How an account mints.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Minting {
    Never,
    /// It is online now.
    Online,
    Founder,
    /// It did once.
    Retired,
}

#[derive(Debug)]
pub(super) struct Person {
    pub(super) who: Who,
    /// The primary name; empty without one.
    pub(super) name: String,
    pub(super) address: String,
    /// Empty for an account that has never sent anything.
    pub(super) key: String,
    pub(super) level: i64,
    pub(super) minted: i64,
    pub(super) minting: Minting,
}

impl Person {
    /// Whether it mints now, with a key of its own.
    pub(super) fn is_minter(&self) -> bool {
        matches!(self.minting, Minting::Online | Minting::Founder)
    }

    /// The key it mints with.
    pub(super) fn minting_key(&self) -> String {
        digest(Kind::RewardShare, wide(self.who))
    }

    /// What minting brought, in units of 10⁻⁸ QORT. The retired ones share what is left of all rewards.
    pub(super) fn earned(&self) -> i64 {
        let level = usize::try_from(self.level).unwrap_or_default();
        let each = EARNED.get(level).copied().unwrap_or_default();
        match self.minting {
            Minting::Never | Minting::Retired => 0,
            Minting::Online | Minting::Founder => self.minted * each,
        }
    }
}

static CAST: LazyLock<Vec<Person>> = LazyLock::new(|| {
    let mut cast: Vec<Person> = KNOWN.iter().enumerate().map(known).collect();
    for _ in SELLERS.chain(BUYERS).chain(OTHERS) {
        cast.push(made(cast.len(), 0, Minting::Never));
    }
    for (level, count) in (1..).zip(MINTERS) {
        for _ in 0..count {
            cast.push(made(cast.len(), level, Minting::Online));
        }
    }
    for _ in 0..FOUNDERS {
        cast.push(made(cast.len(), 6 + wide(cast.len()) % 3, Minting::Founder));
    }
    for _ in 0..RETIRED {
        cast.push(made(cast.len(), 5 + wide(cast.len()) % 3, Minting::Retired));
    }
    cast
});

/// Everyone.
pub(super) fn cast() -> &'static [Person] {
    &CAST
}

pub(super) fn person(who: Who) -> &'static Person {
    CAST.get(who).expect("a place in the cast")
}

/// Those who mint now.
pub(super) fn minters() -> impl Iterator<Item = &'static Person> {
    CAST.iter().filter(|person| person.is_minter())
}

/// Those with the most QORT.
pub(super) fn retired() -> impl Iterator<Item = &'static Person> {
    CAST.iter()
        .filter(|person| person.minting == Minting::Retired)
}

/// Everyone with a name of the same kind as the known ones.
pub(super) fn named() -> impl Iterator<Item = &'static Person> {
    CAST.iter().filter(|person| !person.name.is_empty())
}

fn known((place, row): (usize, &(&str, &str, &str, i64))) -> Person {
    let (name, address, key, level) = *row;
    Person {
        who: place,
        name: name.to_owned(),
        address: address.to_owned(),
        key: key.to_owned(),
        level,
        minted: minted(level, place),
        minting: match level {
            0 => Minting::Never,
            _ => Minting::Online,
        },
    }
}

fn made(who: Who, level: i64, minting: Minting) -> Person {
    let key = drawn(wide(who), Kind::Person as u64, 32);
    let has_name = match minting {
        Minting::Never => true,
        Minting::Online | Minting::Founder => who.is_multiple_of(NAMED_MINTER),
        Minting::Retired => false,
    };
    Person {
        who,
        name: if has_name {
            invented(who)
        } else {
            String::new()
        },
        address: address_of(&key),
        key: base58_encode(&key),
        level,
        minted: minted(level, who),
        minting,
    }
}

/// Enough blocks for a level, and not enough for the next.
fn minted(level: i64, who: Who) -> i64 {
    let Ok(place) = usize::try_from(level) else {
        return 0;
    };
    match (BLOCKS_OF_LEVEL.get(place), BLOCKS_OF_LEVEL.get(place + 1)) {
        (Some(0) | None, _) => 0,
        (Some(least), next) => {
            // The chain has no more blocks than it takes for level 8 and somewhat more.
            let most = next.copied().unwrap_or(least + 400_000);
            let share = match who {
                // Who looks forward to it.
                ALICE => 93,
                _ => 5 + number(Kind::Minting, wide(who)) % 90,
            };
            least + (most - least) * share / 100
        }
    }
}

/// A name that is plainly invented, another one for each person.
fn invented(who: Who) -> String {
    const FIRST: [&str; 16] = [
        "amber", "brisk", "calm", "dusty", "early", "fern", "gentle", "hazel", "ivory", "jolly",
        "keen", "lucky", "mellow", "noble", "opal", "plum",
    ];
    const SECOND: [&str; 16] = [
        "otter", "harbor", "lantern", "meadow", "pine", "quartz", "river", "sparrow", "thistle",
        "willow", "wren", "yarrow", "anchor", "badger", "comet", "dune",
    ];
    let (first, round) = (who % FIRST.len(), who / FIRST.len());
    let second = (first * 5 + round) % SECOND.len();
    let word = |of: &[&'static str], place: usize| of.get(place).copied().unwrap_or_default();
    format!("{}-{}", word(&FIRST, first), word(&SECOND, second))
}

/// The table of accounts.
///
/// The reference of each is its last transaction.
pub(super) fn accounts(transactions: &[Value]) -> Vec<Value> {
    let sent = transactions
        .iter()
        .filter(|row| row.number("blockHeight") > 0);
    let references: HashMap<&str, &str> = sent
        .map(|row| (row.text("creatorAddress"), row.text("signature")))
        .collect();
    let row = |person: &Person| {
        let mut row = json!({"address": person.address});
        if let Some(reference) = references.get(person.address.as_str()) {
            row = row.with("reference", *reference);
        }
        if !person.key.is_empty() {
            row = row.with("publicKey", person.key.as_str());
        }
        let penalty = if person.who == PENALIZED { -5_000 } else { 0 };
        row.with("defaultGroupId", 0)
            .with("flags", i64::from(person.minting == Minting::Founder))
            .with("level", person.level)
            .with("blocksMinted", person.minted)
            .with("blocksMintedAdjustment", 0)
            .with("blocksMintedPenalty", penalty)
    };
    cast().iter().map(row).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use qortal_types::Reduced;

    use super::{KNOWN, cast, named};
    use crate::chain::{Chain, Row};
    use crate::codec::{address_of, public_key};

    #[test]
    fn the_first_are_those_of_the_recorded_chain() {
        let recorded = Chain::recorded();
        for (name, address, key, _) in KNOWN {
            assert_eq!(recorded.account(address).unwrap().text("publicKey"), key);
            assert_eq!(recorded.primary_name(address).unwrap_or_default(), name);
        }
    }

    #[test]
    fn everyone_has_a_key_that_makes_the_address_and_a_name_of_their_own() {
        for person in cast().iter().filter(|person| !person.key.is_empty()) {
            assert_eq!(
                address_of(&public_key(&person.key).unwrap()),
                person.address
            );
        }
        let names: Vec<_> = named().map(|person| Reduced::of(&person.name)).collect();
        let different: BTreeSet<_> = names.iter().map(Reduced::text).collect();
        assert_eq!(different.len(), names.len());
    }
}
