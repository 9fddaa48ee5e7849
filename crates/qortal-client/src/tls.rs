//! TLS for `https` nodes.

use std::{io, iter::once, sync::Arc};

use rustls::{
    ClientConfig,
    crypto::{CryptoProvider, ring},
    pki_types::ServerName,
};
use rustls_platform_verifier::BuilderVerifierExt;
use tokio_rustls::TlsConnector;

use crate::{ConfigError, NodeConfig, Wire};

/// What is spoken on the connection.
const PROTOCOL: &[u8] = b"http/1.1";

/// The certificates of the system, if a URL needs them: a machine without any must still be able to query its own node.
pub(crate) fn for_nodes(config: &NodeConfig) -> Result<Option<Arc<ClientConfig>>, ConfigError> {
    let is_https = |url: &String| {
        url.get(..6)
            .is_some_and(|scheme| scheme.eq_ignore_ascii_case("https:"))
    };
    let own = config.own_nodes.iter().map(|it| &it.url);
    let mut urls = once(&config.base_url).chain(own).chain(&config.public_urls);
    if !urls.any(is_https) {
        return Ok(None);
    }
    // Fails if the process has already installed a provider, which is then used.
    let _ = ring::default_provider().install_default();
    let provider = CryptoProvider::get_default();
    let provider = provider.map_or_else(|| Arc::new(ring::default_provider()), Arc::clone);
    let built = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .and_then(BuilderVerifierExt::with_platform_verifier)
        .map_err(|error| ConfigError::Client(error.into()))?;
    let mut tls = built.with_no_client_auth();
    tls.alpn_protocols = vec![PROTOCOL.to_vec()];
    Ok(Some(Arc::new(tls)))
}

/// Makes the connection to this host a secure one.
pub(crate) async fn secure(
    tls: Arc<ClientConfig>,
    host: &str,
    wire: Box<dyn Wire>,
) -> io::Result<Box<dyn Wire>> {
    let name = host.trim_start_matches('[').trim_end_matches(']');
    let name = ServerName::try_from(name.to_owned()).map_err(io::Error::other)?;
    let secured = TlsConnector::from(tls).connect(name, wire).await?;
    Ok(Box::new(secured))
}
