//! The skills that every client of the server is offered, and that the plugins of hosts bring with them.

use mcp_server::Skill;

/// All skills. `tests/it/skills.rs` checks what they name.
pub(crate) fn skills() -> [Skill; 3] {
    macro_rules! skill {
        ($name:literal) => {
            Skill::from_skill_md(
                $name,
                include_str!(concat!("../skills/", $name, "/SKILL.md")),
            )
        };
    }
    [
        skill!("ask-qortal"),
        skill!("trade-and-mint-qort"),
        skill!("qortal-shell"),
    ]
}
