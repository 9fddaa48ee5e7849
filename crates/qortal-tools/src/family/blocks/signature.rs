//! Blocks by their signature.

use qortal_client::ApiError;
use qortal_types::Height;

use crate::{
    declare::{BlockRef, Context, NodeResult, Reply, Tool, ToolError},
    family::blocks::BlockInfo,
};

params! {
    pub(crate) struct GetBlockHeightBySignature {
        /// Block.
        signature: BlockRef
    }
}

fn no_such_block() -> ToolError {
    ToolError::not_found(
        "Block not found.",
        "No block on this node has that signature: it may have been replaced by another one, or the node may be behind. \
             get_block_by_height finds blocks by height, get_node_status says whether the node is synchronized.",
    )
}

params! { pub(crate) struct GetBlockBySignature(GetBlockHeightBySignature); }

impl Tool for GetBlockBySignature {
    const NAME: &str = "get_block_by_signature";
    const TITLE: &str = "Block by signature";
    const DESCRIPTION: &str = "One block by its signature. By number: get_block_by_height.";
    const EXAMPLE: &str = r#"{"signature":"MSaUg4zA1MRLRqiy6Dwv6aSfdF7xH2avy57KXby8u7fvkUieF4f1Ap3FjezV39cDt9ofcywxBFqEurADof97vfuHgnapNs9pCXKoa3vAJzLpBv6uUPW5Msc7kbctqjE61ycHV19BfkYaQ3f4E1Pxx7HVuqc2S5bqdmx7kvcMCdLm8wr"}"#;
    const KEYWORDS: &str = "block by signature, block hash";
    type Output = Reply<BlockInfo>;

    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        let signature = cx.block_signature(self.0.signature).await?;
        let block = cx.node.block(&signature).await;
        let block = block.error_if(ApiError::BLOCK_UNKNOWN, no_such_block)?;
        Ok(BlockInfo::of(block).reply())
    }
}

record! {
    pub(crate) struct HeightOfBlock {
        /// Its place in the chain.
        height: Height
    }
}

impl Tool for GetBlockHeightBySignature {
    const NAME: &str = "get_block_height_by_signature";
    const TITLE: &str = "Block height";
    const DESCRIPTION: &str =
        "The height of the block with a signature. The block: get_block_by_signature.";
    const EXAMPLE: &str = GetBlockBySignature::EXAMPLE;
    const KEYWORDS: &str = "height of signature, height by hash";
    type Output = HeightOfBlock;

    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        let signature = cx.block_signature(self.signature).await?;
        let height = cx.node.height_of(&signature).await;
        Ok(HeightOfBlock {
            height: height.error_if(ApiError::BLOCK_UNKNOWN, no_such_block)?,
        })
    }
}
