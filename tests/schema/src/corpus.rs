//! The corpus of conversions is what its own schema says, so that programs in other languages can rely on it.

use std::{fs, path::Path};

use serde_json::Value;

fn read(path: &Path) -> Value {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{path:?}: {error}"));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{path:?}: {error}"))
}

#[test]
fn every_file_of_the_corpus_is_what_its_schema_says() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../crates/mcp-convert/corpus");
    let schema = read(&corpus.join("schema.json"));
    let Ok(validator) = jsonschema::validator_for(&schema) else {
        panic!("schema.json is no JSON Schema");
    };
    let mut checked = 0;
    for folder in [corpus.clone(), corpus.join("vendors")] {
        let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{folder:?}: {error}"));
        for entry in entries.flatten() {
            let path = entry.path();
            let is_data = path.extension().is_some_and(|it| it == "json");
            let is_about = path.ends_with("schema.json") || path.ends_with("package.json");
            if !is_data || is_about {
                continue;
            }
            let file = read(&path);
            let errors = validator.iter_errors(&file);
            let errors: Vec<String> = errors.map(|it| it.to_string()).collect();
            assert!(errors.is_empty(), "{path:?}: {errors:?}");
            checked += 1;
        }
    }
    assert!(checked > 20, "only {checked} files");
    let path = corpus.join("cases.jsonl");
    let cases = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path:?}: {error}"));
    for (number, line) in cases.lines().enumerate() {
        let line: Value = serde_json::from_str(line)
            .unwrap_or_else(|error| panic!("{path:?}, line {number}: {error}"));
        let errors = validator.iter_errors(&line);
        let errors: Vec<String> = errors.map(|it| it.to_string()).collect();
        assert!(errors.is_empty(), "{path:?}, line {number}: {errors:?}");
    }
    assert!(cases.lines().count() > 100);
    let unknown = serde_json::json!({"vendor": "x", "outputs": {}});
    assert!(!validator.is_valid(&unknown));
}
