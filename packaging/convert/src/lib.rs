//! The conversion as functions that a WebAssembly host calls: it writes a request, calls, and reads the answer, all JSON.
//!
//! A request is `{"settings": …, "value": …}`; an answer is `{"value": …}` or `{"error": "…"}`. The host writes and reads
//! one text in the module's memory, so that no address is ever taken from it.

#![expect(
    unsafe_code,
    reason = "an exported name is unsafe because another library could have it; this module is linked with none"
)]

use std::cell::RefCell;

use mcp_convert::settings::Settings;
use serde_json::{Value, json};

thread_local! {
    /// The request before a call, and the answer after it.
    static TEXT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Request {
    settings: Settings,
    value: Value,
}

/// Makes room for a request of so many bytes, and returns where the host writes it.
#[unsafe(no_mangle)]
pub extern "C" fn request(bytes: usize) -> *mut u8 {
    TEXT.with_borrow_mut(|text| {
        text.clear();
        text.resize(bytes, 0);
        text.as_mut_ptr()
    })
}

/// Converts the value of the request, and returns where the answer is.
#[unsafe(no_mangle)]
pub extern "C" fn convert() -> *const u8 {
    answer(|it| Ok(json!(it.settings.convert(it.value)?)))
}

/// Tells what the target's API refuses of the value, and returns where the answer is.
#[unsafe(no_mangle)]
pub extern "C" fn check() -> *const u8 {
    answer(|it| Ok(it.settings.check(&it.value)?.into()))
}

/// The bytes of the answer.
#[unsafe(no_mangle)]
pub extern "C" fn length() -> usize {
    TEXT.with_borrow(Vec::len)
}

fn answer(run: impl FnOnce(Request) -> Result<Value, mcp_convert::settings::SettingsError>) -> *const u8 {
    TEXT.with_borrow_mut(|text| {
        let request = serde_json::from_slice(text).map_err(|it| it.to_string());
        let answer = match request.and_then(|it| run(it).map_err(|it| it.to_string())) {
            Ok(value) => json!({"value": value}),
            Err(error) => json!({"error": error}),
        };
        *text = answer.to_string().into_bytes();
        text.as_ptr()
    })
}
