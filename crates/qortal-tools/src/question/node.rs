//! What operators of nodes and minters ask.

use super::{Question, questions};

pub(super) static QUESTIONS: &[Question] = questions! {
    Core {
        "Is my node synchronized, or stuck?":
            get_node_health {} => {
                "/height": 468,
                "/isSynchronizing": false,
                "/lastBlockTimestampIso": "2026-11-21T06:22:49.424Z",
                "/verdict": "unhealthy",
                "/outboundPeers": 0
            }
        "Why am I not minting?":
            get_minting_status {"address": "QSsBRjKobUenghATsCnodVRfYGDACzreCC"} => {
                "/level": 0,
                "/hasMintingKey": false,
                "/blocksMintedPenalty": -5000,
                "/obstacles/0": "It has no minting key: no reward share with itself is on the chain."
            }
        "When do I reach the next level, and am I online?":
            get_minting_status {"address": "Alice Test", "include_online": true} => {
                "/level": 8,
                "/blocksMinted": 459,
                "/isFounder": true,
                "/isOnline": true,
                "/obstacles": []
            }
    }
    Standard {
        "Is my node on a fork?":
            compare_nodes {} => {
                "/verdict": "nothing to compare",
                "/nodes/0/height": 468
            }
        "Which versions do other nodes run?":
            list_peers {} => {
                "/total": 0,
                "/versions": []
            }
        "How many QORT are there, and how busy was the chain in the last 24 hours?":
            get_network_stats {} => {
                "/circulatingSupply": "2117.00000000",
                "/transactionsLastDay": 332,
                "/blocksLastDay": 468
            }
        "How many minters are online, and at which levels?":
            get_network_stats {} => {
                "/onlineMinters": 7,
                "/onlineLevels/0": {"level": 0, "count": 2}
            }
        "Who sponsors me?":
            get_sponsorship {"address": "Bób-Name"} => {
                "/sponsor": "QYeTxCyLUNdagyNQBkC7yXVipLb5HHL9tY",
                "/sponsorLevel": 7
            }
        "Whom do I sponsor, and are they active?":
            get_sponsorship {"address": "Alice Test"} => {
                "/sponseeCount": 2,
                "/sponseesActivity/boughtQort": 700,
                "/activity/qdnTransactions": 2
            }
        "How do I become a minter?":
            explain_topic {"topic": "become_minter"} => {
                "/title": "Becoming a minter"
            }
        "How many days does it take to reach level 1?":
            explain_topic {"topic": "become_minter"} => {
                "/title": "Becoming a minter"
            }
        "May an account of level 0 make a reward share with itself?":
            explain_topic {"topic": "become_minter"} => {
                "/title": "Becoming a minter"
            }
        "Who transferred minting privileges to this account?":
            get_minting_status {"address": "QT1XAJAgLYwrYXdTDKDg8c29uMVosh3HgU"} => {
                "/privilegesFrom": "QMm4tkDnJvzUE7oUWqQBAnssVLt6tFRg2n in block 75 (2026-11-20T23:18:49.107Z)",
                "/blocksMintedAdjustment": 60,
                "/level": 3
            }
        "My node does not synchronize. What can I do?":
            explain_topic {"topic": "node_sync"} => {
                "/title": "A node that does not synchronize"
            }
        "Must port 12392 be open, and why do few peers answer?":
            explain_topic {"topic": "node_sync"} => {
                "/title": "A node that does not synchronize"
            }
        "The bootstrap failed. May the db folder be missing?":
            explain_topic {"topic": "node_sync"} => {
                "/title": "A node that does not synchronize"
            }
        "Is there a limit to the number of QORT?":
            explain_topic {"topic": "minting_levels"} => {
                "/title": "Minting levels and rewards"
            }
    }
    Full {
        "Why did I lose my level?":
            get_minting_status {"address": "QMm4tkDnJvzUE7oUWqQBAnssVLt6tFRg2n"} => {
                "/level": 0,
                "/obstacles/1": "It gave its minting privileges, level and blocks away in block 75 (2026-11-20T23:18:49.107Z)."
            }
        "Who mints for whom, and for which share?":
            list_reward_shares {"address": "chloe"} => {
                "/rewardShares/0/minter": "QMu8e6kPdCx4pCBgwuEEBPkZ8qXMyV4q92",
                "/rewardShares/0/sharePercent": "12.34"
            }
        "Who is online, and may they mint?":
            list_online_minters {"detail": "full"} => {
                "/minters/0/isMinterMember": false
            }
        "How many are online at each level, without the rest?":
            list_online_minters {} => {
                "/total": 7,
                "/levels/0": {"level": 0, "count": 2}
            }
        "Which accounts does my node mint for?":
            list_minting_accounts {} => {
                "/total": 2,
                "/keys/0/minterName": "Alice Test",
                "/keys/0/level": 8,
                "/keys/1/recipientName": "Bób-Name"
            }
        "How many accounts have reached level 5, and which?":
            list_accounts_by_level {"level": 5} => {
                "/total": 1,
                "/levels/0": {"level": 5, "count": 1},
                "/accounts/0/address": "Qci5m9k4rcwe4ruKrZZQKka4FzUUMut3er"
            }
        "Who was penalized, and how much?":
            list_penalties {} => {
                "/accountsWithPenalty": 2,
                "/blocksOfAll": -5003,
                "/penalties/0/blocksMintedPenalty": -5000
            }
        "Have I got a penalty?":
            list_penalties {"address": "QSsBRjKobUenghATsCnodVRfYGDACzreCC"} => {
                "/total": 1,
                "/penalties/0/blocksMintedPenalty": -5000
            }
        "When did Alice last mint a block?":
            list_blocks_by_minter {"address": "Alice Test", "limit": 1} => {
                "/blocks/0/height": 467,
                "/blocks/0/timestampIso": "2026-11-21T06:21:54.673Z"
            }
        "What does my node store, and does it relay?":
            get_node_settings {} => {
                "/settings/9/name": "storagePolicy",
                "/settings/9/value": "FOLLOWED_OR_VIEWED",
                "/settings/11/name": "relayModeEnabled",
                "/settings/11/value": "true"
            }
        "Does my node archive blocks, and does it bootstrap?":
            get_node_settings {} => {
                "/settings/5/name": "bootstrap",
                "/settings/5/value": "true",
                "/settings/6/name": "archiveEnabled",
                "/settings/6/value": "true"
            }
        "How many blocks has a day, and when is the next payout of minting rewards?":
            get_chain_params {} => {
                "/measuredBlocksPerDay": 1337,
                "/measuredBlockSeconds": "64.6"
            }
        "Whom does my node follow, and whom does it block?":
            get_node_lists {} => {
                "/followedNames": ["victor", "Alice Test"],
                "/blockedNames": ["spam-name"],
                "/blockedAddressCount": 0
            }
        "What do other nodes ask mine for?":
            get_engine_stats {} => {
                "/messages/0/counters/requests": 0
            }
        "How many blocks and transactions were there in all time?":
            get_node_summary {"all_time": true} => {
                "/blockCount": 467
            }
    }
};
