//! The rows match the tools they call.

use std::collections::BTreeSet;

use super::{Argument, Source};
use crate::catalog::Catalog;

#[test]
fn every_variable_becomes_an_argument() {
    for source in Source::all() {
        let arguments = source.arguments.iter();
        let used: BTreeSet<_> = arguments
            .flat_map(|(_, it)| it.variables())
            .copied()
            .collect();
        let template_variables: BTreeSet<_> = source.variables().collect();
        assert_eq!(used, template_variables, "{}", source.template);
    }
}

#[test]
fn every_row_has_a_title_and_a_description() {
    for source in Source::all() {
        let is_complete = !source.title.is_empty() && !source.description.is_empty();
        assert!(is_complete, "{}", source.template);
    }
}

#[test]
fn tools_take_these_arguments_and_require_no_others() {
    for source in Source::all() {
        let tool = Catalog::entries().find(|it| it.name == source.tool);
        let parameters = tool.unwrap().parameters();
        for (name, argument) in source.arguments {
            let parameter = parameters.iter().find(|it| it.name == *name).unwrap();
            let is_integer = match argument {
                Argument::IntegerVariable(_) | Argument::Integer(_) => true,
                Argument::Variable(_) | Argument::Variables(_) | Argument::Text(_) => false,
            };
            let takes_integer = parameter.schema["type"] == "integer";
            assert_eq!(is_integer, takes_integer, "{}: {name}", source.template);
        }
        for required in parameters.iter().filter(|it| it.required) {
            let mut names = source.arguments.iter().map(|(name, _)| *name);
            assert!(names.any(|it| it == required.name), "{}", source.template);
        }
    }
}
