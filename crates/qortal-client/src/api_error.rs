//! The Core's error codes.

use std::fmt;

/// The number that identifies an error response of the Core (class `ApiError`).
///
/// Decide only on the code, because the message is translated and varies. A newer Core may send codes without a name here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ApiError(i32);

/// Declares one constant and one row of [`ApiError::ALL`] for each code.
macro_rules! api_errors {
    ($($name:ident = $code:literal, $text:literal;)+) => {
        impl ApiError {
            /// Creates a code from the number that the Core sends.
            #[must_use]
            pub const fn from_code(code: i32) -> Self {
                Self(code)
            }

            /// Returns the number.
            #[must_use]
            pub const fn code(self) -> i32 {
                self.0
            }

            $(#[doc = $text] pub const $name: Self = Self($code);)+

            /// All codes with a name.
            pub const ALL: &'static [Self] = &[$(Self::$name),+];

            /// Returns the Core's name of the code, or `None` for a code of a newer Core.
            #[must_use]
            pub const fn name(self) -> Option<&'static str> {
                match self {
                    $(Self::$name => Some(stringify!($name)),)+
                    _ => None,
                }
            }
        }
    };
}

api_errors! {
    JSON = 1, "Failed to parse JSON message (HTTP 400).";
    INSUFFICIENT_BALANCE = 2, "Insufficient balance (HTTP 402).";
    UNAUTHORIZED = 4, "API call unauthorized (HTTP 403).";
    REPOSITORY_ISSUE = 5, "Repository error (HTTP 500).";
    NON_PRODUCTION = 6, "This API call is not permitted for production systems (HTTP 403).";
    BLOCKCHAIN_NEEDS_SYNC = 7, "Blockchain needs to synchronize first (HTTP 503).";
    NO_TIME_SYNC = 8, "No clock synchronization yet (HTTP 503).";
    INVALID_SIGNATURE = 101, "Invalid signature (HTTP 400).";
    INVALID_ADDRESS = 102, "Invalid address (HTTP 400).";
    INVALID_PUBLIC_KEY = 112, "Invalid public key (HTTP 400).";
    INVALID_DATA = 115, "Invalid data (HTTP 400).";
    INVALID_NETWORK_ADDRESS = 123, "Invalid network address (HTTP 404).";
    ADDRESS_UNKNOWN = 124, "Account address unknown (HTTP 404).";
    INVALID_CRITERIA = 125, "Invalid search criteria (HTTP 400).";
    INVALID_REFERENCE = 126, "Invalid reference (HTTP 400).";
    TRANSFORMATION_ERROR = 127, "Could not transform JSON into transaction (HTTP 400).";
    INVALID_PRIVATE_KEY = 128, "Invalid private key (HTTP 400).";
    INVALID_HEIGHT = 129, "Invalid block height (HTTP 400).";
    CANNOT_MINT = 130, "Account cannot mint (HTTP 400).";
    BLOCK_UNKNOWN = 301, "Block unknown (HTTP 404).";
    PUBLIC_KEY_NOT_FOUND = 304, "Public key not found (HTTP 404).";
    TRANSACTION_UNKNOWN = 311, "Transaction unknown (HTTP 404).";
    TRANSACTION_INVALID = 312, "Transaction invalid: the message says why (HTTP 400).";
    NAME_UNKNOWN = 401, "Name unknown (HTTP 404).";
    POLL_NO_EXISTS = 501, "The poll does not exist; the Core has no text for this code (HTTP 404).";
    INVALID_ASSET_ID = 601, "Invalid asset ID (HTTP 400).";
    INVALID_ORDER_ID = 602, "Invalid asset order ID (HTTP 400).";
    ORDER_UNKNOWN = 603, "Unknown asset order ID (HTTP 404).";
    GROUP_UNKNOWN = 1101, "Group unknown (HTTP 404).";
    FOREIGN_BLOCKCHAIN_NETWORK_ISSUE = 1201, "Foreign blockchain or ElectrumX network issue (HTTP 500).";
    FOREIGN_BLOCKCHAIN_BALANCE_ISSUE = 1202, "Insufficient balance on foreign blockchain (HTTP 402).";
    FOREIGN_BLOCKCHAIN_TOO_SOON = 1203, "Too soon to broadcast foreign blockchain transaction (LockTime/median block time) (HTTP 408).";
    ORDER_SIZE_TOO_SMALL = 1300, "Order amount too low (HTTP 402).";
    FILE_NOT_FOUND = 1401, "File not found (HTTP 404).";
    NO_REPLY = 1402, "Peer didn't reply within the allowed time (HTTP 404).";
}

impl fmt::Display for ApiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            Some(name) => write!(f, "{} {name}", self.0),
            None => write!(f, "{}", self.0),
        }
    }
}
