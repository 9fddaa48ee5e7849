//! A target as a row of facts, and the result format around its parts.

use std::{borrow::Cow, fmt};

use mcp_protocol::{LossKind, Losses, read::NotAToolResult};
use serde_json::Value;

use super::{
    duplicates::is_in_texts,
    parts::collect,
    view::{AsResultView, ResultView},
};
// What rows are written with.
pub(super) use super::{
    carrier::{Carrier, Envelope, Linked, NO_MESSAGE, NO_OUTPUT, PICTURES, Place, Types},
    converted::{CallRef, Conversion, ConvertError},
    json_ref::{ConvertedJson, Json},
    part::{Part, PartOf, join, joined, only_value, shown},
    policy::ConvertOptions,
    shape::forms,
    tools::Provider,
    validate::found::{Found, at},
};
/// A host, an SDK or an API. The root of the crate exports all of them, such as [`crate::Anthropic`].
pub trait Target: Row {}

/// A target with a converter by its vendor. [`convert_like_vendor`] reproduces its output.
pub trait VendorConverter: Target + Compat {}

impl<T: Row + ?Sized> Target for T {}
impl<T: Row + Compat + ?Sized> VendorConverter for T {}

/// The crate's internal interface of [`Target`].
pub trait Row: fmt::Debug {
    /// Returns the content that the target can carry in a failed or a successful result.
    fn carrier(&self, is_error: bool) -> Carrier;

    /// Builds the result around its parts.
    fn whole<'a>(&self, parts: Vec<PartOf<'a>>, of: &mut Context<'a, '_>) -> Json<'a> {
        of.carrier.whole(parts, of.view.is_error)
    }

    /// Adjusts an API's row to the content that the target's package for that API forwards.
    fn package(&self, _api: &mut Carrier) {}

    /// Checks a result in the target's format and adds violations to `found`.
    fn check(&self, result: &Value, carrier: &Carrier, found: &mut Found) {
        found.whole(result, carrier);
    }
}

/// The private part of [`VendorConverter`].
pub trait Compat {
    /// Converts a result as the vendor's converter does, or `json` directly where the converter accepts any value.
    fn compat<'a>(&self, of: Source<'a>) -> Result<Conversion<'a, Json<'a>>, ConvertError>;
}

/// A target without settings: its row, and what it does in its own way.
macro_rules! target {
    ($(#[$doc:meta])+ $vis:vis $name:ident: $carrier:ident; $($own:tt)*) => {
        $(#[$doc])+
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
        #[non_exhaustive]
        $vis struct $name {}

        impl Row for $name {
            fn carrier(&self, _: bool) -> Carrier {
                $carrier
            }

            $($own)*
        }
    };
}
pub(super) use target;

/// The input of a vendor's converter.
#[derive(Debug)]
pub struct Source<'a> {
    pub(super) view: Result<ResultView<'a>, NotAToolResult>,
    /// The JSON, if it is JSON.
    pub(super) json: Option<&'a Value>,
    pub(super) call: CallRef<'a>,
}

/// The context of a result's parts.
#[derive(Debug)]
pub struct Context<'a, 'v> {
    pub(super) carrier: Carrier,
    pub(super) view: &'v ResultView<'a>,
    pub(super) call: CallRef<'a>,
    pub(super) policy: &'v ConvertOptions,
    /// The structured value for programs, unless it is the blocks.
    pub(super) structured: Option<Cow<'a, Value>>,
    pub(super) losses: &'v mut Losses,
}

impl Context<'_, '_> {
    /// As several have it.
    pub(super) fn status(&self) -> &'static str {
        let is_error = self.view.is_error;
        if is_error { "error" } else { "success" }
    }
}

/// Converts a result to the format of a target.
///
/// The output loses nothing that the target can carry, has no base64-encoded data in its texts, and always reports a failure to the
/// model. [`Conversion::follow_up`] holds content that the target rejects in a result. Send it in a user message after the results
/// of all calls of the turn.
///
/// ```
/// use mcp_convert::{Anthropic, CallRef, ConvertOptions, convert};
///
/// let result = serde_json::json!({"content": [{"type": "text", "text": "boom"}], "isError": true});
/// let call = CallRef::new("t1", "lookup");
/// let converted = convert(&result, call, &Anthropic::default(), &ConvertOptions::default())?;
/// assert_eq!(converted.output.to_value()["is_error"], true);
/// # Ok::<(), mcp_convert::ConvertError>(())
/// ```
///
/// # Errors
/// Returns an error if the value is not a tool result.
pub fn convert<'a>(
    result: &'a (impl AsResultView + ?Sized),
    call: CallRef<'a>,
    target: &(impl Target + ?Sized),
    policy: &ConvertOptions,
) -> Result<Conversion<'a>, ConvertError> {
    let view = &result.view()?;
    let carrier = target.carrier(view.is_error);
    let mut it = collect(view, policy, &carrier);
    let parts = std::mem::take(&mut it.out.output);
    let mut of = Context {
        carrier,
        view,
        call,
        policy,
        structured: it.structured,
        losses: &mut it.out.losses,
    };
    let output = target.whole(parts, &mut of);
    let follow_up = of.carrier.of_message().parts(it.beside);
    it.out.follow_up = follow_up.into_iter().map(ConvertedJson).collect();
    Ok(it.out.map(|_| ConvertedJson(output)))
}

/// Converts a result exactly as the vendor's own converter does, including its gaps: failures may be lost, and texts may contain
/// base64-encoded data.
///
/// ```
/// use mcp_convert::{CallRef, Copilot, convert_like_vendor};
///
/// let result = serde_json::json!({"content": [{"type": "text", "text": "boom"}], "isError": true});
/// let converted = convert_like_vendor(&result, CallRef::new("t1", "lookup"), &Copilot::default())?;
/// let sent = serde_json::to_string(&converted.output)?;
/// assert_eq!(sent, r#"{"textResultForLlm":"boom","resultType":"failure"}"#);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Returns an error if the value is not a tool result, or if the vendor's converter fails.
pub fn convert_like_vendor<'a>(
    result: &'a (impl AsResultView + ?Sized),
    call: CallRef<'a>,
    vendor: &(impl VendorConverter + ?Sized),
) -> Result<Conversion<'a>, ConvertError> {
    let converted = vendor.compat(Source {
        view: result.view(),
        json: result.as_raw_json(),
        call,
    })?;
    Ok(converted.map(ConvertedJson))
}

/// What a vendor's converter makes, with what was lost of the blocks and whether the structured value is.
pub(super) fn converted<'a>(
    output: Json<'a>,
    mut losses: Losses,
    view: &ResultView<'a>,
) -> Conversion<'a, Json<'a>> {
    if !is_in_texts(view) {
        losses.push(LossKind::STRUCTURED_DROPPED, None, "");
    }
    Conversion {
        losses,
        ..Conversion::new(output, view)
    }
}

/// A block that a vendor's converter raises on.
pub(super) fn no_form(index: usize, kind: &str) -> ConvertError {
    let what = format!("{} block", shown(kind));
    ConvertError::Unsupported { index, what }
}
