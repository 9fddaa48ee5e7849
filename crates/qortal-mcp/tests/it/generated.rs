//! The manual agrees with the program.

#[test]
fn the_configuration_page_is_what_the_declarations_say() {
    let page = include_str!("../../docs/configuration.md");
    assert!(
        page == qortal_mcp::configuration_reference(),
        "run `cargo xtask codegen`"
    );
}

#[test]
fn the_page_on_clients_is_what_install_prints() {
    let page = include_str!("../../docs/clients.md");
    assert!(
        page == qortal_mcp::clients_page(),
        "run `cargo xtask codegen`"
    );
}
