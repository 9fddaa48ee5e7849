//! Blocks (resource `/blocks`).

use qortal_types::{Address, Amount, BlockSignature, Height, PublicKey, Signature, Timestamp};
use serde::{Deserialize, Deserializer};

use crate::{
    ApiError, Endpoint, Node, NodeError, NodeFuture, PageRequest, Socket, answer::answers,
    call::Call, options::options,
};

answers! {
    /// A block (class `BlockData`).
    pub struct Block {
        /// The signature, which identifies the block.
        pub signature: BlockSignature,
        /// The version of its format.
        pub version: u32,
        /// The signature of the block before it.
        pub reference: BlockSignature,
        /// The number of transactions, including those of automated transactions.
        pub transaction_count: u32,
        /// Fees of all transactions.
        #[serde(deserialize_with = "crate::answer::unsigned_amount")]
        pub total_fees: Amount,
        /// The second half of its signature.
        pub transactions_signature: Signature,
        /// The height.
        pub height: Height,
        /// The time it was minted.
        pub timestamp: Timestamp,
        /// The reward-share key that minted it.
        pub minter_public_key: PublicKey,
        /// The first half of its signature.
        pub minter_signature: Signature,
        /// The number of automated transactions that ran.
        pub at_count: u32,
        /// The fees of those.
        #[serde(deserialize_with = "crate::answer::unsigned_amount")]
        pub at_fees: Amount,
        /// A compressed bitmap of online reward shares in Base58. Absent in the genesis block.
        pub encoded_online_accounts: Option<String>,
        /// The concatenated signatures of the online accounts, in Base58. Present only if requested, and in the genesis block and
        /// its children.
        pub online_accounts_signatures: Option<String>,
        /// The number of online accounts. 0 in most blocks since rewards are paid in batches.
        pub online_accounts_count: u32,
        /// The period for which the accounts were online. Absent if there are none.
        pub online_accounts_timestamp: Option<Timestamp>,
        /// The minter, looked up in the current reward shares. Absent if these no longer contain the key.
        #[serde(default, deserialize_with = "known_address")]
        pub minter_address: Option<Address>,
        /// The minter's current level. 0 if it is unknown. Absent before release 6.
        pub minter_level: Option<u32>,
    }

    /// The head of a block (class `BlockSummaryData`).
    pub struct BlockSummary {
        /// The height.
        pub height: Height,
        /// The signature, which identifies the block.
        pub signature: BlockSignature,
        /// The reward-share key that minted it.
        pub minter_public_key: PublicKey,
        /// The number of online accounts. Absent for some archived blocks.
        pub online_accounts_count: Option<u32>,
        /// The time it was minted. Absent for archived blocks of one signer.
        pub timestamp: Option<Timestamp>,
        /// The number of transactions. Absent for archived blocks of one signer.
        pub transaction_count: Option<u32>,
        /// The signature of the previous block. Absent for archived blocks of one signer.
        pub reference: Option<BlockSignature>,
        /// The minter's level. Normally absent.
        pub minter_level: Option<u32>,
    }

    /// The selection of a block's minter (class `BlockMintingInfo`).
    ///
    /// The Core also sends the distance itself, an integer of up to 78 digits. The ratio carries the same information.
    pub struct BlockMinting {
        /// The reward-share key that minted it.
        pub minter_public_key: PublicKey,
        /// The minter, as for a [`Block`].
        #[serde(default, deserialize_with = "known_address")]
        pub minter_address: Option<Address>,
        /// The minter's level at that time.
        pub minter_level: u32,
        /// The number of online accounts.
        pub online_accounts_count: u32,
        /// The largest possible distance, 2^256 - 1, in decimal.
        pub max_distance: String,
        /// The minter's distance as a fraction of the maximum, weighted by its level: the smaller, the earlier it may mint.
        pub key_distance_ratio: f64,
        /// The time it was minted.
        pub timestamp: Timestamp,
        /// Milliseconds since the block before.
        pub time_delta: i64,
    }

    /// The number of blocks that a key minted (class `BlockSignerSummary`).
    pub struct BlockSigner {
        /// The number of blocks.
        pub block_count: u64,
        /// The minter's key.
        pub minting_account_public_key: PublicKey,
        /// The minter's address.
        pub minting_account: Address,
        /// The minting key, if that is a reward share.
        pub reward_share_public_key: Option<PublicKey>,
        /// The recipient of the rewards, if the key is a reward share.
        pub recipient_account: Option<Address>,
    }
}

options! {
    /// A range of blocks. The Core accepts any number of them and makes two database queries for each.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct BlockRange {
        /// The first block.
        start: Height,
        /// The number of blocks.
        count: u32,
        /// Whether to count down from there instead of up.
        reverse: bool => with_reverse,
        /// Whether to include the signatures of online accounts, up to 64 bytes each.
        include_online_signatures: bool => with_include_online_signatures,
    }
}

impl BlockRange {
    /// `count` blocks from `start` upwards, without the signatures of online accounts.
    #[must_use]
    pub const fn new(start: Height, count: u32) -> Self {
        Self {
            start,
            count,
            reverse: false,
            include_online_signatures: false,
        }
    }
}

/// A range of summaries, always in ascending order. The Core accepts any number from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum SummaryRange {
    /// `count` blocks from `start` upwards.
    From {
        /// The first block.
        start: Height,
        /// The number of blocks.
        count: u32,
    },
    /// `count` blocks that end just before `end`. None if the range would start below the first block.
    Before {
        /// The first block after the range.
        end: Height,
        /// The number of blocks.
        count: u32,
    },
    /// The `count` blocks before the tip, **without the tip itself**.
    BeforeTip {
        /// The number of blocks.
        count: u32,
    },
}

/// The Core writes the word `Unknown` if it has no address.
fn known_address<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Address>, D::Error> {
    let text = Option::<String>::deserialize(deserializer)?;
    match text.as_deref() {
        None | Some("Unknown") => Ok(None),
        Some(address) => address.parse().map(Some).map_err(serde::de::Error::custom),
    }
}

impl Node {
    /// Returns a block by its signature. A block far enough below the highest known one may come from the cache, with its minter at
    /// that time.
    ///
    /// # Errors
    ///
    /// Returns an error with code [`BLOCK_UNKNOWN`](crate::ApiError::BLOCK_UNKNOWN) if there is none.
    #[doc(alias = "/blocks/signature/{signature}")]
    pub fn block(&self, signature: &BlockSignature) -> NodeFuture<'_, Block> {
        let call = Call::to(Endpoint::Block).with(signature);
        self.immutable_json(call, |block: &Block| Some(block.height))
    }

    /// Returns the genesis block.
    ///
    /// # Errors
    ///
    /// Returns an error as described in [`NodeError`](crate::NodeError).
    #[doc(alias = "/blocks/first")]
    pub fn first_block(&self) -> NodeFuture<'_, Block> {
        self.json(Call::to(Endpoint::BlockFirst))
    }

    /// Returns the tip of the chain.
    ///
    /// ```
    /// # async fn example(node: qortal_client::Node) -> Result<(), Box<dyn std::error::Error>> {
    /// let block = node.last_block().await?;
    /// println!("block {} of {}", block.height, block.timestamp);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error as described in [`NodeError`](crate::NodeError).
    #[doc(alias = "/blocks/last")]
    pub fn last_block(&self) -> NodeFuture<'_, Block> {
        self.read(Call::to(Endpoint::BlockLast), |node, answer| {
            let block: Block = answer.json()?;
            node.observe_height(answer, block.height);
            Ok(block)
        })
    }

    /// Opens a socket that receives each new tip of the chain.
    ///
    /// # Errors
    ///
    /// Returns an error as described in [`NodeError`](crate::NodeError).
    #[doc(alias = "/websockets/blocks")]
    pub fn block_socket(&self) -> NodeFuture<'_, Socket<BlockSummary>> {
        self.open(Call::to(Endpoint::BlockSocket))
    }

    /// Returns the height of the tip.
    ///
    /// # Errors
    ///
    /// Returns an error as described in [`NodeError`](crate::NodeError).
    #[doc(alias = "/blocks/height")]
    pub fn height(&self) -> NodeFuture<'_, Height> {
        self.read(Call::to(Endpoint::BlocksHeight), |node, answer| {
            let height = answer.value("a block height")?;
            node.observe_height(answer, height);
            Ok(height)
        })
    }

    /// The same asked anew, also where it was answered a moment ago.
    pub(super) async fn height_now(&self) -> Result<Height, NodeError> {
        self.forget(Endpoint::BlocksHeight);
        self.height().await
    }

    /// Returns the height of a block.
    ///
    /// # Errors
    ///
    /// Returns an error with code [`BLOCK_UNKNOWN`](crate::ApiError::BLOCK_UNKNOWN) if there is none.
    #[doc(alias = "/blocks/height/{signature}")]
    pub fn height_of(&self, signature: &BlockSignature) -> NodeFuture<'_, Height> {
        let call = Call::to(Endpoint::BlockHeight).with(signature);
        self.plain(call, |it| it.value("a block height"))
    }

    /// Returns a block by its height.
    ///
    /// ```
    /// # async fn example(node: qortal_client::Node) -> Result<(), Box<dyn std::error::Error>> {
    /// use qortal_types::Height;
    ///
    /// let block = node.block_at(Height::new(300)).await?;
    /// println!("{} transactions", block.transaction_count);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error with code [`BLOCK_UNKNOWN`](crate::ApiError::BLOCK_UNKNOWN) if the chain is not that long.
    #[doc(alias = "/blocks/byheight/{height}")]
    pub fn block_at(&self, height: Height) -> NodeFuture<'_, Block> {
        self.json(Call::to(Endpoint::BlockAtHeight).with(height))
    }

    /// The time of the second block, the first one that the Core finds by its time, or `None` on a chain of one block.
    ///
    /// The node is asked once.
    pub(crate) async fn second_block_time(&self) -> Result<Option<Timestamp>, NodeError> {
        if let Some(known) = self.known_second_block_time().get() {
            return Ok(Some(*known));
        }
        match self.block_at(Height::new(2)).await {
            Ok(second) => Ok(Some(
                *self
                    .known_second_block_time()
                    .get_or_init(|| second.timestamp),
            )),
            Err(error) if error.is(ApiError::BLOCK_UNKNOWN) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Returns details of the selection of a block's minter.
    ///
    /// # Errors
    ///
    /// Returns an error with code [`BLOCK_UNKNOWN`](crate::ApiError::BLOCK_UNKNOWN) for the genesis block and beyond the tip,
    /// [`INVALID_DATA`](crate::ApiError::INVALID_DATA) if the required data was pruned.
    #[doc(alias = "/blocks/byheight/{height}/mintinginfo")]
    pub fn block_minting(&self, height: Height) -> NodeFuture<'_, BlockMinting> {
        self.json(Call::to(Endpoint::BlockMinting).with(height))
    }

    /// Returns the last block with a time not after `timestamp`. It is never the genesis block.
    ///
    /// # Errors
    ///
    /// Returns an error with code [`BLOCK_UNKNOWN`](crate::ApiError::BLOCK_UNKNOWN) before the second block.
    #[doc(alias = "/blocks/timestamp/{timestamp}")]
    pub fn block_at_time(&self, timestamp: Timestamp) -> NodeFuture<'_, Block> {
        self.json(Call::to(Endpoint::BlockAtTime).with(timestamp.millis()))
    }

    /// Returns a range of blocks, or fewer at the end of the chain.
    ///
    /// # Errors
    ///
    /// Returns an error as described in [`NodeError`](crate::NodeError).
    #[doc(alias = "/blocks/range/{height}")]
    pub fn block_range(&self, range: BlockRange) -> NodeFuture<'_, Vec<Block>> {
        let call = Call::to(Endpoint::BlockRange)
            .with(range.start)
            .query("count", range.count);
        let call = call.query_flag("reverse", range.reverse);
        self.list(call.query_flag("includeOnlineSignatures", range.include_online_signatures))
    }

    /// Returns the blocks that an account minted with its key or a current reward share, by height.
    ///
    /// The Core pages archive and database separately. It returns up to twice the limit, and an empty list if the archive has no
    /// such blocks.
    ///
    /// # Errors
    ///
    /// Returns an error with code [`PUBLIC_KEY_NOT_FOUND`](crate::ApiError::PUBLIC_KEY_NOT_FOUND) if the account's key is not
    /// known.
    #[doc(alias = "/blocks/signer/{address}")]
    pub fn blocks_of_signer(
        &self,
        address: &Address,
        page: PageRequest,
    ) -> NodeFuture<'_, Vec<BlockSummary>> {
        self.list(Call::to(Endpoint::BlocksOfSigner).with(address).page(page))
    }

    /// Returns the number of blocks by minter, fewest first. This reads the entire chain, which takes tens of seconds on the main
    /// network.
    ///
    /// # Errors
    ///
    /// Returns an error as described in [`NodeError`](crate::NodeError).
    #[doc(alias = "/blocks/signers")]
    pub fn block_signers(
        &self,
        addresses: &[Address],
        page: PageRequest,
    ) -> NodeFuture<'_, Vec<BlockSigner>> {
        self.list(
            Call::to(Endpoint::BlockSigners)
                .query_each("address", addresses)
                .page(page),
        )
    }

    /// Returns the summaries of a range of blocks.
    ///
    /// # Errors
    ///
    /// Returns an error as described in [`NodeError`](crate::NodeError).
    #[doc(alias = "/blocks/summaries")]
    pub fn block_summaries(&self, range: SummaryRange) -> NodeFuture<'_, Vec<BlockSummary>> {
        let call = Call::to(Endpoint::BlockSummaries);
        let call = match range {
            SummaryRange::From { start, count } => call.query("start", start).query("count", count),
            SummaryRange::Before { end, count } => call.query("end", end).query("count", count),
            SummaryRange::BeforeTip { count } => call.query("count", count),
        };
        self.list(call)
    }
}
