//! The types of transactions.

use std::str::FromStr;

use crate::{UnknownValue, open_enum};

/// What the Core knows of a transaction type besides its name.
#[derive(Debug, Clone, Copy)]
struct Facts {
    id: u32,
    approval: Approval,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Approval {
    /// A group can demand that its admins approve.
    Possible,
    Never,
}

const fn facts(id: u32, approval: Approval) -> Facts {
    Facts { id, approval }
}

open_enum! {
    /// A transaction type, with the numbers of the Core's class `Transaction.TransactionType`.
    ///
    /// `AIRDROP` and `ENABLE_FORGING` have a number, but no such transactions exist.
    TransactionType: Facts, "transaction type", "A type that this crate does not know.";
    Genesis = "GENESIS", facts(1, Approval::Never);
    Payment = "PAYMENT", facts(2, Approval::Never);
    RegisterName = "REGISTER_NAME", facts(3, Approval::Possible);
    UpdateName = "UPDATE_NAME", facts(4, Approval::Possible);
    SellName = "SELL_NAME", facts(5, Approval::Never);
    CancelSellName = "CANCEL_SELL_NAME", facts(6, Approval::Never);
    BuyName = "BUY_NAME", facts(7, Approval::Never);
    CreatePoll = "CREATE_POLL", facts(8, Approval::Possible);
    VoteOnPoll = "VOTE_ON_POLL", facts(9, Approval::Never);
    Arbitrary = "ARBITRARY", facts(10, Approval::Possible);
    IssueAsset = "ISSUE_ASSET", facts(11, Approval::Possible);
    TransferAsset = "TRANSFER_ASSET", facts(12, Approval::Never);
    CreateAssetOrder = "CREATE_ASSET_ORDER", facts(13, Approval::Never);
    CancelAssetOrder = "CANCEL_ASSET_ORDER", facts(14, Approval::Never);
    MultiPayment = "MULTI_PAYMENT", facts(15, Approval::Never);
    DeployAt = "DEPLOY_AT", facts(16, Approval::Possible);
    Message = "MESSAGE", facts(17, Approval::Possible);
    Chat = "CHAT", facts(18, Approval::Never);
    Publicize = "PUBLICIZE", facts(19, Approval::Never);
    Airdrop = "AIRDROP", facts(20, Approval::Never);
    At = "AT", facts(21, Approval::Never);
    CreateGroup = "CREATE_GROUP", facts(22, Approval::Possible);
    UpdateGroup = "UPDATE_GROUP", facts(23, Approval::Possible);
    AddGroupAdmin = "ADD_GROUP_ADMIN", facts(24, Approval::Possible);
    RemoveGroupAdmin = "REMOVE_GROUP_ADMIN", facts(25, Approval::Possible);
    GroupBan = "GROUP_BAN", facts(26, Approval::Possible);
    CancelGroupBan = "CANCEL_GROUP_BAN", facts(27, Approval::Possible);
    GroupKick = "GROUP_KICK", facts(28, Approval::Possible);
    GroupInvite = "GROUP_INVITE", facts(29, Approval::Possible);
    CancelGroupInvite = "CANCEL_GROUP_INVITE", facts(30, Approval::Possible);
    JoinGroup = "JOIN_GROUP", facts(31, Approval::Never);
    LeaveGroup = "LEAVE_GROUP", facts(32, Approval::Never);
    GroupApproval = "GROUP_APPROVAL", facts(33, Approval::Never);
    SetGroup = "SET_GROUP", facts(34, Approval::Never);
    UpdateAsset = "UPDATE_ASSET", facts(35, Approval::Possible);
    AccountFlags = "ACCOUNT_FLAGS", facts(36, Approval::Never);
    EnableForging = "ENABLE_FORGING", facts(37, Approval::Never);
    RewardShare = "REWARD_SHARE", facts(38, Approval::Never);
    AccountLevel = "ACCOUNT_LEVEL", facts(39, Approval::Never);
    TransferPrivs = "TRANSFER_PRIVS", facts(40, Approval::Never);
    Presence = "PRESENCE", facts(41, Approval::Never);
}

impl TransactionType {
    /// Returns the known type with this number.
    #[must_use]
    pub fn from_id(id: u32) -> Option<Self> {
        Self::ALL
            .iter()
            .find(|transaction_type| transaction_type.id() == Some(id))
            .cloned()
    }

    /// Returns the number of the type, or `None` for an unknown type.
    #[must_use]
    pub fn id(&self) -> Option<u32> {
        self.facts().map(|facts| facts.id)
    }

    /// Returns `true` if a group can require approval by its admins. Returns `false` for an unknown type.
    #[must_use]
    pub fn can_need_group_approval(&self) -> bool {
        self.facts()
            .is_some_and(|facts| facts.approval == Approval::Possible)
    }
}

impl FromStr for TransactionType {
    type Err = UnknownValue;

    /// Accepts the known names in any case.
    fn from_str(text: &str) -> Result<Self, UnknownValue> {
        Self::known(&text.to_ascii_uppercase())
            .ok_or_else(|| UnknownValue::new("transaction type", text, Self::names()))
    }
}

#[cfg(test)]
mod tests;
