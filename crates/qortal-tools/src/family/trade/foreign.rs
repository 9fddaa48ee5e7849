//! The node's connection to a foreign chain.

use qortal_client::{
    ApiError, NodeError,
    api::crosschain::{CoinServer, CoinServers},
};
use qortal_types::{Amount, Blockchain};
use tool_schema::choice;

use super::{Coin, symbol};
use crate::{
    context::Context,
    declare::{Flat, Reply, Tool, count},
    error::{NodeResult, ToolError},
    untrusted::Untrusted,
};

choice! {
    /// How much is returned.
    pub(super) enum Detail {
        /// The figures.
        Summary = "summary",
        /// The servers as well.
        Full = "full"
    }
}

/// Servers of one coin that are shown.
const SERVERS_SHOWN: usize = 50;

pub(super) struct GetForeignChainStatus;

params! {
    pub(super) struct GetForeignChainStatusParams {
        /// The foreign chain.
        blockchain: Blockchain,
        /// Whether to list the coin servers the node knows, at most 50.
        detail: Detail = Detail::Summary
    }
}

record! {
    pub(super) struct ForeignChainStatus {
        /// The foreign coin.
        coin: Flat<Coin>,
        /// Whether this coin is enabled on the node.
        enabled: bool,
        /// Servers of the coin that the node is connected to.
        connected_servers: u32,
        /// Servers of the coin that the node knows.
        known_servers: u32,
        /// Known servers that did not work.
        useless_servers: Option<u32>,
        /// The height of the foreign chain; left out if no server answered.
        height: Option<u64>,
        /// The fee the node pays for 1,000 bytes on the foreign chain, in its coin.
        fee_per_kb: Option<Amount>,
        /// The fee the node asks of buyers, in the foreign coin.
        fee_required: Option<Amount>,
        /// The server in use.
        current_server: Option<Server>,
        /// The servers, with detail full.
        servers: Option<Vec<Server>>,
        /// Whether there are more servers than are shown.
        truncated: bool
    }
}

record! {
    pub(super) struct Server {
        /// Where it is.
        host: Untrusted,
        /// Its port.
        port: u32,
        /// SSL or TCP.
        connection_type: String,
        /// Mean milliseconds to answer.
        average_response_time: i64
    }
}

impl From<CoinServer> for Server {
    fn from(it: CoinServer) -> Self {
        Self {
            host: it.host_name.into(),
            port: it.port.into(),
            connection_type: it.connection_type,
            average_response_time: it.average_response_time,
        }
    }
}

impl Tool for GetForeignChainStatus {
    const NAME: &'static str = "get_foreign_chain_status";
    const TITLE: &'static str = "State of a foreign chain";
    const DESCRIPTION: &'static str = "Return the node's connection to one foreign chain: whether the coin is enabled, its servers, the chain's height and the fees.";
    const EXAMPLE: &'static str = r#"{"blockchain":"LITECOIN"}"#;
    type Params = GetForeignChainStatusParams;
    type Output = Reply<ForeignChainStatus>;

    /// The status first: the other four fail where the coin is disabled.
    async fn call(cx: &Context, params: Self::Params) -> Result<Self::Output, ToolError> {
        let blockchain = &params.blockchain;
        let symbol = symbol(blockchain);
        let status = cx.node.coin_status(blockchain).await?;
        let answer = ForeignChainStatus {
            coin: Flat(Coin::of(blockchain)),
            enabled: status.enabled,
            connected_servers: status.connected_servers,
            known_servers: status.known_servers,
            useless_servers: None,
            height: None,
            fee_per_kb: None,
            fee_required: None,
            current_server: None,
            servers: None,
            truncated: false,
        };
        if !status.enabled {
            return Ok(Reply::new(answer).note(format!(
                "{symbol} is disabled on this node, which does not affect the chain itself. The node's owner can enable the wallet."
            )));
        }
        let (servers, height, fee_per_kb, fee_required) = tokio::try_join!(
            cx.node.coin_servers(blockchain),
            height(cx, blockchain),
            cx.node.coin_fee_per_kb(blockchain),
            cx.node.coin_fee_required(blockchain),
        )?;
        let CoinServers {
            servers,
            useless_servers,
            ..
        } = servers;
        let total = servers.len();
        let current = servers.iter().find(|it| it.is_current).cloned();
        let is_full = params.detail == Detail::Full;
        let shown = || {
            servers
                .into_iter()
                .take(SERVERS_SHOWN)
                .map(Server::from)
                .collect()
        };
        let reply = Reply::new(ForeignChainStatus {
            useless_servers: Some(count(useless_servers.len())),
            height,
            fee_per_kb: Some(fee_per_kb),
            fee_required: Some(fee_required),
            current_server: current.map(Server::from),
            servers: is_full.then(shown),
            truncated: is_full && total > SERVERS_SHOWN,
            ..answer
        });
        Ok(reply.note_if(height.is_none(), format!(
                "No {symbol} server answered the node, so the chain's height is unknown and trades for {symbol} make no progress on this node at the moment."
            )))
    }
}

/// The height; `None` if the node reaches no server of the coin.
async fn height(cx: &Context, blockchain: &Blockchain) -> Result<Option<u64>, NodeError> {
    cx.node
        .coin_height(blockchain)
        .await
        .none_if(ApiError::FOREIGN_BLOCKCHAIN_NETWORK_ISSUE)
}
