//! How many tokens texts have: one text a line on the input as a JSON string, one number a line on the output.
//!
//! The tokenizer is `o200k_base`, that of current OpenAI models; others differ by a few per cent.

use std::io::{self, BufRead, Write};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let tokenizer = tiktoken_rs::o200k_base()?;
    let mut output = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let text: String = serde_json::from_str(&line?)?;
        writeln!(output, "{}", tokenizer.encode_ordinary(&text).len())?;
    }
    Ok(())
}
