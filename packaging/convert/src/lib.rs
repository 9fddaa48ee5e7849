//! The conversion as functions that a WebAssembly host calls: it writes a request, calls, and reads the answer, all JSON.
//!
//! Request and answer are those of [`mcp_convert::settings::convert_json_request`]. The host writes and reads one text in the module's memory, so
//! that no address is ever taken from it.

#![expect(
    unsafe_code,
    reason = "an exported name is unsafe because another library could have it; this module is linked with none"
)]

use std::cell::RefCell;

use mcp_convert::settings;

thread_local! {
    /// The request before a call, and the answer after it.
    static TEXT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
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

/// Answers the request, and returns where the answer is.
#[unsafe(no_mangle)]
pub extern "C" fn convert() -> *const u8 {
    TEXT.with_borrow_mut(|text| {
        *text = settings::convert_json_request(text).to_string().into_bytes();
        text.as_ptr()
    })
}

/// The bytes of the answer.
#[unsafe(no_mangle)]
pub extern "C" fn length() -> usize {
    TEXT.with_borrow(Vec::len)
}
