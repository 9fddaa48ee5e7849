//! The rendered tools that lists are composed of. Each variant of a tool is rendered once per revision for all list
//! variants.

use std::{collections::HashMap, sync::Arc};

use mcp_protocol::{Revision, Tool, render};
use parking_lot::RwLock;
use serde_json::Value;

use crate::provide::LazyTool;

/// Maximum number of cached variants of one tool. A set has a few, for its kinds of lists.
const VARIANTS: usize = 32;

/// The rendered tools of all list variants.
#[derive(Debug, Default)]
pub(crate) struct Pieces(RwLock<Cached>);

#[derive(Debug, Default)]
struct Cached {
    generation: u64,
    /// The rendered tools of each revision, with and without views, by name.
    kinds: [[ByName; 2]; Revision::ALL.len()],
}

type ByName = HashMap<String, Vec<(u64, Arc<RenderedTool>)>>;

/// A rendered tool without its description.
#[derive(Debug)]
pub(crate) struct RenderedTool {
    before: String,
    after: String,
}

/// The kind of list that a rendered tool is for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Kind {
    pub(crate) generation: u64,
    pub(crate) revision: Revision,
    pub(crate) without_views: bool,
}

impl Pieces {
    /// Returns the rendered form of each tool. Tools that are rendered now are first passed to `shape`.
    pub(crate) fn of(
        &self,
        outlines: &[LazyTool<'_>],
        kind: Kind,
        shape: impl Fn(Tool) -> Tool,
    ) -> Vec<Arc<RenderedTool>> {
        let cached: Vec<_> = {
            let cached = self.0.read();
            let find = |it| cached.find(it, kind);
            outlines.iter().map(find).collect()
        };
        // Two clients may render the same tool at once, but neither waits for the other.
        let pieces = outlines.iter().zip(cached).map(|(outline, cached)| {
            cached.unwrap_or_else(|| {
                let piece = Arc::new(RenderedTool::new(&shape(outline.tool()), kind.revision));
                self.0.write().add(outline, kind, &piece);
                piece
            })
        });
        pieces.collect()
    }
}

impl Cached {
    fn find(&self, outline: &LazyTool<'_>, kind: Kind) -> Option<Arc<RenderedTool>> {
        if self.generation != kind.generation {
            return None;
        }
        let both = self.kinds.get(kind.revision.index())?;
        let by_name = both.get(usize::from(kind.without_views))?;
        let mut variants = by_name.get(&*outline.name)?.iter();
        let (_, piece) = variants.find(|(variant, _)| *variant == outline.variant)?;
        Some(Arc::clone(piece))
    }

    fn add(&mut self, outline: &LazyTool<'_>, kind: Kind, piece: &Arc<RenderedTool>) {
        if self.generation < kind.generation {
            *self = Self {
                generation: kind.generation,
                ..Self::default()
            };
        }
        let both = self.kinds.get_mut(kind.revision.index());
        let by_name = both.and_then(|it| it.get_mut(usize::from(kind.without_views)));
        if let Some(by_name) = by_name.filter(|_| self.generation == kind.generation) {
            let name = outline.name.clone().into_owned();
            let variants = by_name.entry(name).or_default();
            let is_new = variants.iter().all(|(it, _)| *it != outline.variant);
            if is_new && variants.len() < VARIANTS {
                variants.push((outline.variant, Arc::clone(piece)));
            }
        }
    }
}

impl RenderedTool {
    fn new(tool: &Tool, revision: Revision) -> Self {
        let mut json = String::from("{");
        let mut before = String::new();
        let tool = render::tool(tool, revision.features());
        for (index, (key, value)) in tool.as_object().into_iter().flatten().enumerate() {
            if index > 0 {
                json.push(',');
            }
            json.push_str(&Value::from(key.as_str()).to_string());
            json.push(':');
            if key == "description" {
                before = std::mem::take(&mut json);
            } else {
                json.push_str(&value.to_string());
            }
        }
        json.push('}');
        let after = json;
        Self { before, after }
    }

    /// Writes the tool with this description.
    pub(crate) fn write(&self, description: &str, json: &mut String) {
        json.push_str(&self.before);
        json.push_str(&Value::from(description).to_string());
        json.push_str(&self.after);
    }
}
