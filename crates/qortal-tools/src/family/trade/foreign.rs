//! The node's connection to a foreign chain.

use qortal_client::{ApiError, NodeError, api::crosschain::CoinServer};
use qortal_types::{Amount, Blockchain};

use super::{Coin, symbol};
use crate::{
    declare::{Context, Detail, Flat, NodeResult, Reply, Tool, ToolError, count},
    support::untrusted::Untrusted,
};

/// Maximum number of servers shown for one coin.
const SERVERS_SHOWN: usize = 50;

params! {
    pub(super) struct GetForeignChainStatus {
        /// Foreign chain.
        blockchain: Blockchain,
        /// full adds coin servers, at most 50.
        detail: Detail = Detail::Summary
    }
}

record! {
    pub(super) struct ForeignChainStatus {
        /// The foreign coin.
        coin: Flat<Coin>,
        /// Whether this coin is enabled on the node.
        enabled: Option<bool>,
        /// Connected servers of the coin.
        connected_servers: Option<u32>,
        /// Known servers of the coin.
        known_servers: Option<u32>,
        /// Known servers that did not work.
        useless_servers: Option<u32>,
        /// The height of the foreign chain. Absent if no server answered.
        height: Option<u64>,
        /// The fee the node pays for 1,000 bytes on the foreign chain, in its coin.
        fee_per_kb: Option<Amount>,
        /// The node's fee for buyers, in the foreign coin.
        fee_required: Option<Amount>,
        /// The server in use.
        current_server: Option<Server>,
        /// The servers, with detail full.
        servers: Option<Vec<Server>>,
        /// Whether there are more servers than are shown.
        truncated: bool
    }

    pub(super) struct Server from(it: CoinServer) {
        /// The host name.
        host: Untrusted = it.host_name.into(),
        /// Its port.
        port: u32 = it.port.into(),
        /// SSL or TCP.
        connection_type: String,
        /// Mean milliseconds to answer.
        average_response_time: i64
    }
}

impl Tool for GetForeignChainStatus {
    const NAME: &str = "get_foreign_chain_status";
    const TITLE: &str = "Foreign chain status";
    const DESCRIPTION: &str = "Does a coin work on this node? Its servers, height and fees. Use it when coin wallets or trades do not move.";
    const EXAMPLE: &str = r#"{"blockchain":"LITECOIN"}"#;
    const KEYWORDS: &str = "electrum, electrum server, coin server, foreign chain, wallet not synchronize, coin down, litecoin, bitcoin, doge, pirate, ravencoin, digibyte";
    type Output = Reply<ForeignChainStatus>;

    /// Requests the status first: the other four requests fail if the coin is disabled.
    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        let blockchain = &self.blockchain;
        let symbol = symbol(blockchain);
        let status = cx.node.coin_status(blockchain).await;
        let status = cx.part("Whether the coin is enabled is", status);
        let status = status.as_ref();
        let answer = ForeignChainStatus {
            coin: Flat(Coin::of(blockchain)),
            enabled: status.map(|it| it.enabled),
            connected_servers: status.map(|it| it.connected_servers),
            known_servers: status.map(|it| it.known_servers),
            useless_servers: None,
            height: None,
            fee_per_kb: None,
            fee_required: None,
            current_server: None,
            servers: None,
            truncated: false,
        };
        if answer.enabled == Some(false) {
            return Ok(Reply::new(answer).note(format!(
                "{symbol} is disabled on this node, which does not affect the chain itself. The node's owner can enable the wallet."
            )));
        }
        let (servers, height, fee_per_kb, fee_required) = tokio::join!(
            cx.node.coin_servers(blockchain),
            height(cx, blockchain),
            cx.node.coin_fee_per_kb(blockchain),
            cx.node.coin_fee_required(blockchain),
        );
        let servers = cx.part("The coin's servers are", servers);
        let height = cx.part("The chain's height is", height);
        let fee_per_kb = cx.part("The fee per kilobyte is", fee_per_kb);
        let fee_required = cx.part("The fee for buyers is", fee_required);
        cx.need_any(&[
            status.is_some(),
            servers.is_some(),
            height.is_some(),
            fee_per_kb.is_some(),
            fee_required.is_some(),
        ])?;
        let useless_servers = servers.as_ref().map(|it| count(it.useless_servers.len()));
        let servers = servers.map(|it| it.servers);
        let total = servers.as_ref().map_or(0, |it| it.len());
        let mut known = servers.iter().flatten();
        let current = known.find(|it| it.is_current).cloned();
        let is_full = self.detail == Detail::Full;
        let shown = servers.filter(|_| is_full).map(|it| {
            let shown = it.into_iter().take(SERVERS_SHOWN);
            shown.map(Server::of).collect()
        });
        let no_server_answered = height == Some(None);
        let reply = Reply::new(ForeignChainStatus {
            useless_servers,
            height: height.flatten(),
            fee_per_kb,
            fee_required,
            current_server: current.map(Server::of),
            servers: shown,
            truncated: is_full && total > SERVERS_SHOWN,
            ..answer
        });
        Ok(reply.note_if(no_server_answered, format!(
                "No {symbol} server answered the node, so the chain's height is unknown and trades for {symbol} make no progress on this node at the moment."
            )))
    }
}

/// Returns the height, or `None` if the node reaches no server of the coin.
async fn height(cx: &Context, blockchain: &Blockchain) -> Result<Option<u64>, NodeError> {
    cx.node
        .coin_height(blockchain)
        .await
        .none_if(ApiError::FOREIGN_BLOCKCHAIN_NETWORK_ISSUE)
}
