//! The hosts in `hosts.json`, and the form of a server entry in each.

use std::{net::IpAddr, sync::LazyLock};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{
    access::ManualSetup,
    file::ConfigFile,
    program::{ServerCommand, ServerNames},
};

/// An MCP host.
#[derive(Debug, Deserialize)]
#[non_exhaustive]
pub struct Host {
    /// The name of the host on the command line.
    pub name: String,
    /// Other names that users type.
    #[serde(default)]
    pub aliases: Vec<String>,
    /// The product name of the host.
    pub title: String,
    /// The file with the host's servers, or `None` if users add servers by hand.
    pub file: Option<ConfigFile>,
    /// Whether the host passes both the text and the structured content of a result to its model.
    #[serde(default)]
    pub passes_both_contents: bool,
    /// A remark about the location of the configuration.
    pub also: Option<String>,
    /// The entry for a program, with `{path}` and `{arguments}`, or `{words}`. `None` if the host connects only to URLs.
    stdio: Option<Value>,
    /// The entry for a `{url}`.
    http: Option<Value>,
    /// The steps to add a URL by hand.
    pub steps: Option<ManualSetup>,
    /// The host's own command that adds a program, with the program's command line as `{line}`.
    command: Option<String>,
    /// The host's own command that adds a `{url}`.
    http_command: Option<String>,
    /// The host's own command that installs the plugin of a `{program}` from a `{folder}`.
    plugin: Option<String>,
    /// A link that opens the host and adds an entry: `{base64}`, or `{named}` with the name of the server in it.
    link: Option<String>,
}

static HOSTS: LazyLock<Vec<Host>> = LazyLock::new(|| {
    serde_json::from_str(include_str!("hosts.json")).expect("it is a part of the program")
});

impl Host {
    /// Returns all hosts.
    #[must_use]
    pub fn all() -> &'static [Self] {
        &HOSTS
    }

    /// Returns the host with this name or alias, ignoring case.
    #[must_use]
    pub fn find(name: &str) -> Option<&'static Self> {
        let mut hosts = HOSTS.iter();
        hosts.find(|it| {
            let mut names = it.aliases.iter().chain([&it.name]);
            names.any(|it| it.eq_ignore_ascii_case(name))
        })
    }

    /// Returns the entry for starting a program, or `None` if the host supports only URLs.
    #[must_use]
    pub fn stdio_entry(&self, server: &ServerNames, program: &ServerCommand) -> Option<Value> {
        let words = std::iter::once(&program.path).chain(&program.arguments);
        let values = [
            ("{name}", json!(server.name)),
            ("{path}", json!(program.path)),
            ("{arguments}", json!(program.arguments)),
            ("{words}", words.map(String::as_str).collect()),
        ];
        self.stdio.as_ref().map(|it| filled(it, &values))
    }

    /// Returns `true` if the host may be able to connect to the URL. Hosts whose servers are added by hand are services on the
    /// internet, so they need a public `https` URL.
    #[must_use]
    pub fn supports_url(&self, url: &str) -> bool {
        let authority = url
            .strip_prefix("https://")
            .and_then(|it| it.split('/').next());
        let host = authority.and_then(|it| it.split(':').next());
        let is_public = |it: &str| it.contains('.') && it.parse::<IpAddr>().is_err();
        self.steps.is_none() || host.is_some_and(is_public)
    }

    /// Returns the entry for connecting to a URL, or `None` if the host has no such entry.
    #[must_use]
    pub fn http_entry(&self, server: &ServerNames, url: &str) -> Option<Value> {
        let values = [("{name}", json!(server.name)), ("{url}", json!(url))];
        self.http.as_ref().map(|it| filled(it, &values))
    }

    /// Returns the host's own command for adding a program by its command line, or `None` if it has no such command.
    #[must_use]
    pub fn add_command(&self, server: &ServerNames, line: &str) -> Option<String> {
        let command = self.command.as_ref()?.replace("{name}", server.name);
        Some(command.replace("{line}", line))
    }

    /// Returns the host's own command for adding a URL, or `None` if it has no such command.
    #[must_use]
    pub fn add_http_command(&self, server: &ServerNames, url: &str) -> Option<String> {
        let command = self.http_command.as_ref()?.replace("{name}", server.name);
        Some(command.replace("{url}", url))
    }

    /// Returns the host's own command for installing the program's plugin from a folder, including its skills, or `None` if it has
    /// no such command.
    #[must_use]
    pub fn plugin_command(&self, server: &ServerNames, folder: &str) -> Option<String> {
        let command = self.plugin.as_ref()?.replace("{folder}", folder);
        Some(command.replace("{program}", server.program))
    }

    /// Returns a link to open the host and add an entry, or `None` if the host supports no such link.
    #[must_use]
    pub fn install_link(&self, server: &ServerNames, entry: &Value) -> Option<String> {
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
