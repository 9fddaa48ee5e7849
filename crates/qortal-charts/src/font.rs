//! Fonts of the charts: subsets of Inter, described in fonts/README.md.

use ttf_parser::{Face, GlyphId, OutlineBuilder};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Weight {
    /// ASCII and a few symbols.
    Regular,
    /// Latin-1 in addition.
    SemiBold,
}

impl Weight {
    const fn bytes(self) -> &'static [u8] {
        match self {
            Self::Regular => include_bytes!("../fonts/inter-regular.ttf"),
            Self::SemiBold => include_bytes!("../fonts/inter-semibold.ttf"),
        }
    }

    pub(crate) fn face(self) -> Font {
        let face = Face::parse(self.bytes(), 0);
        Font(face.expect("the fonts in the program are well-formed, as a test shows"))
    }
}

pub(crate) struct Font(Face<'static>);

impl Font {
    /// Returns the glyphs of a string with their distances from its start, and the string's width, all for a font size of 1.
    pub(crate) fn glyphs(&self, text: &str) -> (Vec<(GlyphId, f64)>, f64) {
        let em = f64::from(self.0.units_per_em());
        let mut width = 0.0;
        let glyphs = text.chars().map(|character| {
            // Glyph 0 is the box for characters missing from the font.
            let glyph = self.0.glyph_index(character).unwrap_or(GlyphId(0));
            let at = width;
            width += f64::from(self.0.glyph_hor_advance(glyph).unwrap_or(0)) / em;
            (glyph, at)
        });
        let glyphs = glyphs.collect();
        (glyphs, width)
    }

    /// Returns the number of font units per em.
    pub(crate) fn em(&self) -> f64 {
        f64::from(self.0.units_per_em())
    }

    pub(crate) fn outline(&self, glyph: GlyphId, builder: &mut dyn OutlineBuilder) {
        self.0.outline_glyph(glyph, builder);
    }
}

/// Returns the width of a string in pixels.
pub(crate) fn width(text: &str, size: f64, weight: Weight) -> f64 {
    weight.face().glyphs(text).1 * size
}

/// Returns `true` if the heading font has every character of `text`.
pub fn is_drawable(text: &str) -> bool {
    let Font(face) = Weight::SemiBold.face();
    text.chars().all(|it| face.glyph_index(it).is_some())
}

/// Returns the string, shortened with an ellipsis if it is wider than `room`.
pub(crate) fn fitted(text: &str, size: f64, weight: Weight, room: f64) -> String {
    if width(text, size, weight) <= room {
        return text.to_owned();
    }
    let mut rest = text.to_owned();
    while rest.pop().is_some() {
        let cut = format!("{}…", rest.trim_end());
        if width(&cut, size, weight) <= room {
            return cut;
        }
    }
    String::new()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fonts_have_what_pictures_write() {
        for weight in [Weight::Regular, Weight::SemiBold] {
            let Font(face) = weight.face();
            let signs = (' '..='~').chain("·–—…−".chars());
            for sign in signs {
                assert!(face.glyph_index(sign).is_some(), "{sign:?} {weight:?}");
            }
            let widths = "0123456789"
                .chars()
                .map(|it| width(&it.to_string(), 1.0, weight));
            let widths: Vec<f64> = widths.collect();
            assert!(widths.windows(2).all(|it| it.first() == it.last()));
            // A hyphen in a name has no gaps around it.
            let hyphen = width("-", 1.0, weight);
            assert!(hyphen < 0.8 * width("0", 1.0, weight), "{hyphen}");
        }
        assert!(is_drawable("Bób") && !is_drawable("名"));
    }

    #[test]
    fn long_texts_are_cut_at_the_room() {
        let full = "a rather long title";
        assert_eq!(fitted(full, 10.0, Weight::Regular, 500.0), full);
        let cut = fitted(full, 10.0, Weight::Regular, 50.0);
        assert!(cut.ends_with('…') && cut.len() > 5, "{cut}");
        assert!(width(&cut, 10.0, Weight::Regular) <= 50.0);
    }
}
