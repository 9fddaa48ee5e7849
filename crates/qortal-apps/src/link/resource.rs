//! Links to resources: `qortal://SERVICE/name/path?identifier=ID`.

use std::fmt;

use super::percent::{decoded, encoded, pairs};

/// The service of a link that has only a name.
const WEBSITE: &str = "WEBSITE";

/// The query parameter with the identifier.
const IDENTIFIER: &str = "identifier";

/// A link to a QDN resource, or to a place inside it.
///
/// [`Display`](fmt::Display) writes the form that Qortal Hub opens (Qortal/Qortal-Hub c93f78a2, `buildQortalResourceLink` in
/// src/utils/qortalLink/index.ts), with more characters encoded than there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResourceLink {
    /// The service, in upper case. Nothing checks that it exists.
    pub service: String,
    /// The name of the publisher.
    pub name: String,
    /// The identifier, if the link has it in a place of its own.
    pub identifier: Option<String>,
    /// The path behind the name, segment by segment. Qortal Hub opens it as a place inside the resource. Older programs and
    /// gateways take the first segment for the identifier if such a resource exists.
    pub path: Vec<String>,
    /// The form of the link.
    pub form: Form,
}

/// The forms of links to resources.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// `qortal://SERVICE/name/path?identifier=ID`.
    Native,
    /// `qortal://name`, the website of a name.
    Name,
    /// `http://node:12391/render/…` or `/arbitrary/…`: the API of a node.
    Node,
    /// `https://gateway/SERVICE/name/path`.
    Gateway,
    /// `https://gateway/name`: the website of a name if the host is a gateway, which only its owner knows.
    GatewayName,
}

impl ResourceLink {
    /// Creates a link to a resource.
    #[must_use]
    pub fn new(service: &str, name: &str, identifier: Option<&str>) -> Self {
        Self {
            service: service.to_owned(),
            name: name.to_owned(),
            identifier: identifier.map(str::to_owned),
            path: Vec::new(),
            form: Form::Native,
        }
    }

    /// Returns the link with a path inside the resource.
    #[must_use]
    pub fn with_path(mut self, path: &str) -> Self {
        self.path = path.split('/').map(str::to_owned).collect();
        self
    }

    /// Reads a native link without its scheme (`extractComponents` in src/components/Chat/MessageDisplay.tsx of the same
    /// commit).
    pub(super) fn native(rest: &str) -> Option<Self> {
        let (base, query) = rest.split_once('?').unwrap_or((rest, ""));
        let base = base.split('#').next().unwrap_or_default();
        let mut segments = base.split('/').map(decoded);
        let first = segments.next().filter(|first| !first.is_empty())?;
        let link = match segments.next() {
            Some(name) => Self {
                service: service(&first)?,
                path: segments.filter(|segment| !segment.is_empty()).collect(),
                form: Form::Native,
                ..Self::new("", &name, None)
            },
            None => Self {
                form: Form::Name,
                ..Self::new(WEBSITE, &first, None)
            },
        };
        Some(link.with_query(query)).filter(|link| !link.name.is_empty())
    }

    /// Reads the segments of a web address that begin with a service.
    pub(super) fn of_segments(segments: &[String], form: Form) -> Option<Self> {
        let [first, name, path @ ..] = segments else {
            return None;
        };
        Some(Self {
            service: service(first)?,
            path: path.to_vec(),
            form,
            ..Self::new("", name, None)
        })
    }

    /// Returns the link to the website of a name.
    pub(super) fn website(name: &str, path: &[String]) -> Self {
        Self {
            path: path.to_vec(),
            form: Form::GatewayName,
            ..Self::new(WEBSITE, name, None)
        }
    }

    /// Takes the first segment of the path for the identifier.
    #[must_use]
    pub fn with_identifier_in_path(mut self) -> Self {
        if self.identifier.is_none() && !self.path.is_empty() {
            self.identifier = Some(self.path.remove(0));
        }
        self
    }

    /// Returns the link with the identifier and the path of a query.
    pub(super) fn with_query(mut self, query: &str) -> Self {
        for (name, value) in pairs(query) {
            if value.is_empty() {
                continue;
            }
            match name.as_str() {
                IDENTIFIER if value != "null" => self.identifier = Some(value),
                "filepath" => self.path = value.split('/').map(str::to_owned).collect(),
                _ => {}
            }
        }
        self
    }
}

/// Returns a service in upper case, which the Hub makes of any case.
fn service(text: &str) -> Option<String> {
    let is_word = text
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    (is_word && text.len() <= 40).then(|| text.to_ascii_uppercase())
}

impl fmt::Display for ResourceLink {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "qortal://{}/{}", self.service, encoded(&self.name))?;
        for segment in &self.path {
            write!(f, "/{}", encoded(segment))?;
        }
        match &self.identifier {
            Some(identifier) => write!(f, "?{IDENTIFIER}={}", encoded(identifier)),
            None => Ok(()),
        }
    }
}
