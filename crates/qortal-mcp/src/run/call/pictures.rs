//! Where the picture of an answer goes: to a file, into the terminal, or nowhere, which is said.

use std::{fs, io, io::Write, path::Path};

use base64::{Engine, engine::general_purpose::STANDARD};
use qortal_tools::{Body, Outcome};

use crate::{
    env,
    exit::{Exit, Failure},
    show::Terminal,
    text,
};

/// Bytes of Base64 in one escape sequence of kitty's protocol.
const KITTY_CHUNK: usize = 4096;

const PNG: &str = "image/png";
const SVG: &str = "image/svg+xml";

/// The format that the name of a file asks for.
pub(super) fn media_type(path: &str) -> Result<&'static str, Failure> {
    let extension = Path::new(path).extension().unwrap_or_default();
    match extension.to_ascii_lowercase().to_str() {
        Some("png") => Ok(PNG),
        Some("svg") => Ok(SVG),
        _ => Err(Failure::new(format!(
            "pictures are PNG or SVG, and {path:?} is neither\nhint: --output FILE.png, or FILE.svg"
        ))),
    }
}

/// Writes the picture to `output`, a file and its format, or shows it in a terminal that can.
pub(super) fn put(
    outcome: &Outcome,
    output: Option<(&str, &str)>,
    terminal: &Terminal,
) -> Result<(), Failure> {
    let attachments = &outcome.attachments;
    let picture = |media_type: &str| attachments.iter().find(|it| it.mime_type == media_type);
    let Some((path, media_type)) = output else {
        let Some(png) = picture(PNG) else {
            return Ok(());
        };
        if let (Some(protocol), Body::Base64(data)) = (Protocol::of(terminal), &png.body) {
            return protocol
                .show(data)
                .map_err(|err| unwritten("the terminal", err));
        }
        text::print_note(
            "note: the answer has a picture; --output FILE.png writes it, FILE.svg writes it as SVG",
        );
        return Ok(());
    };
    let picture = picture(media_type).ok_or_else(|| {
        Failure::new(format!("the answer has no picture to write to {path:?}")).ends(Exit::Failed)
    })?;
    let failed = |err| unwritten(path, err);
    let bytes = match &picture.body {
        Body::Text(text) => text.clone().into_bytes(),
        Body::Base64(data) => STANDARD
            .decode(data)
            .map_err(io::Error::other)
            .map_err(failed)?,
    };
    fs::write(path, bytes).map_err(failed)?;
    text::print_note(&format!("{media_type} written to {path}"));
    Ok(())
}

fn unwritten(path: &str, err: io::Error) -> Failure {
    Failure::caused(format!("cannot write the picture to {path:?}"), err).ends(Exit::Io)
}

/// How a terminal is given a picture.
#[derive(Clone, Copy)]
enum Protocol {
    /// <https://sw.kovidgoyal.net/kitty/graphics-protocol/>, which Ghostty speaks too.
    Kitty,
    /// <https://iterm2.com/documentation-images.html>, which WezTerm speaks too.
    Iterm,
}

impl Protocol {
    fn of(terminal: &Terminal) -> Option<Self> {
        if !terminal.is_terminal {
            return None;
        }
        let program = env::read("TERM_PROGRAM").unwrap_or_default();
        let kind = env::read("TERM").unwrap_or_default();
        if kind.contains("kitty") || program == "ghostty" {
            return Some(Self::Kitty);
        }
        matches!(program.as_str(), "iTerm.app" | "WezTerm").then_some(Self::Iterm)
    }

    /// Writes a PNG, given in Base64.
    fn show(self, data: &str) -> io::Result<()> {
        let mut out = io::stdout().lock();
        match self {
            Self::Iterm => write!(out, "\x1b]1337;File=inline=1;width=100%:{data}\x07")?,
            Self::Kitty => {
                let mut rest = data;
                let mut control = "f=100,a=T,";
                while !rest.is_empty() {
                    let (chunk, more) = rest.split_at(rest.len().min(KITTY_CHUNK));
                    let follows = u8::from(!more.is_empty());
                    write!(out, "\x1b_G{control}m={follows};{chunk}\x1b\\")?;
                    (rest, control) = (more, "");
                }
            }
        }
        writeln!(out)?;
        out.flush()
    }
}
