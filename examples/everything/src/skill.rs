//! A skill with a file beside it: the texts are compiled in.

use mcp_server::Skill;

pub(crate) fn skill() -> Skill {
    Skill::from_skill_md(
        "answer-in-kind",
        include_str!("../skills/answer-in-kind/SKILL.md"),
    )
    .with_file(
        "references/kinds.md",
        "text/markdown",
        include_str!("../skills/answer-in-kind/references/kinds.md"),
    )
}
