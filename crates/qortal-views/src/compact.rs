//! Leaves out of a script or a style sheet what only its readers need, at compile time.
#![expect(
    clippy::indexing_slicing,
    reason = "constant functions have no other access, and what is wrong does not compile"
)]

/// What has a meaning of its own in a language, so that spaces beside it have none.
pub(crate) const SCRIPT: &[u8] = b"(){}[]=,;:?<>|&!+*-";
/// The same of style sheets, where `a :b` is not `a:b`, but no selector here begins with a colon.
pub(crate) const STYLE: &[u8] = b"{};:,";

/// Writes `source` to `target` from `length` on, as far as that reaches, without comments, indentation, and spaces beside the characters of
/// `marks`. Returns the length with it.
///
/// It knows strings, but not regular expressions, nor a template inside of another: those hold no spaces and no quotes here,
/// and the second is an error.
pub(crate) const fn compact(
    source: &[u8],
    marks: &[u8],
    target: &mut [u8],
    mut length: usize,
) -> usize {
    let mut at = 0;
    let mut last = b'\n';
    while at < source.len() {
        let byte = source[at];
        if byte == b'/' && is(source, at + 1, b'*') {
            at = past_comment(source, at + 2);
            continue;
        }
        if byte == b'/' && is(source, at + 1, b'/') && begins_line(source, at) {
            while at < source.len() && source[at] != b'\n' {
                at += 1;
            }
            continue;
        }
        if byte == b'"' || byte == b'\'' || byte == b'`' {
            let end = past_string(source, at);
            while at < end {
                length = put(target, length, source[at]);
                at += 1;
            }
            last = byte;
            continue;
        }
        if byte == b' ' || byte == b'\n' {
            let (next, has_line) = past_space(source, at);
            at = next;
            let following = if at < source.len() { source[at] } else { b'\n' };
            let is_apart = match has_line {
                true => !has(b"\n{([,;=>?:&|", last) && !has(b"})].?:,", following),
                false => !has(marks, last) && !has(marks, following) && last != b'\n',
            };
            if is_apart {
                last = if has_line { b'\n' } else { b' ' };
                length = put(target, length, last);
            }
            continue;
        }
        if byte == b'}' && last == b';' {
            length -= 1;
        }
        length = put(target, length, byte);
        last = byte;
        at += 1;
    }
    length
}

const fn put(target: &mut [u8], length: usize, byte: u8) -> usize {
    if length < target.len() {
        target[length] = byte;
    }
    length + 1
}

const fn is(source: &[u8], at: usize, byte: u8) -> bool {
    at < source.len() && source[at] == byte
}

const fn has(set: &[u8], byte: u8) -> bool {
    let mut at = 0;
    while at < set.len() {
        if set[at] == byte {
            return true;
        }
        at += 1;
    }
    false
}

/// Whether there is only space before it in its line.
const fn begins_line(source: &[u8], mut at: usize) -> bool {
    while at > 0 && source[at - 1] == b' ' {
        at -= 1;
    }
    at == 0 || source[at - 1] == b'\n'
}

const fn past_comment(source: &[u8], mut at: usize) -> usize {
    while !(source[at] == b'*' && is(source, at + 1, b'/')) {
        at += 1;
    }
    at + 2
}

/// Past spaces and comments, and whether there is a line break among them.
const fn past_space(source: &[u8], mut at: usize) -> (usize, bool) {
    let mut has_line = false;
    while at < source.len() {
        if source[at] == b'/' && is(source, at + 1, b'*') {
            at = past_comment(source, at + 2);
        } else if source[at] == b'/' && is(source, at + 1, b'/') && begins_line(source, at) {
            while at < source.len() && source[at] != b'\n' {
                at += 1;
            }
        } else if source[at] == b' ' || source[at] == b'\n' {
            has_line |= source[at] == b'\n';
            at += 1;
        } else {
            break;
        }
    }
    (at, has_line)
}

const fn past_string(source: &[u8], mut at: usize) -> usize {
    let quote = source[at];
    let mut braces = 0;
    at += 1;
    while source[at] != quote {
        if quote == b'`' && source[at] == b'$' && is(source, at + 1, b'{') {
            braces += 1;
        } else if source[at] == b'}' && braces > 0 {
            braces -= 1;
        }
        at += if source[at] == b'\\' { 2 } else { 1 };
    }
    assert!(
        braces == 0,
        "a template inside of another is not known here"
    );
    at + 1
}

#[cfg(test)]
mod tests {
    use super::{SCRIPT, STYLE, compact};

    fn check(marks: &[u8], source: &str, expected: &str) {
        let mut target = vec![0; source.len()];
        let length = compact(source.as_bytes(), marks, &mut target, 0);
        assert_eq!(std::str::from_utf8(&target[..length]), Ok(expected));
        // The length is the same when there is no room.
        assert_eq!(compact(source.as_bytes(), marks, &mut [], 0), length);
    }

    #[test]
    fn what_only_readers_need_is_left_out() {
        for (source, expected) in [
            ("const a = 1;\n\n  const b = a;\n", "const a=1;const b=a;"),
            ("/** What. */\n// Why.\nlet a;\n", "let a;"),
            ("let a = /** @type {B} */ (b);", "let a=(b);"),
            ("f(\n  a,\n  // Why.\n  b,\n);", "f(a,b,);"),
            ("if (a) {\n  b();\n}\n", "if(a){b()}\n"),
            ("a\n  ? b\n  : c\nd", "a?b:c\nd"),
            ("return a\nb", "return a\nb"),
            ("return \"a\"", "return \"a\""),
        ] {
            check(SCRIPT, source, expected);
        }
        for (source, expected) in [
            ("a, b { c: d e; }\n\nf { g: h; }\n", "a,b{c:d e}\nf{g:h}\n"),
            (
                "@media (min-width: 1px) { a { b: c; } }",
                "@media (min-width:1px){a{b:c}}",
            ),
            (
                "/* Why. */\n.a .b { c: calc(1px + 2px); }",
                ".a .b{c:calc(1px + 2px)}",
            ),
        ] {
            check(STYLE, source, expected);
        }
    }

    #[test]
    fn texts_stay_as_they_are() {
        for source in [
            "f(\"a  b: // c /* d */\")",
            "f('a  \"b\"')",
            "f(`a  ${b+c} \\` d`)",
            "f(\"a\\\\\",\" b\")",
        ] {
            check(SCRIPT, source, source);
        }
    }

    #[test]
    #[should_panic(expected = "a template inside of another")]
    fn a_template_inside_of_another_is_an_error() {
        check(SCRIPT, "`a ${b.map((c) => `d ${c}`)}`", "");
    }
}
