//! The one true answer that every channel must give: what the tools say in this process about the same simulated node.

use std::process::Command;

use qortal_client::{Config, Node};
use qortal_testnode::{Scenario, TestNode};
use qortal_tools::{Catalog, Selection};
use serde_json::{Value, json};

use crate::command::output;
use crate::failure::Failure;

const TOOL: &str = "get_balance";
const ACCOUNT: &str = "Alice Test";
/// The member that is compared: the others say when it was asked.
const MEMBER: &str = "balance";

/// What the program must answer.
pub(crate) struct Answer(Value);

impl Answer {
    /// Asks in this process.
    pub(crate) fn expected() -> Result<Self, Failure> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(Failure::io("runtime"))?;
        let unreadable = |why: String| Failure::unreadable("the simulated node", why);
        runtime.block_on(async {
            let simulated = TestNode::start_lenient(Scenario::recorded())
                .await
                .map_err(|err| unreadable(err.to_string()))?;
            let node = Node::new(Config::new(simulated.url()))
                .map_err(|err| unreadable(err.to_string()))?;
            let catalog = Catalog::new(node, &Selection::default())
                .map_err(|err| unreadable(err.to_string()))?;
            let mut entries = Catalog::families().iter().flat_map(|it| it.tools);
            let entry = entries
                .find(|it| it.name == TOOL)
                .ok_or_else(|| unreadable(format!("there is no {TOOL}")))?;
            let arguments = json!({"address": ACCOUNT});
            let arguments = arguments.as_object().cloned().unwrap_or_default();
            let outcome = catalog
                .call(entry, arguments)
                .await
                .map_err(|err| unreadable(err.to_string()))?;
            simulated.stop().await;
            match outcome.structure().get(MEMBER) {
                Some(balance) => Ok(Self(balance.clone())),
                None => Err(unreadable(format!("{TOOL} has no {MEMBER}"))),
            }
        })
    }

    /// Asks the program that `command` starts, and compares.
    pub(crate) fn ask(&self, command: &mut Command) -> Result<(), Failure> {
        let address = format!("address={ACCOUNT}");
        let printed = output(command.args(["call", TOOL, &address, "--demo=recorded"]))?;
        let answer: Value =
            serde_json::from_str(&printed).map_err(|why| Failure::unreadable("the answer", why))?;
        match answer.get(MEMBER) == Some(&self.0) {
            true => Ok(()),
            false => Err(Failure::Found(format!(
                "answered {printed}, expected {MEMBER} {}",
                self.0
            ))),
        }
    }
}
