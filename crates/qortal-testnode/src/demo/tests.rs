//! Tests of the demo: its tables are consistent.

mod fates;
mod forms;

use std::collections::{BTreeMap, BTreeSet};

use data_encoding::BASE64;
use serde_json::Value;

use crate::{
    chain::{Calendar, Chain, NULL_ACCOUNT, QUIET, Row, TIP},
    codec::is_address,
};

const NOW: i64 = 1_795_370_000_000;
const DAY: i64 = 86_400_000;
/// Number of units in a QORT.
const QORT: i64 = 100_000_000;

fn chain() -> Chain {
    Chain::demo(Calendar::at(NOW))
}

fn wide(count: usize) -> i64 {
    i64::try_from(count).unwrap()
}

fn confirmed(chain: &Chain) -> impl Iterator<Item = &Value> {
    let rows = chain.transactions.iter();
    rows.filter(|row| row.number("blockHeight") > 0)
}

/// Returns all data of a chain as text.
fn text(chain: &Chain) -> String {
    assert!(chain.tables().all(|table| !table.is_empty()));
    let rows = chain.tables().flat_map(|table| table.iter());
    let rows = rows.map(Value::to_string).collect::<Vec<_>>().concat();
    let blocks = (TIP - 50..=TIP).filter_map(|height| chain.block(height));
    let blocks = blocks
        .map(|block| block.row.to_string())
        .collect::<Vec<_>>();
    let objects = [&chain.primary_names, &chain.group_events, &chain.facts];
    let objects = objects.map(|object| object.to_string()).concat();
    rows + &blocks.concat() + &objects
}

#[test]
fn at_the_same_moment_it_is_the_same() {
    assert_eq!(text(&chain()), text(&chain()));
    let later = Chain::demo(Calendar::at(NOW + 40 * DAY));
    assert_ne!(text(&chain()), text(&later));
    let signatures = |chain: &Chain| -> BTreeSet<String> {
        chain
            .transactions
            .iter()
            .map(|row| row.text("signature").to_owned())
            .collect()
    };
    assert_eq!(signatures(&chain()), signatures(&later));
}

#[test]
fn transactions_follow_each_other_and_their_blocks() {
    let chain = chain();
    let mut last: BTreeMap<&str, &str> = BTreeMap::new();
    let mut signatures = BTreeSet::new();
    let mut time = 0;
    let block_time = |height| chain.block(height).map_or(0, |it| it.timestamp());
    // The height of the last transaction, and the times of its block and of the one before.
    let mut block = (0, 0, 0);
    for row in chain.transactions.iter() {
        let (creator, signature) = (row.text("creatorAddress"), row.text("signature"));
        assert!(signatures.insert(signature), "{signature} is there twice");
        assert!(row.number("timestamp") >= time);
        time = row.number("timestamp");
        if let Some(reference) = last.insert(creator, signature)
            && creator != NULL_ACCOUNT
        {
            assert_eq!(row.text("reference"), reference);
        }
        let height = row.number("blockHeight");
        if height > 0 {
            assert!(height <= TIP - QUIET);
            if block.0 != height {
                block = (height, block_time(height), block_time(height - 1));
            }
            let (_, made, before) = block;
            assert!((before..=made).contains(&time), "{row}");
        }
    }
    let example = chain
        .transactions
        .iter()
        .find(|row| row.text("signature").starts_with("2ppNzaXEVCW"));
    assert!(
        example
            .unwrap()
            .text("reference")
            .starts_with("HKJM8XpHmKCG")
    );
}

#[test]
fn blocks_have_the_transactions_that_say_so() {
    let chain = chain();
    let mut counts: BTreeMap<i64, i64> = BTreeMap::new();
    for row in confirmed(&chain) {
        *counts.entry(row.number("blockHeight")).or_default() += 1;
    }
    let some = counts
        .iter()
        .step_by(40)
        .map(|(height, count)| (*height, *count));
    for (height, count) in some.chain([(TIP, 0), (TIP - 1, 0)]) {
        let block = chain.block(height).unwrap();
        assert_eq!(block.row.number("transactionCount"), count, "{height}");
        let parent = chain.block(height - 1).map(|it| it.signature().to_owned());
        if let Some(parent) = parent {
            assert_eq!(block.row.text("reference"), parent);
        }
        let found = chain.block_by_signature(block.signature()).unwrap();
        assert_eq!(found.height, height);
        let signer = block.row.text("minterPublicKey");
        if height > 1 {
            assert!(chain.signed_by(&[signer]).contains(&height));
        }
    }
    assert!(chain.block(TIP + 1).is_none() && chain.block(0).is_none());
    let minter_signature = chain
        .block(1)
        .unwrap()
        .row
        .text("minterSignature")
        .to_owned();
    assert!(chain.block_by_signature(&minter_signature).is_none());
}

#[test]
fn balances_are_what_history_comes_to() {
    let chain = chain();
    let minting = chain.accounts.iter();
    let minting = minting.filter(|row| row.number("blocksMinted") > 0);
    // The givers minted before the transfer.
    let givers = confirmed(&chain).filter(|row| row.text("type") == "TRANSFER_PRIVS");
    let givers = givers.map(|row| row.text("creatorAddress"));
    let minters: BTreeSet<&str> = minting
        .map(|row| row.text("address"))
        .chain(givers)
        .collect();
    let traders: BTreeSet<&str> = chain.orders.iter().map(|row| row.text("creator")).collect();
    let mut sums: BTreeMap<&str, i64> = BTreeMap::new();
    for row in confirmed(&chain).filter(|row| row.text("approvalStatus") != "PENDING") {
        let is_qort = row.number("assetId") == 0;
        let amount = match row.text("type") {
            "PAYMENT" | "AT" | "GENESIS" | "DEPLOY_AT" | "BUY_NAME" if is_qort => {
                row.amount("amount")
            }
            _ => 0,
        };
        let is_spent = ["PAYMENT", "DEPLOY_AT", "BUY_NAME"].contains(&row.text("type"));
        let spent = row.amount("fee") + if is_spent { amount } else { 0 };
        *sums.entry(row.text("creatorAddress")).or_default() -= spent;
        for member in ["recipient", "seller"] {
            *sums.entry(row.text(member)).or_default() += amount;
        }
    }
    for account in chain.accounts.iter() {
        let address = account.text("address");
        let sum = sums.get(address).copied().unwrap_or_default();
        let balance = chain.balance(address, 0);
        assert!(balance >= 0, "{account} has {balance}");
        if minters.contains(address) {
            // Only the balance contains the rewards of minting.
            assert!(traders.contains(address) || balance >= sum, "{account}");
        } else if !traders.contains(address) {
            assert_eq!(balance, sum, "{account}");
        }
    }
    assert!(chain.balances.iter().all(|row| row.amount("balance") > 0));
}

#[test]
fn all_qort_are_rewards_or_were_there_at_the_beginning() {
    let chain = chain();
    let of_asset = |asset: i64| -> i64 {
        let rows = chain
            .balances
            .iter()
            .filter(|row| row.number("assetId") == asset);
        rows.map(|row| row.amount("balance")).sum()
    };
    let genesis: i64 = confirmed(&chain)
        .filter(|row| row.text("type") == "GENESIS")
        .map(|row| row.amount("amount"))
        .sum();
    // Amounts bound in open orders are not in a balance.
    let bound = |is_of: &dyn Fn(&Value) -> bool, units: &dyn Fn(&Value, i64) -> i64| -> i64 {
        let open = chain
            .orders
            .iter()
            .filter(|row| !row.flag("isClosed") && is_of(row));
        open.map(|row| units(row, row.amount("amount") - row.amount("fulfilled")))
            .sum()
    };
    let price = |row: &Value, left: i64| left / QORT * row.amount("price");
    let qort = bound(&|row| row.number("haveAssetId") == 0, &price);
    assert_eq!(of_asset(0) + qort, chain.facts.amount("supply") + genesis);
    for asset in chain.assets.iter().filter(|row| row.number("quantity") > 0) {
        let id = asset.number("assetId");
        let bound = bound(&|row| row.number("haveAssetId") == id, &|_, left| left);
        assert_eq!(of_asset(id) + bound, asset.number("quantity"), "{asset}");
    }
}

#[test]
fn levels_are_those_of_the_blocks_minted() {
    let needed = [
        0, 7_200, 72_000, 201_600, 374_400, 618_400, 964_000, 1_482_400, 2_173_600, 3_037_600,
    ];
    let chain = chain();
    for account in chain.accounts.iter() {
        let (level, minted) = (account.number("level"), account.number("blocksMinted"));
        let reached = needed.iter().filter(|needed| **needed <= minted).count();
        assert_eq!(wide(reached) - 1, level, "{account}");
    }
    let online = |level: i64| {
        let rows = chain.online_accounts.iter();
        rows.filter(|row| chain.effective_level(row.text("minterAddress")) == level)
            .count()
    };
    // Otherwise the rewards of each level depend on how the levels are grouped.
    assert!(online(7) + online(8) >= 30 && online(9) + online(10) >= 30);
}

#[test]
fn groups_have_the_members_they_count() {
    let chain = chain();
    let members = |id: i64| {
        let rows = chain.group_members.iter();
        rows.filter(move |row| row.number("groupId") == id)
            .map(|row| row.text("member"))
    };
    for group in chain.groups.iter() {
        let id = group.number("groupId");
        assert_eq!(
            wide(members(id).count()),
            group.number("memberCount"),
            "{group}"
        );
        assert!(members(id).any(|member| member == group.text("owner")));
        let joined = confirmed(&chain).filter(|row| {
            ["CREATE_GROUP", "JOIN_GROUP"].contains(&row.text("type"))
                && row.number("groupId") == id
        });
        let joined: BTreeSet<&str> = joined.map(|row| row.text("creatorAddress")).collect();
        assert!(
            members(id).all(|it| it == group.text("owner") || joined.contains(it)),
            "{group}"
        );
    }
    let minters = chain.groups.iter().find(|row| row.number("groupId") == 694);
    let minters = minters.unwrap();
    assert_eq!(minters.text("groupName"), "MINTER");
    assert_eq!(minters.text("owner"), NULL_ACCOUNT);
    assert_eq!(minters.text("approvalThreshold"), "PCT40");
    for ban in chain.group_events.at("bans").as_array().unwrap() {
        assert!(members(ban.number("groupId")).all(|member| member != ban.text("offender")));
    }
    for message in chain.chat.iter() {
        assert!((NOW - DAY..NOW).contains(&message.number("timestamp")));
        let sender = message.text("sender");
        assert_eq!(chain.primary_name(sender), Some(message.text("senderName")));
        let group = message.number("txGroupId");
        assert!(
            group == 0 || members(group).any(|member| member == sender),
            "{message}"
        );
    }
}

#[test]
fn invitation_and_ban_end_when_the_core_says() {
    let chain = chain();
    let ends = |of_type: &str, list: &str, who: &str, started: &str| -> Vec<(i64, i64, i64)> {
        let events = chain.group_events.rows(list).iter();
        let ends = events.filter(|event| event.get("expiry").is_some());
        let ends = ends.map(|event| {
            let sent = confirmed(&chain).find(|row| {
                row.text("type") == of_type
                    && row.number("groupId") == event.number("groupId")
                    && row.text(who) == event.text(who)
                    && row.number("timeToLive") > 0
            });
            let sent = sent.unwrap_or_else(|| panic!("no {of_type} for {event}"));
            // The Core multiplies in 32 bits (`GroupInvite`, `GroupBan`).
            let seconds = i32::try_from(sent.number("timeToLive")).unwrap();
            let term = i64::from(seconds.wrapping_mul(1_000));
            let time = sent.number("timestamp");
            // The demo rounds future times to minutes.
            let earlier = time + term - event.number("expiry");
            assert!((0..60_000).contains(&earlier), "{event}");
            assert!(started.is_empty() || event.number(started) == time);
            (time, i64::from(seconds), event.number("expiry"))
        });
        ends.collect()
    };
    let invites = ends("GROUP_INVITE", "invites", "invitee", "");
    assert!(invites.iter().any(|(_, _, end)| *end < NOW), "{invites:?}");
    assert!(invites.iter().any(|(_, _, end)| *end > NOW), "{invites:?}");
    let bans = ends("GROUP_BAN", "bans", "offender", "banned");
    let overflowed = bans.iter().filter(|(start, _, end)| end < start);
    assert_eq!(overflowed.map(|ban| ban.1).collect::<Vec<_>>(), [2_592_000]);
}

#[test]
fn transaction_that_needed_approvals_has_those_of_two_admins() {
    let chain = chain();
    let mut approvals: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for row in confirmed(&chain).filter(|row| row.text("type") == "GROUP_APPROVAL") {
        let admins = approvals.entry(row.text("pendingSignature")).or_default();
        admins.insert(row.text("creatorAddress"));
    }
    let of_minters = confirmed(&chain).filter(|row| row.number("txGroupId") == 694);
    let mut pending = 0;
    for row in of_minters {
        let count = approvals
            .get(row.text("signature"))
            .map_or(0, BTreeSet::len);
        if row.text("approvalStatus") == "PENDING" {
            pending += 1;
            assert_eq!(count, 1, "{row}");
        } else {
            assert_eq!(
                (row.text("approvalStatus"), count),
                ("APPROVED", 2),
                "{row}"
            );
            assert!(row.number("approvalHeight") >= row.number("blockHeight") + 10);
        }
    }
    assert_eq!(pending, 1);
}

#[test]
fn rating_has_six_options_and_its_owner_has_not_voted() {
    let chain = chain();
    let polls = chain.polls.iter();
    let ratings = polls.filter(|poll| poll.text("pollName").starts_with("app-library-"));
    for poll in ratings {
        let options = poll.rows("pollOptions").iter();
        let options: Vec<&str> = options.map(|option| option.text("optionName")).collect();
        assert_eq!(options.len(), 6, "{poll}");
        let first = options
            .last()
            .and_then(|last| last.strip_prefix("initialValue-"));
        assert!(
            first.is_some_and(|stars| options.contains(&stars)),
            "{poll}"
        );
        let mut votes = chain.votes.iter();
        assert!(!votes.any(|vote| vote.at("pollName") == poll.at("pollName")
            && vote.at("voterPublicKey") == poll.at("creatorPublicKey")));
    }
}

#[test]
fn trades_are_in_the_blocks_and_in_the_accounts() {
    let chain = chain();
    let mut coins: BTreeMap<&str, usize> = BTreeMap::new();
    let payments = confirmed(&chain).filter(|row| row.text("type") == "AT");
    let payments: BTreeMap<(&str, &str), &Value> = payments
        .map(|row| ((row.text("atAddress"), row.text("recipient")), row))
        .collect();
    for row in chain.trades.iter() {
        let trade = row.at("trade");
        let contract = trade.text("qortalAtAddress");
        assert!(is_address(contract) && is_address(trade.text("qortalCreatorTradeAddress")));
        let held = chain.balance(contract, 0);
        assert_eq!(held, trade.amount("qortBalance"), "{contract}");
        if trade.text("mode") == "REFUNDED" {
            let refund = payments.get(&(contract, trade.text("qortalCreator")));
            let height = refund.map(|row| row.number("blockHeight"));
            assert_eq!(height, Some(trade.number("tradeRefundHeight")), "{row}");
        }
        let finished = row.number("completed");
        if finished > 0 {
            *coins.entry(trade.text("foreignBlockchain")).or_default() += 1;
            let receiver = trade.text("qortalPartnerReceivingAddress");
            let paid = payments.get(&(contract, receiver));
            let paid = paid.unwrap_or_else(|| panic!("{contract} has paid no one"));
            assert_eq!(paid.text("amount"), trade.text("qortAmount"));
            assert_eq!(paid.number("timestamp"), finished);
            let block = chain.block(paid.number("blockHeight")).unwrap();
            assert_eq!(block.timestamp(), finished);
        }
    }
    assert_eq!(coins.len(), 6);
    assert!(coins.values().all(|trades| *trades >= 80), "{coins:?}");
}

#[test]
fn lock_time_of_a_recent_trade_follows_its_creation_on_any_day() {
    for later in [0, 40 * DAY] {
        let chain = Chain::demo(Calendar::at(NOW + later));
        let mut trading = 0;
        for row in chain.trades.iter() {
            let trade = row.at("trade");
            if trade.text("mode") == "TRADING" {
                trading += 1;
                let lock_time = trade.number("lockTimeA") * 1_000;
                let age = lock_time - trade.number("creationTimestamp");
                assert!((0..=3 * DAY).contains(&age), "{later}: {row}");
            }
        }
        assert!(trading > 0);
    }
}

#[test]
fn everyone_votes_once_for_an_option_there_is() {
    let chain = chain();
    let mut votes = BTreeSet::new();
    for vote in chain.votes.iter() {
        let poll = vote.text("pollName");
        assert!(votes.insert((poll, vote.text("voterPublicKey"))), "{vote}");
        let poll = chain
            .polls
            .iter()
            .find(|it| it.text("pollName") == poll)
            .unwrap();
        let option = usize::try_from(vote.number("optionIndex")).unwrap();
        assert!(option < poll.at("pollOptions").as_array().unwrap().len());
    }
}

#[test]
fn what_is_published_has_a_name_a_transaction_and_files() {
    let chain = chain();
    for row in chain.qdn_resources.iter() {
        let name = chain
            .names
            .iter()
            .find(|it| it.text("name") == row.text("name"));
        let owner = name
            .unwrap_or_else(|| panic!("{row} has no owner"))
            .text("owner");
        let sent = confirmed(&chain).find(|it| it.text("signature") == row.text("latestSignature"));
        assert_eq!(sent.unwrap().text("creatorAddress"), owner);
        assert_eq!(sent.unwrap().number("timestamp"), row.number("created"));
    }
    let files = chain
        .qdn_content
        .iter()
        .filter_map(|row| row.at("files").as_array());
    let pictures = files
        .flatten()
        .filter(|file| file.text("contentType") == "image/png");
    let pictures: Vec<Vec<u8>> = pictures
        .map(|file| BASE64.decode(file.text("data").as_bytes()).unwrap())
        .collect();
    assert!(pictures.len() >= 9 && pictures.iter().all(|it| it.starts_with(b"\x89PNG")));
}
