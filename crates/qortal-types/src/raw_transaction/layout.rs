//! The fields of each transaction type in byte order, from the `fromByteBuffer` methods of the Core's transformers.

use crate::{Timestamp, TransactionType};
use Kind::{
    Address, Amount, AssetOfAmount, Byte, Bytes, Data, Flag, Int, Long, OptionalAddress,
    OptionalData, OptionalReference, OptionalText, Options, Payments, Percent, Text, Word,
};

/// How a member is written.
#[derive(Debug, Clone, Copy)]
pub(super) enum Kind {
    /// 25 bytes.
    Address,
    /// A flag, then an address if it is set.
    OptionalAddress,
    /// Four bytes with the length, then UTF-8; with the most bytes it may have.
    Text(i32),
    /// The same, left out if it is empty.
    OptionalText(i32),
    /// As many bytes as this.
    Bytes(usize),
    /// Four bytes with the length, then the bytes; with the most there may be.
    Data(i32),
    /// The same, left out if it is empty.
    OptionalData(i32),
    /// A flag, then 64 bytes if it is set.
    OptionalReference,
    /// Eight bytes.
    Amount,
    /// Eight bytes, but only if the amount before them is not zero.
    AssetOfAmount,
    /// Eight bytes.
    Long,
    /// Four bytes.
    Int,
    /// One byte.
    Byte,
    /// One byte; anything but zero is yes.
    Flag,
    /// A number of so many bytes that stands for one of these words.
    Word(usize, &'static [(i32, &'static str)]),
    /// Eight bytes: hundredths of a percent.
    Percent,
    /// Four bytes with their number, then recipient, asset and amount of each.
    Payments,
    /// Four bytes with their number, then the text of each.
    Options,
}

/// A member: its name in the Core's JSON, and how it is written.
pub(super) type Member = (&'static str, Kind);

/// The members of a type.
#[derive(Debug, Clone, Copy)]
pub(super) struct Layout {
    /// The name of the creator's key in the Core's JSON; some types do not write it.
    pub(super) creator: Option<&'static str>,
    /// Whether it begins with a group and the key of its creator. Those of automated transactions do not.
    pub(super) is_of_a_person: bool,
    pub(super) members: &'static [Member],
    /// Members between the fee and the signature.
    pub(super) after_fee: &'static [Member],
}

/// `transactionV5Timestamp` of the main network, 2022-01-14.
const VERSION_5: Timestamp = Timestamp::from_millis(1_642_176_000_000);
/// `chatReferenceTimestamp` of the main network, 2023-01-21.
const CHAT_REFERENCES: Timestamp = Timestamp::from_millis(1_674_316_800_000);

/// Class `Group.ApprovalThreshold`.
const THRESHOLDS: &[(i32, &str)] = &[
    (0, "NONE"),
    (1, "ONE"),
    (20, "PCT20"),
    (40, "PCT40"),
    (60, "PCT60"),
    (80, "PCT80"),
    (100, "PCT100"),
];
/// Class `ArbitraryTransactionData.Method`.
const METHODS: &[(i32, &str)] = &[(0, "PUT"), (1, "PATCH")];
/// Class `ArbitraryTransactionData.Compression`.
const COMPRESSIONS: &[(i32, &str)] = &[(0, "NONE"), (1, "ZIP")];
/// Class `ArbitraryTransactionData.DataType`, as a flag whether the data is all of it.
const DATA_TYPES: &[(i32, &str)] = &[(0, "DATA_HASH"), (1, "RAW_DATA")];
/// Class `PresenceTransaction.PresenceType`.
const PRESENCES: &[(i32, &str)] = &[(0, "REWARD_SHARE"), (1, "TRADE_BOT")];

/// Bytes of a signature, and of what refers to one.
const SIGNATURE: usize = 64;
/// Most bytes of texts: the constants `MAX_…` of the classes `Name`, `Group`, `Poll`, `Asset` and `DeployAtTransaction`.
const NAME: i32 = 40;
const NAME_DATA: i32 = 4_000;
const GROUP_NAME: i32 = 32;
const GROUP_TEXT: i32 = 128;
pub(super) const POLL_NAME: i32 = 400;
const DESCRIPTION: i32 = 4_000;
const ASSET_NAME: i32 = 40;
const ASSET_DATA: i32 = 400_000;
const AT_NAME: i32 = 200;
const AT_DESCRIPTION: i32 = 2_000;
const AT_CREATION: i32 = 4_096;
const MESSAGE: i32 = 4_000;
const IDENTIFIER: i32 = 64;
const SECRET: i32 = 32;
const ARBITRARY_DATA: i32 = 256;
const HASH: i32 = 32;

const fn of(creator: &'static str, members: &'static [Member]) -> Layout {
    Layout {
        creator: Some(creator),
        ..unnamed(members)
    }
}

const fn unnamed(members: &'static [Member]) -> Layout {
    Layout {
        creator: None,
        is_of_a_person: true,
        members,
        after_fee: &[],
    }
}

/// The layout of a type at a time; `None` if there is none.
pub(super) fn layout(transaction_type: &TransactionType, timestamp: Timestamp) -> Option<Layout> {
    use TransactionType as Type;
    let layout = match transaction_type {
        Type::Genesis | Type::Airdrop | Type::EnableForging | Type::Other(_) => return None,
        Type::Payment => of(
            "senderPublicKey",
            &[("recipient", Address), ("amount", Amount)],
        ),
        Type::RegisterName => of(
            "registrantPublicKey",
            &[("name", Text(NAME)), ("data", Text(NAME_DATA))],
        ),
        Type::UpdateName => of(
            "ownerPublicKey",
            &[
                ("name", Text(NAME)),
                ("newName", Text(NAME)),
                ("newData", Text(NAME_DATA)),
            ],
        ),
        Type::SellName => of(
            "ownerPublicKey",
            &[("name", Text(NAME)), ("amount", Amount)],
        ),
        Type::CancelSellName => of("ownerPublicKey", &[("name", Text(NAME))]),
        Type::BuyName => of(
            "buyerPublicKey",
            &[
                ("name", Text(NAME)),
                ("amount", Amount),
                ("seller", Address),
            ],
        ),
        Type::CreatePoll => unnamed(&[
            ("owner", Address),
            ("pollName", Text(POLL_NAME)),
            ("description", Text(DESCRIPTION)),
            ("pollOptions", Options),
        ]),
        Type::VoteOnPoll => of(
            "voterPublicKey",
            &[("pollName", Text(POLL_NAME)), ("optionIndex", Int)],
        ),
        Type::Arbitrary if timestamp < VERSION_5 => of(
            "senderPublicKey",
            &[
                ("payments", Payments),
                ("service", Int),
                ("dataType", Word(1, DATA_TYPES)),
                ("data", Data(ARBITRARY_DATA)),
            ],
        ),
        Type::Arbitrary => of(
            "senderPublicKey",
            &[
                ("nonce", Int),
                ("name", OptionalText(NAME)),
                ("identifier", OptionalText(IDENTIFIER)),
                ("method", Word(4, METHODS)),
                ("secret", OptionalData(SECRET)),
                ("compression", Word(4, COMPRESSIONS)),
                ("payments", Payments),
                ("service", Int),
                ("dataType", Word(1, DATA_TYPES)),
                ("data", Data(ARBITRARY_DATA)),
                ("size", Int),
                ("metadataHash", OptionalData(HASH)),
            ],
        ),
        Type::IssueAsset => of(
            "issuerPublicKey",
            &[
                ("assetName", Text(ASSET_NAME)),
                ("description", Text(DESCRIPTION)),
                ("quantity", Amount),
                ("isDivisible", Flag),
                ("data", Text(ASSET_DATA)),
                ("isUnspendable", Flag),
            ],
        ),
        Type::TransferAsset => of(
            "senderPublicKey",
            &[
                ("recipient", Address),
                ("assetId", Long),
                ("amount", Amount),
            ],
        ),
        Type::CreateAssetOrder => of(
            "creatorPublicKey",
            &[
                ("haveAssetId", Long),
                ("wantAssetId", Long),
                ("amount", Amount),
                ("price", Amount),
            ],
        ),
        Type::CancelAssetOrder => of("creatorPublicKey", &[("orderId", Bytes(SIGNATURE))]),
        Type::MultiPayment => of("senderPublicKey", &[("payments", Payments)]),
        Type::DeployAt => of(
            "creatorPublicKey",
            &[
                ("name", Text(AT_NAME)),
                ("description", Text(AT_DESCRIPTION)),
                ("aTType", Text(AT_NAME)),
                ("tags", Text(AT_NAME)),
                ("creationBytes", Data(AT_CREATION)),
                ("amount", Amount),
                ("assetId", Long),
            ],
        ),
        Type::Message => of(
            "senderPublicKey",
            &[
                ("nonce", Int),
                ("recipient", OptionalAddress),
                ("amount", Amount),
                ("assetId", AssetOfAmount),
                ("data", Data(MESSAGE)),
                ("isEncrypted", Flag),
                ("isText", Flag),
            ],
        ),
        Type::Chat => Layout {
            after_fee: if timestamp < CHAT_REFERENCES {
                &[]
            } else {
                &[("chatReference", OptionalReference)]
            },
            ..of(
                "senderPublicKey",
                &[
                    ("nonce", Int),
                    ("recipient", OptionalAddress),
                    ("data", Data(MESSAGE)),
                    ("isEncrypted", Flag),
                    ("isText", Flag),
                ],
            )
        },
        Type::Publicize => of("senderPublicKey", &[("nonce", Int)]),
        Type::At => Layout {
            is_of_a_person: false,
            ..unnamed(&[
                ("atAddress", Address),
                ("recipient", Address),
                ("assetId", Long),
                ("amount", Amount),
            ])
        },
        Type::CreateGroup => of(
            "creatorPublicKey",
            &[
                ("groupName", Text(GROUP_NAME)),
                ("description", Text(GROUP_TEXT)),
                ("isOpen", Flag),
                ("approvalThreshold", Word(1, THRESHOLDS)),
                ("minimumBlockDelay", Int),
                ("maximumBlockDelay", Int),
            ],
        ),
        Type::UpdateGroup => of(
            "ownerPublicKey",
            &[
                ("groupId", Int),
                ("newOwner", Address),
                ("newDescription", Text(GROUP_TEXT)),
                ("newIsOpen", Flag),
                ("newApprovalThreshold", Word(1, THRESHOLDS)),
                ("newMinimumBlockDelay", Int),
                ("newMaximumBlockDelay", Int),
            ],
        ),
        Type::AddGroupAdmin => of("ownerPublicKey", &[("groupId", Int), ("member", Address)]),
        Type::RemoveGroupAdmin => of("ownerPublicKey", &[("groupId", Int), ("admin", Address)]),
        Type::GroupBan => of(
            "adminPublicKey",
            &[
                ("groupId", Int),
                ("offender", Address),
                ("reason", Text(GROUP_TEXT)),
                ("timeToLive", Int),
            ],
        ),
        Type::CancelGroupBan => of("adminPublicKey", &[("groupId", Int), ("member", Address)]),
        Type::GroupKick => of(
            "adminPublicKey",
            &[
                ("groupId", Int),
                ("member", Address),
                ("reason", Text(GROUP_TEXT)),
            ],
        ),
        Type::GroupInvite => of(
            "adminPublicKey",
            &[("groupId", Int), ("invitee", Address), ("timeToLive", Int)],
        ),
        Type::CancelGroupInvite => of("adminPublicKey", &[("groupId", Int), ("invitee", Address)]),
        Type::JoinGroup => of("joinerPublicKey", &[("groupId", Int)]),
        Type::LeaveGroup => of("leaverPublicKey", &[("groupId", Int)]),
        Type::GroupApproval => of(
            "adminPublicKey",
            &[("pendingSignature", Bytes(SIGNATURE)), ("approval", Flag)],
        ),
        Type::SetGroup => of("creatorPublicKey", &[("defaultGroupId", Int)]),
        Type::UpdateAsset => of(
            "ownerPublicKey",
            &[
                ("assetId", Long),
                ("newOwner", Address),
                ("newDescription", Text(DESCRIPTION)),
                ("newData", Text(ASSET_DATA)),
            ],
        ),
        Type::AccountFlags => of(
            "creatorPublicKey",
            &[
                ("target", Address),
                ("andMask", Int),
                ("orMask", Int),
                ("xorMask", Int),
            ],
        ),
        Type::RewardShare => of(
            "minterPublicKey",
            &[
                ("recipient", Address),
                ("rewardSharePublicKey", Bytes(32)),
                ("sharePercent", Percent),
            ],
        ),
        Type::AccountLevel => of("creatorPublicKey", &[("target", Address), ("level", Byte)]),
        Type::TransferPrivs => of("senderPublicKey", &[("recipient", Address)]),
        Type::Presence => of(
            "senderPublicKey",
            &[
                ("nonce", Int),
                ("presenceType", Word(1, PRESENCES)),
                ("timestampSignature", Bytes(SIGNATURE)),
            ],
        ),
    };
    Some(layout)
}
