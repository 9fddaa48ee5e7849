//! `qortal-mcp watch`: what is watched, and how its changes are told.

use clap::{Args, Subcommand, ValueEnum};
use qortal_resources::watch::Subject;
use qortal_types::Amount;

/// `qortal-mcp watch`
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, subcommand_value_name = "WHAT", subcommand_help_heading = "What")]
pub(crate) struct Watch {
    #[command(subcommand)]
    pub(crate) what: What,
    /// How a change is printed, each on one line
    #[arg(long, value_name = "FORMAT", default_value = "text", global = true)]
    pub(crate) format: LineFormat,
    /// Command to run for each change, with the change as a line of JSON on its standard input: one at a time, in order, by sh -c (Windows: cmd /C), for at most 60 seconds
    #[arg(long, value_name = "COMMAND", global = true)]
    pub(crate) exec: Option<String>,
    /// End after the first change
    #[arg(long, global = true)]
    pub(crate) once: bool,
}

const EXAMPLES: &str = "\
Examples:
  qortal-mcp watch tip --demo                        A block every 73 seconds, of a simulated node
  qortal-mcp watch account rita-trades --once        Wait for a payment, then end
  qortal-mcp watch offers LTC --below 0.003 --exec 'jq -r .text | mail -s offer me'

Changes go to standard output; what is waited for, and that the node does not answer, to standard error.";

/// `--format`
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum LineFormat {
    /// The time and a sentence
    Text,
    /// An object with the fields timestamp, subject, event, text and data
    Json,
}

/// What is watched.
#[derive(Debug, Clone, Subcommand)]
pub(crate) enum What {
    /// Payments to an account, its level, and whether it mints
    Account {
        /// Address or registered name
        account: String,
    },
    /// The steps of a trade, and whether its seller is online
    Trade {
        /// Address of its automated transaction
        at: String,
    },
    /// Offers of QORT for a coin, as they come and go
    Offers {
        /// Such as LTC or LITECOIN
        coin: String,
        /// Only offers with a lower price: the coin for one QORT
        #[arg(long, value_name = "PRICE")]
        below: Option<Amount>,
    },
    /// The owner, price and data of a name, registered or not
    Name {
        /// The name
        name: String,
    },
    /// Who asks to join a group, its members, admins, bans and settings
    Group {
        /// Number or name
        group: String,
    },
    /// Messages of a group, or of two accounts
    Chat {
        /// Number or name of a group; with WITH an account
        room: String,
        /// The other account
        with: Option<String>,
    },
    /// Publications of a QDN resource, and how much of it the node has
    Resource {
        /// Such as WEBSITE
        service: String,
        /// Registered name that publishes it
        name: String,
        /// Its identifier, if it has one
        #[arg(default_value = "", hide_default_value = true)]
        identifier: String,
    },
    /// The health of the node: behind, without peers, without new blocks, not answering
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
