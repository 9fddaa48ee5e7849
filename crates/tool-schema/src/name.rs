//! Names on the wire, computed from Rust identifiers when the program is compiled.

/// The bytes that [`camel_case`] returns for an identifier.
#[must_use]
pub const fn camel_case_len(identifier: &str) -> usize {
    let name = plain(identifier).as_bytes();
    let mut len = 0;
    let mut at = 0;
    while at < name.len() {
        #[expect(clippy::indexing_slicing, reason = "the loop ends at its length")]
        if name[at] != b'_' {
            len += 1;
        }
        at += 1;
    }
    len
}

/// An identifier in `snake_case` as the bytes of its `camelCase` form. `N` is its [`camel_case_len`].
#[must_use]
pub const fn camel_case<const N: usize>(identifier: &str) -> [u8; N] {
    let name = plain(identifier).as_bytes();
    let mut out = [0; N];
    let mut upper = false;
    let (mut from, mut to) = (0, 0);
    #[expect(clippy::indexing_slicing, reason = "the loop ends at both lengths")]
    while from < name.len() && to < N {
        if name[from] == b'_' {
            upper = true;
        } else {
            out[to] = if upper {
                name[from].to_ascii_uppercase()
            } else {
                name[from]
            };
            upper = false;
            to += 1;
        }
        from += 1;
    }
    out
}

/// An identifier without the prefix that makes it a raw one: `type` for `r#type`.
#[must_use]
pub const fn plain(identifier: &str) -> &str {
    match identifier.as_bytes() {
        [b'r', b'#', ..] => identifier.split_at(2).1,
        _ => identifier,
    }
}

/// The `camelCase` form of an identifier as a `&'static str`.
#[doc(hidden)]
#[macro_export]
macro_rules! __camel_case {
    ($identifier:ident) => {{
        const IDENTIFIER: &str = stringify!($identifier);
        const BYTES: [u8; $crate::__private::camel_case_len(IDENTIFIER)] =
            $crate::__private::camel_case(IDENTIFIER);
        const NAME: &str = match ::core::str::from_utf8(&BYTES) {
            Ok(name) => name,
            Err(_) => unreachable!(),
        };
        NAME
    }};
}

#[cfg(test)]
mod tests {
    #[test]
    fn names_are_those_of_the_wire() {
        assert_eq!(__camel_case!(height), "height");
        assert_eq!(__camel_case!(is_for_sale), "isForSale");
        assert_eq!(__camel_case!(r#type), "type");
        assert_eq!(__camel_case!(größe_2_b), "größe2B");
    }
}
