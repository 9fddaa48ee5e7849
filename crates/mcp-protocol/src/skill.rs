//! Skills as a server lists them: instructions for models, in folders (extension Skills, SEP-2640).

use crate::Object;

/// An entry of `skills/list`: a skill and the URIs of its files.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
#[doc(alias = "skills/list")]
#[doc(alias = "skills/get")]
pub struct SkillEntry {
    /// The URI of its `SKILL.md`.
    pub uri: String,
    /// The front matter of its `SKILL.md`.
    pub frontmatter: Object,
    /// Its files, including `SKILL.md`. `resources/read` returns each of them.
    pub files: Vec<SkillFileEntry>,
}

/// A file of a skill.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct SkillFileEntry {
    /// The URI.
    pub uri: String,
    /// The digest of its content, as `sha256:` and hexadecimal digits.
    pub digest: Option<String>,
    /// Its size in bytes.
    pub size: Option<u64>,
}

impl SkillEntry {
    /// Returns the name in the front matter.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        self.frontmatter.get("name")?.as_str()
    }

    /// Returns the description in the front matter. A model decides by it whether to read the skill.
    #[must_use]
    pub fn description(&self) -> Option<&str> {
        self.frontmatter.get("description")?.as_str()
    }
}
