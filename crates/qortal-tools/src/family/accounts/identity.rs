//! The account behind an address, a name or a public key.

use qortal_client::{NodeError, PageRequest};
use qortal_types::Address;

use super::overview::texts;
use crate::{
    declare::{Account, AccountRef, Context, Page, Tool, ToolError},
    support::untrusted::Untrusted,
};

/// Maximum number of names of one account shown.
const NAMES_SHOWN: u32 = 20;

params! {
    pub(super) struct ResolveIdentity {
        /// Account.
        identity: AccountRef
    }
}

record! {
    pub(super) struct ResolvedIdentity {
        /// The form of the input: `address`, `name` or `public key`.
        given: &'static str,
        /// The account's address.
        address: Address,
        /// The owner's kind: `account` or `automated transaction`.
        kind: &'static str,
        /// The registered name the address was found by.
        resolved_from: Option<String>,
        /// Its public key in Base58. Absent if the chain has not seen it yet.
        public_key: Option<String>,
        /// The name the account goes by.
        primary_name: Option<Untrusted>,
        /// The names it owns, the oldest first, at most 20.
        names: Option<Vec<Untrusted>>,
        /// Whether it owns more names than are shown.
        names_truncated: Option<bool>
    }
}

impl Tool for ResolveIdentity {
    const NAME: &str = "resolve_identity";
    const TITLE: &str = "Account identity";
    const DESCRIPTION: &str =
        "Who is this? The address, public key and names of an account, by any one of them.";
    const EXAMPLE: &str = r#"{"identity":"victor"}"#;
    const KEYWORDS: &str =
        "public key, whose address, address of name, name to address, who is, identity";
    type Output = ResolvedIdentity;

    /// Sends three requests at once, or two with a public key. A name takes one before them.
    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        let (found, key) = match self.identity {
            AccountRef::PublicKey(key) => {
                let found = Account {
                    address: key.address(),
                    resolved_from: None,
                };
                (found, Some(key))
            }
            account => (cx.account("identity", account).await?, None),
        };
        let address = found.address;
        let public_key = async {
            match key {
                Some(key) => Ok::<_, NodeError>(Some(key)),
                None => cx.node.public_key(&address).await,
            }
        };
        let page = PageRequest::first(NAMES_SHOWN + 1);
        let (public_key, primary_name, names) = tokio::try_join!(
            public_key,
            cx.optional("The primary name is", cx.node.primary_name(&address)),
            cx.optional("The names are", cx.node.names_of(&address, page)),
        )?;
        let names = names.map(|it| Page::first(cx, NAMES_SHOWN, it));
        Ok(ResolvedIdentity {
            given: match (key, &found.resolved_from) {
                (Some(_), _) => "public key",
                (None, Some(_)) => "name",
                (None, None) => "address",
            },
            address,
            kind: super::kind(&address),
            resolved_from: found.resolved_from,
            public_key: public_key.map(|it| it.to_string()),
            primary_name: primary_name.flatten().map(Untrusted),
            names_truncated: names.as_ref().map(|it| it.remainder.truncated),
            names: names.map(texts),
        })
    }
}
