//! `qortal-mcp watch`: what is watched, and how its changes are told.

use clap::{Args, Subcommand, ValueEnum};
use qortal_resources::watch::Subject;
use qortal_types::Amount;

/// `qortal-mcp watch`
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, subcommand_value_name = "SUBJECT", subcommand_help_heading = "Subjects")]
pub(crate) struct Watch {
    #[command(subcommand)]
    pub(crate) what: What,
    /// Output format, with one line per change
    #[arg(long, value_name = "FORMAT", default_value = "text", global = true)]
    pub(crate) format: LineFormat,
    /// Command to run for each change, which it receives as a line of JSON on standard input. Commands run in order, one at a time, with sh -c (Windows: cmd /C), for at most 60 seconds each
    #[arg(long, value_name = "COMMAND", global = true)]
    pub(crate) exec: Option<String>,
    /// Exit after the first change
    #[arg(long, global = true)]
    pub(crate) once: bool,
}

const EXAMPLES: &str = "\
Examples:
  qortal-mcp watch tip --demo                        Blocks of a simulated node, every 73 seconds
  qortal-mcp watch account rita-trades --once        Wait for a payment, then exit
  qortal-mcp watch offers LTC --below 0.003 --exec 'jq -r .text | mail -s offer me'

Changes are printed on standard output. The start of the wait and outages of the node are reported on standard error.";

/// `--format`
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum LineFormat {
    /// A timestamp and a sentence
    Text,
    /// A JSON object with the fields timestamp, subject, event, text and data
    Json,
}

/// What is watched.
#[derive(Debug, Clone, Subcommand)]
pub(crate) enum What {
    /// Payments to an account, its level and whether it mints
    Account {
        /// Address or registered name
        account: String,
    },
    /// Steps of a trade, and whether its seller is online
    Trade {
        /// Address of the trade's automated transaction (AT)
        at: String,
    },
    /// Offers of QORT for a coin, as they appear and disappear
    Offers {
        /// Coin, such as LTC or LITECOIN
        coin: String,
        /// Report only offers below this price, in coins per QORT
        #[arg(long, value_name = "PRICE")]
        below: Option<Amount>,
    },
    /// Owner, price and data of a name, registered or not
    Name {
        /// Name to watch
        name: String,
    },
    /// Join requests, members, admins, bans and settings of a group
    Group {
        /// Group number or name
        group: String,
    },
    /// Messages in a group, or between two accounts
    Chat {
        /// Group number or name, or with WITH an account
        room: String,
        /// The other account
        with: Option<String>,
    },
    /// Publications of a QDN resource, and how much of it the node holds
    Resource {
        /// Service, such as WEBSITE
        service: String,
        /// Registered name of the publisher
        name: String,
        /// Identifier, if the resource has one
        #[arg(default_value = "", hide_default_value = true)]
        identifier: String,
    },
    /// Health of the node: unreachable, behind, without peers or without new blocks
    Node,
    /// Each new block
    Tip,
}

impl From<What> for Subject {
    fn from(it: What) -> Self {
        match it {
            What::Account { account } => Self::Account(account),
            What::Trade { at } => Self::Trade(at),
            What::Offers { coin, below } => Self::Offers { coin, below },
            What::Name { name } => Self::Name(name),
            What::Group { group } => Self::Group(group),
            What::Chat { room, with: None } => Self::Chat(room),
            What::Chat {
                room,
                with: Some(other),
            } => Self::DirectChat(room, other),
            What::Resource {
                service,
                name,
                identifier,
            } => Self::Resource {
                service,
                name,
                identifier,
            },
            What::Node => Self::Node,
            What::Tip => Self::Tip,
        }
    }
}
