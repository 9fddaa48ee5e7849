//! Markers at the beginning of descriptions: `**category:4;subcategory:401;code:aB3dE**`.
//!
//! Several apps put them there to search for them, and remove them before they show the description: Qortal/q-tube 68c3ea7
//! (src/components/Publish/PublishVideo/useVideoPublishingWorkflow.tsx), Qortal/q-share 0b25333
//! (src/components/PublishFile/PublishFile.tsx), Qortal/q-support f4ede96 (src/components/PublishIssue/PublishIssue.tsx),
//! Qortal/q-shop 0738e27 (src/wrappers/GlobalWrapper.tsx).

/// Both ends of a marker.
const FENCE: &str = "**";

/// The longest marker, in bytes: a super like has a signature and two names.
const LONGEST: usize = 240;

/// The most fields: a playlist has ten codes beside two categories.
const FIELDS: usize = 16;

/// The longest name of a field.
const LONGEST_NAME: usize = 16;

/// A description, divided into its marker and its text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Description<'a> {
    /// The fields of the marker, in order. A name may come several times.
    pub fields: Vec<(&'a str, &'a str)>,
    /// The text without the marker.
    pub text: &'a str,
}

impl<'a> Description<'a> {
    /// Divides a description. One without a marker is text as a whole, also if it begins with words in bold type.
    ///
    /// ```
    /// let description = qortal_apps::marker::Description::read("**category:4;code:aB3dE**How to begin.");
    /// assert_eq!(description.fields, [("category", "4"), ("code", "aB3dE")]);
    /// assert_eq!(description.text, "How to begin.");
    /// ```
    #[must_use]
    pub fn read(description: &'a str) -> Self {
        let marker = description
            .strip_prefix(FENCE)
            .and_then(|rest| rest.split_once(FENCE))
            .filter(|(marker, _)| marker.len() <= LONGEST);
        match marker.and_then(|(marker, text)| Some((fields(marker)?, text))) {
            Some((fields, text)) => Self {
                fields,
                text: text.trim_start(),
            },
            None => Self {
                fields: Vec::new(),
                text: description,
            },
        }
    }

    /// Returns the first value of a field.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<&'a str> {
        let mut fields = self.fields.iter();
        let found = fields.find(|(field, _)| *field == name);
        found.map(|(_, value)| *value)
    }
}

/// Whether a tag is for an app rather than for people: the beginning of its identifiers, or the layout of a post of Q-Blog
/// (Qortal/q-blog 3695fce, src/pages/CreatePost/CreatePostMinimal.tsx).
#[must_use]
pub fn is_technical_tag(tag: &str) -> bool {
    let is_layout = || {
        let (width, height) = tag.strip_prefix("v1.")?.split_once('x')?;
        let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        Some(is_number(width) && is_number(height))
    };
    let is_kinds = !tag.is_empty()
        && tag
            .split(", ")
            .all(|kind| matches!(kind, "t" | "v" | "a" | "i"));
    let is_prefix = ["qtube_", "qshare_", "q_support_", "q-fund_"]
        .iter()
        .any(|app| tag.starts_with(app) && tag.ends_with('_'));
    is_prefix || is_kinds || is_layout().unwrap_or(false)
}

/// The fields of a marker; `None` if it is not one.
fn fields(marker: &str) -> Option<Vec<(&str, &str)>> {
    // An old form of Q-Support has the numbers of categories alone: `1,103,,`.
    if marker
        .bytes()
        .all(|byte| byte.is_ascii_digit() || byte == b',')
    {
        return Some(Vec::new());
    }
    let parts = marker.split(';').filter(|part| !part.is_empty());
    let fields = parts.map(|part| {
        let (name, value) = part.split_once(':')?;
        let is_name = name.bytes().all(|byte| byte.is_ascii_alphanumeric());
        let is_name = is_name && (1..=LONGEST_NAME).contains(&name.len());
        (is_name && !value.starts_with(' ')).then_some((name, value))
    });
    let mut fields = fields.collect::<Option<Vec<_>>>()?;
    fields.truncate(FIELDS);
    Some(fields)
}

#[cfg(test)]
mod tests {
    use super::{Description, is_technical_tag};

    #[test]
    fn tags_for_apps_are_told_from_topics() {
        for (tag, is_technical) in [
            ("qtube_vid_", true),
            ("v1.500x375", true),
            ("t, v, i", true),
            ("t", true),
            ("node", false),
            ("v1.final", false),
            ("qtube_tips", false),
            ("", false),
        ] {
            assert_eq!(is_technical_tag(tag), is_technical, "{tag}");
        }
    }

    #[test]
    fn description_is_divided_into_marker_and_text() {
        for (description, fields, text) in [
            (
                "**category:4;subcategory:401;code:aB3dE**How to begin.",
                vec![("category", "4"), ("subcategory", "401"), ("code", "aB3dE")],
                "How to begin.",
            ),
            (
                "**category:4;subcategory:401;c:aB3dE;c:fG6hI;**All first steps",
                vec![
                    ("category", "4"),
                    ("subcategory", "401"),
                    ("c", "aB3dE"),
                    ("c", "fG6hI"),
                ],
                "All first steps",
            ),
            (
                "**sig:2w91;FOR096:Alice Test_qtube_sl;nm:Alice Test**",
                vec![
                    ("sig", "2w91"),
                    ("FOR096", "Alice Test_qtube_sl"),
                    ("nm", "Alice Test"),
                ],
                "",
            ),
            (
                "**coins:QORTtrue,ARRRfalse**Honey and wax",
                vec![("coins", "QORTtrue,ARRRfalse")],
                "Honey and wax",
            ),
            (
                "**cat:2;sub:21;**How",
                vec![("cat", "2"), ("sub", "21")],
                "How",
            ),
            ("**1,103,,**How", vec![], "How"),
            ("****How", vec![], "How"),
            // What people write in bold type is theirs.
            ("**Honey** and wax", vec![], "**Honey** and wax"),
            ("**Note: new** and wax", vec![], "**Note: new** and wax"),
            (
                "**see http://a.example** too",
                vec![],
                "**see http://a.example** too",
            ),
            ("**category:4", vec![], "**category:4"),
            ("plain", vec![], "plain"),
            ("", vec![], ""),
        ] {
            let found = Description::read(description);
            assert_eq!((found.fields, found.text), (fields, text), "{description}");
        }
    }
}
