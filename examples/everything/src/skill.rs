//! A skill with a file beside it: the texts are compiled in.

use mcp_server::SkillFolder;

pub(crate) fn skill() -> SkillFolder {
    SkillFolder::new(
        "answer-in-kind",
        include_str!("../skills/answer-in-kind/SKILL.md"),
    )
    .with_file(
        "references/kinds.md",
        "text/markdown",
        include_str!("../skills/answer-in-kind/references/kinds.md"),
    )
}
