//! Colors of a chart.

use tool_schema::choice;

choice! {
    /// The background of a picture.
    pub enum Theme {
        /// Dark on white.
        Light = "light",
        /// Light on black.
        Dark = "dark"
    }
}

/// Red, green and blue components.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Color(pub(crate) u8, pub(crate) u8, pub(crate) u8);

/// Colors by purpose. Text has a contrast of at least 4.5 against the background.
#[derive(Debug)]
pub(crate) struct Colors {
    pub(crate) paper: Color,
    /// Headings.
    pub(crate) ink: Color,
    /// Labels.
    pub(crate) muted: Color,
    pub(crate) grid: Color,
    /// Rising prices and received amounts.
    pub(crate) rise: Color,
    /// Falling prices and spent amounts.
    pub(crate) fall: Color,
    /// Other lines and bars.
    pub(crate) accent: Color,
}

const LIGHT: Colors = Colors {
    paper: Color(255, 255, 255),
    ink: Color(31, 35, 40),
    muted: Color(89, 99, 110),
    grid: Color(228, 232, 236),
    rise: Color(18, 128, 92),
    fall: Color(207, 34, 46),
    accent: Color(9, 105, 218),
};

const DARK: Colors = Colors {
    paper: Color(13, 17, 23),
    ink: Color(230, 237, 243),
    muted: Color(145, 152, 161),
    grid: Color(38, 44, 54),
    rise: Color(46, 182, 134),
    fall: Color(248, 81, 73),
    accent: Color(88, 166, 255),
};

impl Theme {
    pub(crate) const fn colors(self) -> &'static Colors {
        match self {
            Self::Light => &LIGHT,
            Self::Dark => &DARK,
        }
    }
}
