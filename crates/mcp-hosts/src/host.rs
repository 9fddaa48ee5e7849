//! The hosts of `hosts.json`, and what an entry looks like in each.

use std::{net::IpAddr, sync::LazyLock};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{
    access::ManualSetup,
    file::ConfigFile,
    program::{ServerCommand, ServerEntry},
};

/// An MCP host.
#[derive(Debug, Deserialize)]
#[non_exhaustive]
pub struct Host {
    /// Its name on the command line.
    pub name: String,
    /// Other names people type.
    #[serde(default)]
    pub aliases: Vec<String>,
    /// Its product name.
    pub title: String,
    /// Where it keeps its servers; `None` if a person adds them by hand.
    pub file: Option<ConfigFile>,
    /// What else a person may want to know about the place.
    pub also: Option<String>,
    /// The entry for a program, with `{path}` and `{arguments}`, or `{words}`; `None` if it connects to URLs only.
    stdio: Option<Value>,
    /// The entry for a `{url}`.
    http: Option<Value>,
    /// The steps by which a person adds a URL by hand.
    pub steps: Option<ManualSetup>,
    /// Its own command that adds a program, from the program's command line as `{line}`.
    command: Option<String>,
    /// Its own command that adds a `{url}`.
    http_command: Option<String>,
    /// Its own command that takes the plugin of a `{program}` from a `{folder}`.
    plugin: Option<String>,
    /// A link that opens it and adds an entry: `{base64}`, or `{named}` with the name of the server in it.
    link: Option<String>,
}

static HOSTS: LazyLock<Vec<Host>> = LazyLock::new(|| {
    serde_json::from_str(include_str!("hosts.json")).expect("it is a part of the program")
});

impl Host {
    /// All of them.
    #[must_use]
    pub fn all() -> &'static [Self] {
        &HOSTS
    }

    /// Returns the host of this name or alias, in any case.
    #[must_use]
    pub fn find(name: &str) -> Option<&'static Self> {
        let mut hosts = HOSTS.iter();
        hosts.find(|it| {
            let mut names = it.aliases.iter().chain([&it.name]);
            names.any(|it| it.eq_ignore_ascii_case(name))
        })
    }

    /// The entry that starts a program.
    #[must_use]
    pub fn stdio_entry(&self, server: &ServerEntry, program: &ServerCommand) -> Option<Value> {
        let words = std::iter::once(&program.path).chain(&program.arguments);
        let values = [
            ("{name}", json!(server.name)),
            ("{path}", json!(program.path)),
            ("{arguments}", json!(program.arguments)),
            ("{words}", words.map(String::as_str).collect()),
        ];
        self.stdio.as_ref().map(|it| filled(it, &values))
    }

    /// Whether it could connect to the URL. One to which a person adds it by hand is a service on the internet.
    #[must_use]
    pub fn can_connect_to(&self, url: &str) -> bool {
        let authority = url
            .strip_prefix("https://")
            .and_then(|it| it.split('/').next());
        let host = authority.and_then(|it| it.split(':').next());
        let is_public = |it: &str| it.contains('.') && it.parse::<IpAddr>().is_err();
        self.steps.is_none() || host.is_some_and(is_public)
    }

    /// The entry that connects to a URL.
    #[must_use]
    pub fn http_entry(&self, server: &ServerEntry, url: &str) -> Option<Value> {
        let values = [("{name}", json!(server.name)), ("{url}", json!(url))];
        self.http.as_ref().map(|it| filled(it, &values))
    }

    /// Its own command that adds the program of a command line.
    #[must_use]
    pub fn add_command(&self, server: &ServerEntry, line: &str) -> Option<String> {
        let command = self.command.as_ref()?.replace("{name}", server.name);
        Some(command.replace("{line}", line))
    }

    /// Its own command that adds a URL.
    #[must_use]
    pub fn add_http_command(&self, server: &ServerEntry, url: &str) -> Option<String> {
        let command = self.http_command.as_ref()?.replace("{name}", server.name);
        Some(command.replace("{url}", url))
    }

    /// Its own command that takes the plugin of the program from a folder, with the skills that it has.
    #[must_use]
    pub fn plugin_command(&self, server: &ServerEntry, folder: &str) -> Option<String> {
        let command = self.plugin.as_ref()?.replace("{folder}", folder);
        Some(command.replace("{program}", server.program))
    }

    /// The link that opens it and adds an entry.
    #[must_use]
    pub fn install_link(&self, server: &ServerEntry, entry: &Value) -> Option<String> {
        let mut named = json!({"name": server.name});
        if let (Some(named), Some(entry)) = (named.as_object_mut(), entry.as_object()) {
            named.extend(entry.clone());
        }
        let encoded = |text: &str| utf8_percent_encode(text, NON_ALPHANUMERIC).to_string();
        let base64 = encoded(&STANDARD.encode(entry.to_string()));
        let link = self.link.as_ref()?.replace("{name}", server.name);
        let link = link.replace("{base64}", &base64);
        Some(link.replace("{named}", &encoded(&named.to_string())))
    }
}

/// An entry with the values in their places.
fn filled(entry: &Value, values: &[(&str, Value)]) -> Value {
    match entry {
        Value::String(text) => {
            let value = values.iter().find(|(place, _)| place == text);
            value.map_or_else(|| entry.clone(), |(_, value)| value.clone())
        }
        Value::Object(members) => {
            let members = members.iter();
            let members = members.map(|(name, value)| (name.clone(), filled(value, values)));
            Value::Object(members.collect())
        }
        _ => entry.clone(),
    }
}
