//! Pictures in terminals that show them.

use std::io::{self, Write};

/// Bytes of Base64 in one escape sequence of kitty's protocol.
const KITTY_CHUNK: usize = 4096;

/// How a terminal is given a picture.
#[derive(Debug, Clone, Copy)]
pub(super) enum Protocol {
    /// <https://sw.kovidgoyal.net/kitty/graphics-protocol/>, which Ghostty speaks too.
    Kitty,
    /// <https://iterm2.com/documentation-images.html>, which WezTerm speaks too.
    Iterm,
}

impl Protocol {
    /// That of the terminal in which the program runs, by its environment.
    pub(super) fn of(environment: impl Fn(&str) -> Option<String>) -> Option<Self> {
        let program = environment("TERM_PROGRAM").unwrap_or_default();
        let kind = environment("TERM").unwrap_or_default();
        if kind.contains("kitty") || program == "ghostty" {
            return Some(Self::Kitty);
        }
        matches!(program.as_str(), "iTerm.app" | "WezTerm").then_some(Self::Iterm)
    }

    /// Writes a PNG, given in Base64.
    pub(super) fn show(self, out: &mut impl Write, data: &str) -> io::Result<()> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_terminal_is_given_a_picture_as_it_says_what_it_is() {
        let data = "x".repeat(KITTY_CHUNK + 1);
        let chunk = "x".repeat(KITTY_CHUNK);
        let kitty = format!("^_Gf=100,a=T,m=1;{chunk}^\\^_Gm=0;x^\\\n");
        let iterm = format!("^]1337;File=inline=1;width=100%:{data}$\n");
        for (variable, value, expected) in [
            ("TERM", "xterm-kitty", &*kitty),
            ("TERM_PROGRAM", "ghostty", &kitty),
            ("TERM_PROGRAM", "iTerm.app", &iterm),
            ("TERM_PROGRAM", "WezTerm", &iterm),
            ("TERM_PROGRAM", "vscode", ""),
            ("TERM", "xterm", ""),
        ] {
            let mut out = Vec::new();
            let protocol = Protocol::of(|it| (it == variable).then(|| value.to_owned()));
            if let Some(protocol) = protocol {
                protocol.show(&mut out, &data).unwrap();
            }
            let shown = String::from_utf8(out).unwrap();
            let shown = shown.replace('\u{1b}', "^").replace('\u{7}', "$");
            assert_eq!(shown, expected, "{value}");
        }
    }
}
