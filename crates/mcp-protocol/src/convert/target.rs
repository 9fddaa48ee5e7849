//! A target as a row of facts, and the result around the parts that they allow.

use serde_json::Value;

use super::{
    carrier::Carrier,
    converted::{Call, ConvertError, Converted},
    json_ref::JsonRef,
    piece::PieceOf,
    pieces::collect,
    policy::Policy,
    validate::found::Found,
    view::{AsToolResult, ResultView},
};
use crate::{loss::Losses, parse::NotAToolResult};

/// A host, an SDK or an API. The modules of [`super`] have them all, for example [`super::anthropic::Anthropic`].
pub trait Target: Row {}

/// A target whose vendor has a converter of its own, which [`compat`] equals.
pub trait Vendor: Target + Compat {}

impl<T: Row + ?Sized> Target for T {}
impl<T: Row + Compat + ?Sized> Vendor for T {}

/// What [`Target`] is to this crate.
pub trait Row {
    /// What it can carry in a result that failed, or did not.
    fn carrier(&self, is_error: bool) -> Carrier;

    /// The result around its pieces.
    fn whole<'a>(&self, pieces: Vec<PieceOf<'a>>, of: Context<'a, '_>) -> JsonRef<'a>;

    /// The parts of the message after the result.
    fn beside<'a>(&self, pieces: Vec<PieceOf<'a>>, _of: Context<'a, '_>) -> Vec<JsonRef<'a>> {
        self.carrier(false).parts(pieces)
    }

    /// What is wrong with a result that was made for it.
    fn check(&self, result: &Value, found: &mut Found);
}

/// What [`Vendor`] is to this crate.
pub trait Compat {
    /// What the vendor's converter makes of a result; of `json` alone where it takes anything.
    fn compat<'a>(
        &self,
        view: Result<ResultView<'a>, NotAToolResult>,
        json: Option<&'a Value>,
        call: Call<'a>,
    ) -> Result<Converted<'a>, ConvertError>;
}

/// What a result has beside its pieces.
#[derive(Debug)]
pub struct Context<'a, 'v> {
    pub(super) view: &'v ResultView<'a>,
    pub(super) call: Call<'a>,
    pub(super) policy: &'v Policy,
    pub(super) losses: &'v mut Losses,
}

/// A result in a target's shape. It loses nothing that the target can carry, has no Base64 in its texts, and a failure
/// always reaches the model. [`Converted::follow_up`] has what the target refuses in a result: send it in a user message
/// after the results of all calls of the turn.
///
/// ```
/// use mcp_protocol::convert::{self, Call, Policy, anthropic::Anthropic};
///
/// let result = serde_json::json!({"content": [{"type": "text", "text": "boom"}], "isError": true});
/// let call = Call::new("t1", "lookup");
/// let converted = convert::convert(&result, call, &Anthropic::default(), &Policy::default())?;
/// assert_eq!(converted.output.to_value()["is_error"], true);
/// # Ok::<(), convert::ConvertError>(())
/// ```
///
/// # Errors
/// Fails if the value is not a tool result, or if the policy makes a block that the target cannot carry an error.
pub fn convert<'a>(
    result: &'a (impl AsToolResult + ?Sized),
    call: Call<'a>,
    target: &(impl Target + ?Sized),
    policy: &Policy,
) -> Result<Converted<'a>, ConvertError> {
    let view = &result.view()?;
    let carrier = target.carrier(view.is_error());
    let (mut out, beside) = collect(view, policy, &carrier)?;
    let pieces = std::mem::take(&mut out.output);
    let losses = &mut out.losses;
    let of = Context {
        view,
        call,
        policy,
        losses,
    };
    let output = target.whole(pieces, of);
    if !beside.is_empty() {
        let losses = &mut out.losses;
        out.follow_up = target.beside(
            beside,
            Context {
                view,
                call,
                policy,
                losses,
            },
        );
    }
    Ok(out.map(|_| output))
}

/// A result as the vendor's own converter makes it, with its gaps: failures may be lost, and Base64 may be in texts.
///
/// ```
/// use mcp_protocol::convert::{self, Call, copilot::Copilot};
///
/// let result = serde_json::json!({"content": [{"type": "text", "text": "boom"}], "isError": true});
/// let converted = convert::compat(&result, Call::new("t1", "lookup"), &Copilot::default())?;
/// let sent = serde_json::to_string(&converted.output)?;
/// assert_eq!(sent, r#"{"textResultForLlm":"boom","resultType":"failure"}"#);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Fails if the value is not a tool result, and where the vendor's converter fails.
pub fn compat<'a>(
    result: &'a (impl AsToolResult + ?Sized),
    call: Call<'a>,
    vendor: &(impl Vendor + ?Sized),
) -> Result<Converted<'a>, ConvertError> {
    vendor.compat(result.view(), result.as_json(), call)
}
