//! The tools chosen by a server or one of its callers: a surface with additions and exclusions.

use serde::Deserialize;

/// The choice of listed tools.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Selection {
    /// The surface to start with.
    pub surface: Surface,
    /// Families to restrict the list to. Empty means all.
    pub families: Vec<String>,
    /// Tools to list in addition, whatever the surface.
    pub include: Vec<String>,
    /// Tools excluded from every list.
    pub exclude: Vec<String>,
    /// Tools to hide from the caller: they are not listed, not found by a search, and not named by a resource.
    pub withheld: Vec<String>,
    /// The output schemas to list. `None` means the default of the surface.
    pub output_schemas: Option<OutputSchemas>,
    /// Whether tools are linked to views. Hosts show views next to answers. Off by default, because a server that links
    /// to views has to serve them.
    pub views: bool,
}

/// The output schemas in tool lists. With `Off`, an MCP server sends answers as text alone, unless the client shows views.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum OutputSchemas {
    /// No schemas: the shortest lists.
    Off,
    /// Types and names, without descriptions.
    Lean,
    /// With a description of each field, for hosts whose models write code against them.
    Full,
}

impl Default for Selection {
    fn default() -> Self {
        Self {
            surface: Surface::Standard,
            families: Vec::new(),
            include: Vec::new(),
            exclude: Vec::new(),
            withheld: Vec::new(),
            output_schemas: None,
            views: false,
        }
    }
}

impl Selection {
    /// Creates a selection of a whole surface.
    #[must_use]
    pub fn of(surface: Surface) -> Self {
        Self {
            surface,
            ..Self::default()
        }
    }

    /// Returns the chosen value, or the default of the surface: `core` keeps lists as short as possible.
    #[must_use]
    pub fn output_schemas(&self) -> OutputSchemas {
        self.output_schemas.unwrap_or(match self.surface {
            Surface::Core => OutputSchemas::Off,
            Surface::Standard | Surface::Python | Surface::Extended | Surface::Dynamic => {
                OutputSchemas::Lean
            }
        })
    }
}

/// The base set of listed tools. Unlisted tools can still be called by name, though most hosts call listed tools only.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Surface {
    /// The tools that answer the most common [questions](crate::Question), for small models and hosts with many tools.
    Core,
    /// The tools that answer the [questions](crate::Question) of users.
    Standard,
    /// The tools of the older Python server.
    Python,
    /// Every tool, except those of the Python server that another one answers better, and the three of [`Surface::Dynamic`].
    Extended,
    /// Three tools that find, describe and call all others, for the tightest contexts.
    Dynamic,
}

/// The tools of the Python server `qortal-mcp-server`, which this server can replace.
const PYTHON: &str = "get_node_status get_node_info get_node_summary get_node_uptime get_account_overview \
    get_balance validate_address get_name_info get_primary_name search_names list_names list_names_for_sale get_names_by_address \
    list_trade_offers list_hidden_trade_offers get_trade_detail list_completed_trades get_trade_ledger \
    get_trade_price list_groups get_groups_by_owner get_groups_by_member get_group get_group_members \
    get_group_invites_by_address get_group_invites_by_group get_group_join_requests get_group_bans get_chat_messages \
    count_chat_messages get_chat_message_by_signature get_active_chats get_block_at_timestamp get_block_height \
    get_block_by_height list_block_summaries list_block_range search_transactions get_block_by_signature \
    get_block_height_by_signature get_first_block get_last_block get_transaction_by_signature \
    get_transaction_by_reference list_transactions_by_block list_transactions_by_address \
    list_transactions_by_creator search_qdn list_assets get_asset_info get_asset_balances";

/// Tools of the Python server that another tool supersedes. They are on no other surface.
const SUPERSEDED: &str = "get_node_status get_node_uptime get_primary_name validate_address get_first_block get_block_height \
    get_block_height_by_signature list_transactions_by_address get_transaction_by_signature get_account_overview \
    count_chat_messages get_group_join_requests get_group_invites_by_group get_group_invites_by_address get_trade_price";

impl Surface {
    /// All surfaces.
    pub const ALL: [Self; 5] = [
        Self::Core,
        Self::Standard,
        Self::Python,
        Self::Extended,
        Self::Dynamic,
    ];

    /// Returns the name of the surface in settings.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Core => "core",
            Self::Standard => "standard",
            Self::Python => "python",
            Self::Extended => "extended",
            Self::Dynamic => "dynamic",
        }
    }

    /// Returns `true` if this is the Python server's surface and the tool is from that server. For the programs written
    /// for it, the tool then answers in full and has its former defaults.
    pub(crate) fn is_older(self, tool: &str) -> bool {
        self == Self::Python && is_of_python(tool)
    }
}

pub(super) fn is_superseded(tool: &str) -> bool {
    SUPERSEDED.split(' ').any(|it| it == tool)
}

pub(super) fn is_of_python(tool: &str) -> bool {
    PYTHON.split(' ').any(|it| it == tool)
}
