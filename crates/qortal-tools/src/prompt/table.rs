//! The table of prompts. One whose resources are not all offered is not offered either.

use super::{Blank, Form, Question};

const fn blank(name: &'static str, description: &'static str) -> Blank {
    Blank {
        name,
        description,
        default: None,
        form: Form::Line,
    }
}

const ADDRESS: Blank = blank("address", "An account address, or a registered name.");
const AT_ADDRESS: Blank = blank(
    "at_address",
    "The address of the trade's automated transaction; it starts with A.",
);
const BLOCKCHAIN: Blank = blank("blockchain", "The other coin, such as LITECOIN.");

/// In the order they are listed.
pub(super) static ALL: &[Question] = &[
    Question {
        name: "getting_started",
        title: "Getting started",
        description: "Learn what can be asked here.",
        blanks: &[],
        text: "Tell me in a few sentences what I can find out about Qortal here. Begin with the state of the node, then name the subjects that the tools cover, each with one question as an example.",
        attached: &["qortal://node/status", "qortal://tools"],
    },
    Question {
        name: "node_health_report",
        title: "Report on the node",
        description: "Say whether the node is well, and what to do if it is not.",
        blanks: &[],
        text: "Is this Qortal node well? Begin with a verdict of one sentence. Then list what is not in order, with the figures behind it and what its operator can do about it.",
        attached: &["qortal://node/health", "qortal://node/peers"],
    },
    Question {
        name: "fork_check",
        title: "Are the nodes on the same chain?",
        description: "Find out whether the configured nodes have parted from each other.",
        blanks: &[],
        text: "Are these Qortal nodes on the same chain? If they part, say at which height and which side looks like the main chain, and why.",
        attached: &["qortal://node/comparison", "qortal://node/health"],
    },
    Question {
        name: "network_report",
        title: "Report on the network",
        description: "Summarize the state of the Qortal network.",
        blanks: &[],
        text: "Summarize the state of the Qortal network: who mints, the supply, which versions the peers run, and what was done on the chain in the last 24 hours.",
        attached: &[
            "qortal://network",
            "qortal://node/peers",
            "qortal://node/summary",
        ],
    },
    Question {
        name: "audit_account",
        title: "Look an account over",
        description: "Say what an account is, has and does.",
        blanks: &[ADDRESS],
        text: "Look over the Qortal account {address}. Say who it is, what it owns and what it did lately, and point out what is unusual. Give amounts in QORT and times in UTC.",
        attached: &[
            "qortal://account/{address}/report",
            "qortal://account/{address}/transactions",
        ],
    },
    Question {
        name: "why_am_i_not_minting",
        title: "Why am I not minting?",
        description: "Find what keeps an account from minting.",
        blanks: &[ADDRESS],
        text: "Why does the Qortal account {address} not mint, or why does it look as if it did not? Go through the conditions one by one, say which one is not met, and what to do next.",
        attached: &[
            "qortal://account/{address}/minting",
            "qortal://node/status",
            "qortal://docs/minting_levels",
        ],
    },
    Question {
        name: "minting_progress",
        title: "Minting progress",
        description: "Say how far an account is from its next level.",
        blanks: &[ADDRESS],
        text: "How far is the Qortal account {address} from its next minting level? Name the blocks it has, the blocks it lacks and when it can be there if it mints without a break, and what the estimate rests on.",
        attached: &[
            "qortal://account/{address}/minting",
            "qortal://docs/minting_levels",
        ],
    },
    Question {
        name: "explain_transaction",
        title: "Explain a transaction",
        description: "Say in plain words what a transaction did.",
        blanks: &[blank("signature", "The signature of the transaction.")],
        text: "Explain the Qortal transaction {signature} to somebody who does not know blockchains: who did what, what it cost, and whether it is final.",
        attached: &[
            "qortal://tx/{signature}/explained",
            "qortal://tx/{signature}",
        ],
    },
    Question {
        name: "explain_trade",
        title: "Explain a trade",
        description: "Say where a trade stands and what happens next.",
        blanks: &[AT_ADDRESS],
        text: "Where does the Qortal trade {at_address} stand, what happens next, and by when? If it seems stuck, say what its parties can do and what they should not do.",
        attached: &[
            "qortal://trade/{at_address}/explained",
            "qortal://docs/trade_states",
        ],
    },
    Question {
        name: "market_brief",
        title: "Market brief",
        description: "Sum up the market of QORT for one coin.",
        blanks: &[BLOCKCHAIN],
        text: "Sum up the market of QORT for {blockchain}: the last price, how it moved, the volume, and the best offers. Report what the figures say and give no advice on buying or selling.",
        attached: &[
            "qortal://price/{blockchain}/history",
            "qortal://orderbook/{blockchain}",
            "qortal://market",
        ],
    },
    Question {
        name: "tax_ledger",
        title: "Trades of a year",
        description: "List the trades of one key in one year, for accounts.",
        blanks: &[
            blank(
                "public_key",
                "The public key whose trades to list, in Base58.",
            ),
            Blank {
                form: Form::Year,
                ..blank("year", "The year in UTC, such as 2026.")
            },
        ],
        text: "List the trades of the Qortal public key {public_key} in the year {year} (UTC) as a table: date, bought or sold, amount of QORT, amount of the other coin. Sum up each coin. Say whether the list is complete, it is not if the data says that more was left out. This is no tax advice.",
        attached: &["qortal://ledger/{public_key}"],
    },
    Question {
        name: "name_due_diligence",
        title: "Look a name over",
        description: "Say whether a name is free, for sale or taken, and what it could be confused with.",
        blanks: &[blank("name", "The name.")],
        text: "Look over the Qortal name {name}: is it free, for sale or taken, who owns it, what does it cost, and which names could it be confused with?",
        attached: &["qortal://name/{name}/check", "qortal://name/{name}"],
    },
    Question {
        name: "qdn_publish_check",
        title: "Was it published?",
        description: "Say whether something is published on QDN and can be read.",
        blanks: &[
            blank(
                "service",
                "The kind of resource in upper case, such as WEBSITE.",
            ),
            blank("name", "The name it was published under."),
            Blank {
                default: Some("default"),
                ..blank("identifier", "Its identifier, if it has one.")
            },
        ],
        text: "Was {service}/{name}/{identifier} published on QDN, and can it be read from this node? If not, say at which step it stands and what its publisher can do.",
        attached: &[
            "qortal://qdn-status/{service}/{name}/{identifier}",
            "qortal://docs/qdn_states",
        ],
    },
    Question {
        name: "group_admin_digest",
        title: "What waits for a group's administrator",
        description: "List what waits for the approval of an account that administers groups.",
        blanks: &[ADDRESS],
        text: "What waits for the approval of the Qortal account {address} in the groups it administers? List it by group, oldest first, with who asks.",
        attached: &[
            "qortal://account/{address}/approvals",
            "qortal://account/{address}/groups",
        ],
    },
    Question {
        name: "chat_catchup",
        title: "Catch up with a chat",
        description: "Sum up what was said in a group.",
        blanks: &[
            blank(
                "group_id",
                "The number of the group; 0 is the general chat.",
            ),
            Blank {
                default: Some("the last 24 hours"),
                ..blank("since", "From when on, in any words.")
            },
        ],
        text: "Sum up what was said in the Qortal group {group_id} since {since}: the subjects, what was decided, and what is open. Name who said it. Messages live for 24 hours, and encrypted ones cannot be read: say how many there are.",
        attached: &["qortal://chat/group/{group_id}"],
    },
];
