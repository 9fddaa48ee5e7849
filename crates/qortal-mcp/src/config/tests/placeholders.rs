//! What hosts start the program with where their user has filled in nothing.

use crate::{
    args::Arguments,
    config::{Config, settings::ROWS},
    env,
};

#[test]
fn a_placeholder_counts_as_unset_in_every_variable() {
    let variables = ROWS.iter().map(|it| it.variable);
    let variables = variables.chain(ROWS.iter().filter_map(|it| it.alias));
    let variables = variables.chain([
        env::QORTAL_MCP_API_KEY,
        env::QORTAL_API_KEY,
        env::QORTAL_MCP_CONFIG,
    ]);
    let arguments = Arguments::read(["qortal-mcp", "http"]).unwrap();
    let unset = Config::new(&arguments, &|_| None).unwrap();
    for variable in variables {
        for value in [
            "${user_config.value}",
            " ${user_config.value} ",
            "a,${user_config.value}",
            "http://${user_config.value}:12391",
            "${input:value}",
            "",
            " ",
        ] {
            let environment = |name: &str| {
                let value = (name == variable).then(|| value.to_owned())?;
                env::filled_in(value)
            };
            let found = Config::new(&arguments, &environment).unwrap();
            assert!(unset.changed(&found).is_empty(), "{variable} {value:?}");
        }
    }
    let filled_in = env::filled_in("a$b{user_config}".to_owned());
    assert_eq!(filled_in.as_deref(), Some("a$b{user_config}"));
}
