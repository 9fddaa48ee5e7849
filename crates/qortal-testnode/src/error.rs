//! Error responses of the Core's endpoints: its numbered errors and other failures.

/// A numbered error of the Core (`org.qortal.api.ApiError`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ApiError {
    pub(crate) code: u16,
    pub(crate) status: u16,
    message: &'static str,
}

impl ApiError {
    pub(crate) const JSON: Self = Self::new(1, 400, "failed to parse JSON message");
    pub(crate) const UNAUTHORIZED: Self = Self::new(4, 403, "API call unauthorized");
    pub(crate) const REPOSITORY_ISSUE: Self = Self::new(5, 500, "repository error");
    pub(crate) const NON_PRODUCTION: Self = Self::new(
        6,
        403,
        "this API call is not permitted for production systems",
    );
    pub(crate) const INVALID_SIGNATURE: Self = Self::new(101, 400, "invalid signature");
    pub(crate) const INVALID_ADDRESS: Self = Self::new(102, 400, "invalid address");
    pub(crate) const INVALID_PUBLIC_KEY: Self = Self::new(112, 400, "invalid public key");
    pub(crate) const INVALID_DATA: Self = Self::new(115, 400, "invalid data");
    pub(crate) const ADDRESS_UNKNOWN: Self = Self::new(124, 404, "account address unknown");
    pub(crate) const INVALID_CRITERIA: Self = Self::new(125, 400, "invalid search criteria");
    pub(crate) const INVALID_REFERENCE: Self = Self::new(126, 400, "invalid reference");
    pub(crate) const BLOCK_UNKNOWN: Self = Self::new(301, 404, "block unknown");
    pub(crate) const PUBLIC_KEY_NOT_FOUND: Self = Self::new(304, 404, "public key not found");
    pub(crate) const TRANSACTION_UNKNOWN: Self = Self::new(311, 404, "transaction unknown");
    pub(crate) const NAME_UNKNOWN: Self = Self::new(401, 404, "name unknown");
    pub(crate) const POLL_NO_EXISTS: Self = Self::new(501, 404, "!!en:ApiError.POLL_NO_EXISTS!!");
    pub(crate) const INVALID_ASSET_ID: Self = Self::new(601, 400, "invalid asset ID");
    pub(crate) const INVALID_ORDER_ID: Self = Self::new(602, 400, "invalid asset order ID");
    pub(crate) const ORDER_UNKNOWN: Self = Self::new(603, 404, "unknown asset order ID");
    pub(crate) const GROUP_UNKNOWN: Self = Self::new(1101, 404, "group unknown");
    pub(crate) const FOREIGN_NETWORK: Self =
        Self::new(1201, 500, "foreign blockchain or ElectrumX network issue");
    pub(crate) const FILE_NOT_FOUND: Self = Self::new(1401, 404, "file not found");

    const fn new(code: u16, status: u16, message: &'static str) -> Self {
        Self {
            code,
            status,
            message,
        }
    }

    /// Creates an error response with a custom message.
    pub(crate) fn saying(self, message: impl Into<String>) -> Refusal {
        Refusal::Explained(self, message.into())
    }

    /// Returns the message in English, or in German if a recording has the German message.
    pub(crate) fn message(self, german: bool) -> &'static str {
        match (self.code, german) {
            (401, true) => "Name unbekannt",
            (501, true) => "!!de:ApiError.POLL_NO_EXISTS!!",
            _ => self.message,
        }
    }
}

/// An endpoint's error response.
#[derive(Debug)]
pub(crate) enum Refusal {
    /// A numbered error with its default message.
    Api(ApiError),
    /// A numbered error with a custom message.
    Explained(ApiError, String),
    /// A parameter of the wrong type: HTTP 400 and a line of text.
    BadParameter(&'static str),
    /// A status for which the container sends its error page, such as 500 for an uncaught exception.
    Page(u16),
    /// No response, since the request waits for an event that never happens.
    Silence,
}

impl From<ApiError> for Refusal {
    fn from(error: ApiError) -> Self {
        Self::Api(error)
    }
}

impl Refusal {
    /// An uncaught exception inside the Core.
    pub(crate) const CRASH: Self = Self::Page(500);
}
