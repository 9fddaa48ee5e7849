//! Signs a person in to a server with OAuth 2.1, as a [`TokenSource`] of the client.
//!
//! The first request without access begins it: `discovery` leads to the authorization server, `registration` makes the app known
//! there, and the person allows what the server needs. Later the token is refreshed, and more scopes are requested when a call needs them.
//! The tokens are held in memory. An app would store them in the keyring of the system.

mod discovery;
mod http;
mod registration;

use std::{
    collections::BTreeSet,
    future::Future,
    time::{Duration, Instant},
};

use mcp_client::{Challenge, TokenSource};
use oauth2::{
    AccessToken, AuthorizationCode, CsrfToken, PkceCodeChallenge, RedirectUrl, RefreshToken,
    RequestTokenError, Scope, TokenResponse as _,
    basic::{BasicTokenResponse, BasicTokenType},
    url::Url,
};
use tokio::sync::Mutex;

use crate::{
    discovery::{AuthorizationServer, discover},
    http::{Http, secure},
};
pub use crate::{
    http::AnyError,
    registration::{App, Registration},
};
pub use oauth2;

/// The scope of a refresh token at servers of OpenID Connect.
const OFFLINE: &str = "offline_access";
/// A token that is rejected earlier has not expired, and the server would reject a refreshed one as well.
const REFRESHABLE: Duration = Duration::from_secs(60);
/// A token that expires before a request arrives is of no use.
const ON_THE_WAY: Duration = Duration::from_secs(10);

/// The browser of a person.
pub trait Browser: Send + Sync + 'static {
    /// Opens a page of the authorization server. Returns the URL to which that returned the person.
    ///
    /// # Errors
    /// If the person does not return.
    fn visit(&self, page: Url) -> impl Future<Output = Result<Url, AnyError>> + Send;
}

/// The sign-in of a person at one server.
#[derive(Debug)]
pub struct SignIn<B> {
    server: Url,
    app: App,
    browser: B,
    http: Http,
    session: Mutex<Session>,
}

/// The result of the last sign-in.
#[derive(Debug, Default)]
struct Session {
    grantor: Option<Grantor>,
    token: Option<Token>,
    /// The scopes requested so far.
    scopes: BTreeSet<String>,
}

/// The authorization server, the app there, and the name of the server there.
#[derive(Debug)]
struct Grantor {
    server: AuthorizationServer,
    app: Registration,
    resource: String,
}

#[derive(Debug)]
struct Token {
    access: AccessToken,
    refresh: Option<RefreshToken>,
    since: Instant,
    until: Option<Instant>,
}

impl<B: Browser> TokenSource for SignIn<B> {
    async fn token(&self, challenge: Option<&Challenge>) -> Result<Option<String>, AnyError> {
        let begun = Instant::now();
        // Requests in flight wait here, and a person signs in once for all of them.
        let mut session = self.session.lock().await;
        let is_newer = session.token.as_ref().is_some_and(|it| it.since > begun);
        match challenge {
            None if session.token.as_ref().is_some_and(Token::is_expired) => {
                self.refresh(&mut session).await?;
            }
            Some(challenge) if !is_newer && session.needs_another(challenge) => {
                self.sign_in(&mut session, challenge).await?;
            }
            _ => (),
        }
        let token = session.token.as_ref();
        Ok(token.map(|it| it.access.secret().clone()))
    }
}

impl<B: Browser> SignIn<B> {
    /// Creates a sign-in at the server with this URL.
    ///
    /// # Errors
    /// If the URL is invalid, or the machine has no certificates to trust.
    pub fn new(server: &str, app: App, browser: B) -> Result<Self, AnyError> {
        Ok(Self {
            server: server.parse()?,
            app,
            browser,
            http: Http::new()?,
            session: Mutex::default(),
        })
    }

    async fn sign_in(&self, session: &mut Session, challenge: &Challenge) -> Result<(), AnyError> {
        let (resource, server) = discover(&self.http, &self.server, challenge).await?;
        let known = session.grantor.take();
        let app = match known.filter(|it| it.server.issuer == server.issuer) {
            Some(known) => known.app,
            None => {
                // No authorization server sees the tokens of another.
                *session = Session::default();
                Registration::at(&server, &self.app, &self.http).await?
            }
        };
        let needed = match challenge.scopes.is_empty() {
            true => &resource.scopes_supported,
            false => &challenge.scopes,
        };
        // Together with the scopes of earlier challenges, which the new token would lack otherwise.
        session.scopes.extend(needed.iter().cloned());
        if server.scopes_supported.iter().any(|it| it == OFFLINE) {
            session.scopes.insert(OFFLINE.to_owned());
        }
        session.grantor = Some(Grantor {
            server,
            app,
            resource: resource.resource,
        });
        let is_old = |it: &Token| it.since.elapsed() > REFRESHABLE;
        if challenge.status == 401 && session.token.as_ref().is_some_and(is_old) {
            self.refresh(session).await?;
            if session.token.is_some() {
                return Ok(());
            }
        }
        self.authorize(session).await
    }

    /// Sends the person to the authorization server, and exchanges the code that comes back.
    async fn authorize(&self, session: &mut Session) -> Result<(), AnyError> {
        let Some(Grantor {
            server,
            app,
            resource,
        }) = &session.grantor
        else {
            return Ok(());
        };
        let client = app
            .client()
            .set_auth_uri(server.authorization_endpoint.clone())
            .set_token_uri(server.token_endpoint.clone())
            .set_redirect_uri(RedirectUrl::new(self.app.redirect.clone())?);
        let (pkce, verifier) = PkceCodeChallenge::new_random_sha256();
        let mut request = client
            .authorize_url(CsrfToken::new_random)
            .add_scopes(session.scopes.iter().cloned().map(Scope::new))
            .add_extra_param("resource", resource)
            .set_pkce_challenge(pkce);
        if session.scopes.contains(OFFLINE) {
            // OpenID Connect grants that scope only with consent.
            request = request.add_extra_param("prompt", "consent");
        }
        let (page, state) = request.url();
        let back = self.browser.visit(secure(&page)?.clone()).await?;
        let code = code(&back, &state, server)?;
        secure(server.token_endpoint.url())?;
        let request = client
            .exchange_code(AuthorizationCode::new(code))
            .set_pkce_verifier(verifier)
            .add_extra_param("resource", resource);
        let token = Token::read(&request.request_async(&self.http).await?, None)?;
        session.token = Some(token);
        Ok(())
    }

    /// Exchanges the refresh token, if there is one. Afterwards there is no token if the server does not accept it any more.
    async fn refresh(&self, session: &mut Session) -> Result<(), AnyError> {
        let old = session.token.take().and_then(|it| it.refresh);
        let (
            Some(old),
            Some(Grantor {
                server,
                app,
                resource,
            }),
        ) = (old, &session.grantor)
        else {
            return Ok(());
        };
        let client = app.client().set_token_uri(server.token_endpoint.clone());
        let request = client.exchange_refresh_token(&old);
        let request = request.add_extra_param("resource", resource);
        session.token = match request.request_async(&self.http).await {
            Ok(response) => Some(Token::read(&response, Some(&old))?),
            Err(RequestTokenError::ServerResponse(_)) => None,
            Err(why) => return Err(why.into()),
        };
        Ok(())
    }
}

impl Session {
    /// Whether another token could pass: not if this one was requested with all the scopes that are missing.
    fn needs_another(&self, challenge: &Challenge) -> bool {
        let is_new = |it: &String| !self.scopes.contains(it);
        challenge.status == 401 || challenge.scopes.iter().any(is_new)
    }
}

impl Token {
    fn read(response: &BasicTokenResponse, old: Option<&RefreshToken>) -> Result<Self, AnyError> {
        if *response.token_type() != BasicTokenType::Bearer {
            return Err(
                "the authorization server issues tokens of another type than Bearer".into(),
            );
        }
        let since = Instant::now();
        Ok(Self {
            access: response.access_token().clone(),
            refresh: response.refresh_token().or(old).cloned(),
            since,
            until: response.expires_in().and_then(|it| since.checked_add(it)),
        })
    }

    fn is_expired(&self) -> bool {
        self.until
            .is_some_and(|it| it < Instant::now() + ON_THE_WAY)
    }
}

/// Returns the code of an authorization response, once it is one of this server to this request (RFC 6749 §4.1.2, RFC 9207 §2.4).
fn code(back: &Url, state: &CsrfToken, server: &AuthorizationServer) -> Result<String, AnyError> {
    let sent = |name: &str| {
        let mut pairs = back.query_pairs();
        pairs.find(|it| it.0 == name).map(|it| it.1.into_owned())
    };
    if sent("state").as_ref() != Some(state.secret()) {
        return Err("the response is not one to this request".into());
    }
    match sent("iss") {
        Some(issuer) if issuer != server.issuer => {
            return Err(format!("the response is one of {issuer}").into());
        }
        None if server.authorization_response_iss_parameter_supported => {
            return Err("the response does not name its issuer".into());
        }
        _ => (),
    }
    if let Some(error) = sent("error") {
        let description = sent("error_description").unwrap_or_default();
        return Err(format!("the authorization server answers {error}: {description}").into());
    }
    sent("code").ok_or_else(|| "the response has no code".into())
}
