//! The schemas that clients see, one file a tool: no change of them goes unseen.

use insta::{Settings, assert_snapshot};
use qortal_tools::Catalog;

use crate::Renewal;

#[test]
fn every_schema_is_pinned() {
    let _renewal = Renewal;
    for entry in Catalog::entries() {
        let (input, output) = (entry.input_schema(), entry.output_schema());
        let mut settings = Settings::clone_current();
        settings.set_snapshot_path("../../snapshots/schemas");
        settings.set_prepend_module_to_snapshot(false);
        settings.set_omit_expression(true);
        settings.set_description("The input schema, and the output schema");
        settings.bind(|| assert_snapshot!(entry.name, format!("{input:#}\n---\n{output:#}")));
    }
}
