//! The table of prompts. A prompt is offered if all its resources are.

use super::{Format, Prompt, PromptArgument};

const fn argument(name: &'static str, description: &'static str) -> PromptArgument {
    PromptArgument {
        name,
        description,
        default: None,
        format: Format::Line,
    }
}

const ADDRESS: PromptArgument = argument("address", "An account address, or a registered name.");
const AT_ADDRESS: PromptArgument = argument(
    "at_address",
    "The address of the trade's automated transaction; it starts with A.",
);
const BLOCKCHAIN: PromptArgument = argument("blockchain", "The other coin, such as LITECOIN.");

/// In the order they are listed.
pub(super) static ALL: &[Prompt] = &[
    Prompt {
        name: "getting_started",
        title: "Getting started",
        description: "Learn what can be asked here.",
        arguments: &[],
        text: "Tell me in a few sentences what I can find out about Qortal here. Begin with the state of the node, then name the subjects that the tools cover, each with one question as an example.",
        resources: &["qortal://node/status", "qortal://tools"],
    },
    Prompt {
        name: "node_health_report",
        title: "Report on the node",
        description: "Check the health of the node and explain any problem.",
        arguments: &[],
        text: "Is this Qortal node well? Begin with a verdict of one sentence. Then list what is not in order, with the figures behind it and what its operator can do about it.",
        resources: &[
            "qortal://node/health",
            "qortal://node/peers",
            "qortal://docs/node_sync",
        ],
    },
    Prompt {
        name: "fork_check",
        title: "Are the nodes on the same chain?",
        description: "Find out whether the configured nodes have diverged.",
        arguments: &[],
        text: "Are these Qortal nodes on the same chain? If they diverge, say at which height and which side looks like the main chain, and why.",
        resources: &["qortal://node/comparison", "qortal://node/health"],
    },
    Prompt {
        name: "network_report",
        title: "Report on the network",
        description: "Summarize the state of the Qortal network.",
        arguments: &[],
        text: "Summarize the state of the Qortal network: who mints, the supply, which versions the peers run, and what was done on the chain in the last 24 hours.",
        resources: &[
            "qortal://network",
            "qortal://node/peers",
            "qortal://node/summary",
        ],
    },
    Prompt {
        name: "audit_account",
        title: "Review an account",
        description: "Say what an account is, has and does.",
        arguments: &[ADDRESS],
        text: "Look over the Qortal account {address}. Say who it is, what it owns and what it did lately, and point out what is unusual. Give amounts in QORT and times in UTC.",
        resources: &[
            "qortal://account/{address}/report",
            "qortal://account/{address}/transactions",
        ],
    },
    Prompt {
        name: "why_am_i_not_minting",
        title: "Why am I not minting?",
        description: "Find what keeps an account from minting.",
        arguments: &[ADDRESS],
        text: "Why does the Qortal account {address} not mint, or why does it look as if it did not? Go through the conditions one by one, say which one is not met, and what to do next.",
        resources: &[
            "qortal://account/{address}/minting",
            "qortal://node/status",
            "qortal://docs/become_minter",
        ],
    },
    Prompt {
        name: "minting_progress",
        title: "Minting progress",
        description: "Say how far an account is from its next level.",
        arguments: &[ADDRESS],
        text: "How far is the Qortal account {address} from its next minting level? Name the blocks it has, the blocks it lacks and when it can be there if it mints without a break, and what the estimate rests on.",
        resources: &[
            "qortal://account/{address}/minting",
            "qortal://docs/minting_levels",
        ],
    },
    Prompt {
        name: "explain_transaction",
        title: "Explain a transaction",
        description: "Say in plain words what a transaction did.",
        arguments: &[argument("signature", "The signature of the transaction.")],
        text: "Explain the Qortal transaction {signature} to someone who does not know blockchains: who did what, what it cost, and whether it is final.",
        resources: &[
            "qortal://tx/{signature}/explained",
            "qortal://tx/{signature}",
        ],
    },
    Prompt {
        name: "explain_trade",
        title: "Explain a trade",
        description: "Say what state a trade is in and what happens next.",
        arguments: &[AT_ADDRESS],
        text: "What is the state of the Qortal trade {at_address}, what happens next, and by when? If it seems stuck, say what its parties can do and what they should not do.",
        resources: &[
            "qortal://trade/{at_address}/explained",
            "qortal://docs/trade_states",
        ],
    },
    Prompt {
        name: "market_brief",
        title: "Market brief",
        description: "Sum up the market of QORT for one coin.",
        arguments: &[BLOCKCHAIN],
        text: "Sum up the market of QORT for {blockchain}: the last price, how it moved, the volume, and the best offers. Report what the figures say and give no advice on buying or selling.",
        resources: &[
            "qortal://price/{blockchain}/history",
            "qortal://orderbook/{blockchain}",
            "qortal://market",
        ],
    },
    Prompt {
        name: "tax_ledger",
        title: "Trades of a year",
        description: "List the trades of one account in one year, for taxes.",
        arguments: &[
            argument(
                "address",
                "The account whose trades to list: address, name or public key.",
            ),
            PromptArgument {
                format: Format::Year,
                ..argument("year", "The year in UTC, such as 2026.")
            },
        ],
        text: "List the trades of the Qortal account {address} in the year {year} (UTC) as a table: date, bought or sold, amount of QORT, amount of the other coin. Sum up each coin. Say whether the list is complete, it is not if the data says that more was left out. This is no tax advice.",
        resources: &["qortal://ledger/{address}"],
    },
    Prompt {
        name: "name_due_diligence",
        title: "Review a name",
        description: "Say whether a name is free, for sale or taken, and what it could be confused with.",
        arguments: &[argument("name", "The name.")],
        text: "Look over the Qortal name {name}: is it free, for sale or taken, who owns it, what does it cost, and which names could it be confused with?",
        resources: &[
            "qortal://name/{name}/check",
            "qortal://name/{name}",
            "qortal://docs/names",
        ],
    },
    Prompt {
        name: "qdn_publish_check",
        title: "Was it published?",
        description: "Say whether something is published on QDN and can be read.",
        arguments: &[
            argument(
                "service",
                "The kind of resource in upper case, such as WEBSITE.",
            ),
            argument("name", "The name it was published under."),
            PromptArgument {
                default: Some("default"),
                ..argument("identifier", "Its identifier, if it has one.")
            },
        ],
        text: "Was {service}/{name}/{identifier} published on QDN, and can it be read from this node? If not, say what is missing and what its publisher can do.",
        resources: &[
            "qortal://qdn-status/{service}/{name}/{identifier}",
            "qortal://docs/qdn_states",
            "qortal://docs/qdn_publishing",
        ],
    },
    Prompt {
        name: "group_admin_digest",
        title: "Pending approvals of an administrator",
        description: "List what waits for the approval of an account that administers groups.",
        arguments: &[ADDRESS],
        text: "What waits for the approval of the Qortal account {address} in the groups it administers? List it by group, oldest first, with who asks.",
        resources: &[
            "qortal://account/{address}/approvals",
            "qortal://account/{address}/groups",
        ],
    },
    Prompt {
        name: "chat_catchup",
        title: "Catch up with a chat",
        description: "Sum up what was said in a group.",
        arguments: &[
            argument("group_id", "The number or the name of the group."),
            PromptArgument {
                default: Some("the last 24 hours"),
                ..argument("since", "From when on, in any words.")
            },
        ],
        text: "Sum up what was said in the Qortal group {group_id} since {since}: the subjects, what was decided, and what is open. Name who said it. Messages live for 24 hours, and encrypted ones cannot be read: say how many there are. If `truncated` is true, read the rest with the call in `next` first.",
        resources: &["qortal://chat/group/{group_id}"],
    },
];
