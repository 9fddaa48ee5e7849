//! Skills: folders of text files that are compiled in, their validation, and their presentation to clients.

mod frontmatter;
mod requests;

use std::{borrow::Cow, collections::HashSet, fmt::Write};

use mcp_protocol::{CacheHint, Object, ReadResourceResult, Resource};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use self::frontmatter::frontmatter;
use crate::builder::BuildError;

/// The name of the extension in the capabilities (SEP-2640). The implementation follows
/// `specification/stable/skills.mdx` of modelcontextprotocol/ext-skills. That text is written for 2026-07-28, but
/// nothing in it needs that revision, so skills are the same in all revisions.
pub(crate) const EXTENSION: &str = "io.modelcontextprotocol/skills";

/// The file that every skill has.
const FILE: &str = "SKILL.md";

/// The MIME type of a directory ("Directory Resources").
const DIRECTORY: &str = "inode/directory";

/// Limits on one skill that every host accepts: the number of files, and the total size in bytes ("Limits").
const LIMITS: (usize, usize) = (512, 16 * 1024 * 1024);

/// Cache lifetime of skills, which change only with a new release of the server. Clients with older digests soon read
/// them again.
pub(crate) const CACHE: CacheHint = CacheHint::public(300_000);

const MARKDOWN: &str = "text/markdown";

/// Maximum lengths of a name and a description (agentskills.io/specification, "Frontmatter").
const NAME_CHARACTERS: usize = 64;
const DESCRIPTION_CHARACTERS: usize = 1_024;

/// A skill: a `SKILL.md` and its text files.
///
/// ```
/// use mcp_server::Skill;
///
/// let skill = Skill::from_skill_md("refunds", "---\nname: refunds\ndescription: Pay a customer back.\n---\n…")
///     .with_file("templates/letter.md", "text/markdown", "Dear …");
/// ```
#[derive(Debug, Clone)]
pub struct Skill {
    /// `skill://` followed by the path.
    root: String,
    frontmatter: Result<Object, String>,
    /// The files, with `SKILL.md` first.
    files: Vec<File>,
}

#[derive(Debug, Clone)]
struct File {
    uri: String,
    digest: String,
    mime_type: Cow<'static, str>,
    text: Cow<'static, str>,
}

impl Skill {
    /// Creates a skill from the text of its `SKILL.md`. The last segment of `path` must be the name in the front
    /// matter. Segments before it group skills, for example `billing/refunds`.
    pub fn from_skill_md(path: &str, text: impl Into<Cow<'static, str>>) -> Self {
        let text = text.into();
        let folder = Self {
            root: format!("skill://{path}"),
            frontmatter: frontmatter(&text),
            files: Vec::new(),
        };
        folder.with_file(FILE, MARKDOWN, text)
    }

    /// Adds a text file at a path in the folder.
    #[must_use]
    pub fn with_file(
        mut self,
        path: &str,
        mime_type: impl Into<Cow<'static, str>>,
        text: impl Into<Cow<'static, str>>,
    ) -> Self {
        let (uri, text) = (format!("{}/{path}", self.root), text.into());
        let mut digest = String::from("sha256:");
        for byte in Sha256::digest(text.as_bytes()) {
            // Writing to a string cannot fail.
            _ = write!(digest, "{byte:02x}");
        }
        self.files.push(File {
            uri,
            digest,
            mime_type: mime_type.into(),
            text,
        });
        self
    }

    /// Returns the URI of the skill's `SKILL.md`.
    pub(crate) fn uri(&self) -> String {
        format!("{}/{}", self.root, FILE)
    }

    /// Returns a string field of the front matter.
    fn text(&self, name: &str) -> &str {
        let found = self.frontmatter.as_ref().ok().and_then(|it| it.get(name));
        found.and_then(Value::as_str).unwrap_or_default()
    }

    /// Returns the skill's files, including the files of nested skills ("Resources").
    fn files<'a>(&self, all: &'a [Self]) -> impl Iterator<Item = &'a File> {
        let inside = format!("{}/", self.root);
        let files = all.iter().flat_map(|it| &it.files);
        files.filter(move |it| it.uri.starts_with(&inside))
    }

    /// Returns the skill's entry in `skills/list` and `skills/get`, in every revision.
    pub(crate) fn entry(&self, all: &[Self]) -> Value {
        let entry = |it: &File| json!({"uri": it.uri, "digest": it.digest, "size": it.text.len()});
        let resources: Value = self.files(all).map(entry).collect();
        let frontmatter = self.frontmatter.as_ref().ok();
        json!({"uri": self.uri(), "frontmatter": frontmatter, "resources": resources})
    }

    fn check(&self, all: &[Self]) -> Result<(), BuildError> {
        let fail = |why: String| {
            Err(BuildError::Skill {
                uri: self.uri(),
                why,
            })
        };
        if let Err(why) = &self.frontmatter {
            return fail(why.clone());
        }
        let name = self.text("name");
        let is_listed = |it: char| it.is_ascii_lowercase() || it.is_ascii_digit() || it == '-';
        let has_length = (1..=NAME_CHARACTERS).contains(&name.len());
        let has_hyphens = name.starts_with('-') || name.ends_with('-') || name.contains("--");
        if !has_length || has_hyphens || !name.chars().all(is_listed) {
            return fail(
                "the name is not 1 to 64 lower-case letters, digits and single hyphens".to_owned(),
            );
        }
        if self.root.rsplit('/').next() != Some(name) {
            return fail(format!("the path does not end in the name, {name}"));
        }
        let description = self.text("description").chars().count();
        if !(1..=DESCRIPTION_CHARACTERS).contains(&description) {
            return fail(format!(
                "the description has {description} characters, not 1 to 1024"
            ));
        }
        let uris = || self.files.iter().map(|it| it.uri.as_str());
        if let Some(wrong) = uris().find(|it| !is_address(it)) {
            return fail(format!(
                "the path {wrong} has characters other than letters, digits and - . _ ~"
            ));
        }
        let files = self.files(all).count();
        let bytes: usize = self.files(all).map(|it| it.text.len()).sum();
        let (most_files, most_bytes) = LIMITS;
        if files > most_files || bytes > most_bytes {
            return fail(format!(
                "the skill has more than {most_files} files or {most_bytes} bytes, which hosts need not load"
            ));
        }
        Ok(())
    }
}

fn is_address(uri: &str) -> bool {
    let is_plain = |it: char| it.is_ascii_alphanumeric() || "-._~".contains(it);
    let is_segment =
        |it: &str| !it.is_empty() && it != "." && it != ".." && it.chars().all(is_plain);
    let path = uri.strip_prefix("skill://");
    path.is_some_and(|it| it.split('/').all(is_segment))
}

impl File {
    /// Returns the file as a resource. `SKILL.md` has the name and description of its skill ("Resource Metadata").
    fn to_resource(&self, folder: &Skill) -> Resource {
        let uri = &self.uri;
        let mut resource = Resource::default();
        resource.uri.clone_from(uri);
        if *uri == folder.uri() {
            folder.text("name").clone_into(&mut resource.name);
            resource.description = Some(folder.text("description").to_owned());
        } else {
            let name = uri.rsplit('/').next().unwrap_or_default();
            name.clone_into(&mut resource.name);
        }
        let resource = resource.with_mime_type(self.mime_type.as_ref());
        resource.with_size(u64::try_from(self.text.len()).unwrap_or(u64::MAX))
    }
}

pub(crate) fn check(all: &[Skill]) -> Result<(), BuildError> {
    let mut uris = HashSet::new();
    for file in all.iter().flat_map(|it| &it.files) {
        if !uris.insert(&file.uri) {
            return Err(BuildError::DuplicateResource(file.uri.clone()));
        }
    }
    all.iter().try_for_each(|it| it.check(all))
}

/// Returns whether any skill has files other than `SKILL.md`, so that clients may read directories.
pub(crate) fn have_directories(all: &[Skill]) -> bool {
    all.iter().any(|it| it.files.len() > 1)
}

/// Returns each `SKILL.md`, to list it as a resource.
pub(crate) fn listed(all: &[Skill]) -> impl Iterator<Item = Resource> {
    let first = |it: &Skill| it.files.first().map(|file| file.to_resource(it));
    all.iter().filter_map(first)
}

/// Returns the file with this URI.
pub(crate) fn read(all: &[Skill], uri: &str) -> Option<ReadResourceResult> {
    let mut files = all.iter().flat_map(|it| &it.files);
    let file = files.find(|it| it.uri == uri)?;
    let result = ReadResourceResult::text(uri, file.mime_type.as_ref(), file.text.clone());
    Some(result.with_cache(CACHE))
}

/// Returns the direct contents of a directory, or `None` if there is no directory with this URI.
pub(crate) fn directory(all: &[Skill], uri: &str) -> Option<Vec<Resource>> {
    // An empty path would have the first segments of all.
    let inside = uri.strip_prefix("skill://").filter(|it| !it.is_empty())?;
    let inside = format!("skill://{inside}/");
    let mut children: Vec<Resource> = Vec::new();
    for folder in all {
        for file in &folder.files {
            let Some(path) = file.uri.strip_prefix(&inside) else {
                continue;
            };
            let child = match path.split_once('/') {
                None => file.to_resource(folder),
                Some((name, _)) => {
                    let mut directory = Resource::default();
                    directory.uri = format!("{inside}{name}");
                    name.clone_into(&mut directory.name);
                    directory.with_mime_type(DIRECTORY)
                }
            };
            if children.iter().all(|it| it.uri != child.uri) {
                children.push(child);
            }
        }
    }
    (!children.is_empty()).then_some(children)
}
