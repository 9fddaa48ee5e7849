//! What the converters of the Rust packages make of the inputs. `cargo xtask goldens` makes a package of it, and runs it with
//! the folders of the corpus and of the outputs and, in order, the versions of `github-copilot-sdk`, `rig-rmcp` and `rmcp`, and the
//! newest of the first two.

use std::{env, error::Error, fs, path::Path};

use rig_rmcp::{mcp_result_output, rmcp::model::CallToolResult};
use serde_json::{Map, Value, json};

type Outcome<T> = Result<T, Box<dyn Error>>;

fn main() -> Outcome<()> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [corpus, outputs, copilot_version, rig_version, rmcp_version, newest_copilot, newest_rig] = arguments.as_slice() else {
        return Err("the corpus, the folder of the outputs, and five versions".into());
    };
    let inputs = inputs(Path::new(corpus))?;
    let outputs = Path::new(outputs);
    let head = json!({
        "vendor": "copilot-rust",
        "language": "rust",
        "package": "github-copilot-sdk",
        "version": copilot_version,
        "mcp": null,
        "newest": newest_copilot,
        "target": "copilot",
        "options": {"flavor": "rust"},
    });
    write(outputs, &head, &inputs, copilot)?;
    let rmcp_major = rmcp_version.split('.').next().unwrap_or_default();
    let head = json!({
        "vendor": "rig",
        "language": "rust",
        "package": "rig-rmcp",
        "version": rig_version,
        "mcp": format!("rmcp {rmcp_major}"),
        "newest": newest_rig,
        "without_preset": "Its outputs are data alone: no function of this crate equals them.",
    });
    write(outputs, &head, &inputs, rig)
}

fn copilot(result: &Value) -> Outcome<Value> {
    let converted = github_copilot_sdk::tool::convert_mcp_call_tool_result(result);
    Ok(serde_json::to_value(converted.ok_or("None")?)?)
}

fn rig(result: &Value) -> Outcome<Value> {
    let result: CallToolResult = serde_json::from_value(result.clone())?;
    Ok(serde_json::to_value(mcp_result_output(&result)?)?)
}

fn inputs(corpus: &Path) -> Outcome<Map<String, Value>> {
    let read = |name| -> Outcome<Value> {
        let text = fs::read_to_string(corpus.join(name))?;
        Ok(serde_json::from_str(&text)?)
    };
    let mut inputs = Map::new();
    for (name, input) in members(&read("inputs.json")?["inputs"]) {
        inputs.insert(name.clone(), input["result"].clone());
    }
    for server in read("servers.json")?["servers"].as_array().into_iter().flatten() {
        for (name, result) in members(&server["results"]) {
            let name = format!("{} {} {name}", text(&server["package"]), text(&server["version"]));
            inputs.insert(name, result.clone());
        }
    }
    Ok(inputs)
}

fn members(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flatten()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// One input a line, as the other scripts write them.
fn write(
    folder: &Path,
    head: &Value,
    inputs: &Map<String, Value>,
    convert: fn(&Value) -> Outcome<Value>,
) -> Outcome<()> {
    let mut lines = vec!["{".to_owned(), r#"  "$schema": "../schema.json","#.to_owned()];
    lines.extend(members(head).map(|(name, value)| format!("  {}: {value},", json!(name))));
    let mut converted = 0;
    let rows = inputs.iter().map(|(name, result)| {
        let output = match convert(result) {
            Ok(value) => {
                converted += 1;
                json!({"value": value})
            }
            // What the vendor answers instead is its answer, without what of the input it quotes.
            Err(why) => {
                let why = why.to_string();
                json!({"error": why.split(':').next()})
            }
        };
        format!("    {}: {output}", json!(name))
    });
    let rows = rows.collect::<Vec<_>>().join(",\n");
    lines.extend([r#"  "outputs": {"#.to_owned(), rows, "  }".to_owned(), "}".to_owned()]);
    let name = text(&head["vendor"]);
    fs::write(folder.join(format!("{name}.json")), lines.join("\n") + "\n")?;
    println!("{name} {} {converted} of {}", text(&head["version"]), inputs.len());
    Ok(())
}
