//! The sentences about the way in which the server admits clients: the banner, the pages and `install` take them from here.

use mcp_hosts::{Host, HttpAuth, TOKEN, token_unsupported_notice};

use crate::config::Values;

/// The path of the metadata that lead a client to the authorization server (RFC 9728).
const METADATA: &str = "/.well-known/oauth-protected-resource";

/// The way in which this server admits clients.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ServerAccess {
    pub(crate) mode: HttpAuth,
    /// The authorization server, with [`HttpAuth::OAuth`].
    issuer: Option<String>,
}

/// A request to try the server with, and the sentence before it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Trial {
    pub(crate) heading: &'static str,
    pub(crate) command: String,
}

impl ServerAccess {
    pub(crate) fn of(settings: &Values) -> Self {
        let issuer = settings.oauth_issuer.clone();
        let mode = match (&settings.token_file, &issuer) {
            (_, Some(_)) => HttpAuth::OAuth,
            (Some(_), None) => HttpAuth::Token,
            (None, None) => HttpAuth::Open,
        };
        Self { mode, issuer }
    }

    /// Whether every client that reaches the server may call.
    pub(crate) fn is_open(&self) -> bool {
        self.mode == HttpAuth::Open
    }

    /// The authorization server as a name in a sentence.
    fn issuer(&self) -> &str {
        self.issuer.as_deref().unwrap_or("an authorization server")
    }

    /// Returns the sentences for a person who connects a client; `None` if nothing is needed.
    pub(crate) fn for_people(&self) -> Option<String> {
        match self.mode {
            HttpAuth::Token => Some(format!(
                "This server requires an access token. Request yours from its operator, replace {TOKEN} below with it, and keep it secret like a password."
            )),
            HttpAuth::OAuth => Some(format!(
                "Sign in to use this server: your client opens the sign-in page of {} when you connect it. You need an account there, but no token.",
                self.issuer()
            )),
            _ => None,
        }
    }

    /// Returns the sentence for the person who starts the server; `None` if there is nothing to add to the request to try.
    pub(crate) fn for_operator(&self) -> Option<String> {
        let sign_in = || format!("Clients sign in at {}.", self.issuer());
        (self.mode == HttpAuth::OAuth).then(sign_in)
    }

    /// Returns the sentence for agents that read `/llms.txt`.
    pub(crate) fn for_agents(&self) -> String {
        match self.mode {
            HttpAuth::Token => format!(
                "Requests need an access token in the header `Authorization: Bearer {TOKEN}`. The operator issues it."
            ),
            HttpAuth::OAuth => format!(
                "Clients sign in at {} (OAuth 2.1). The challenge to a request without a token leads there.",
                self.issuer()
            ),
            _ => "No account or token is needed.".to_owned(),
        }
    }

    /// Returns the request to try a server at a URL with. `token` is what a shell replaces by an access token, and `socket` the option
    /// of curl for a Unix socket.
    pub(crate) fn trial(&self, url: &str, token: &str, socket: &str, tool: &str) -> Trial {
        if self.mode == HttpAuth::OAuth {
            let (base, path) = url
                .strip_suffix("/mcp")
                .map_or((url, ""), |it| (it, "/mcp"));
            return Trial {
                heading: "See where clients sign in",
                command: format!("curl -s{socket} {base}{METADATA}{path}"),
            };
        }
        let header = match self.mode {
            HttpAuth::Token => format!(" \\\n  -H \"Authorization: Bearer {token}\""),
            _ => String::new(),
        };
        Trial {
            heading: "Call a tool",
            command: format!(
                "curl -s{socket} {url} \\\n  -H 'Content-Type: application/json'{header} \\\n  -d '{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{{\"name\":\"{tool}\"}}}}'"
            ),
        }
    }

    /// Returns the field of a client's configuration that carries a token, after a comma.
    pub(crate) fn entry_field(&self) -> &'static str {
        match self.mode {
            HttpAuth::Token => r#", "headers": {"Authorization": "Bearer TOKEN"}"#,
            _ => "",
        }
    }
}

/// Returns the ways to let a host in that a person connects by hand, the recommended one first, each with the setting of the server.
pub(crate) fn ways(host: &Host) -> Vec<String> {
    let Some(steps) = &host.steps else {
        return Vec::new();
    };
    let way = |access| {
        let step = steps.step_for_access(access);
        match (access, step) {
            (HttpAuth::OAuth, Some(step)) => {
                format!("Sign-in (--oauth-issuer, recommended): {step}")
            }
            (HttpAuth::Token, Some(step)) => format!("Request header (--token-file): {step}"),
            (_, Some(step)) => format!("Open to everyone on the internet (--auth none): {step}"),
            (_, None) => token_unsupported_notice(&host.title),
        }
    };
    HttpAuth::ALL.map(way).to_vec()
}
