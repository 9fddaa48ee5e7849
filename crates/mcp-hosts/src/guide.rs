//! Instructions for connecting each host to a running server.

use serde_json::{Value, json};

use crate::{
    access::HttpAuth,
    file::{ConfigFile, Format},
    host::Host,
    program::ServerNames,
    shell::shell_quoted,
};

/// The placeholder for an access token in configurations.
pub const TOKEN: &str = "TOKEN";

/// The instructions for connecting one host to a URL.
#[derive(Debug)]
#[non_exhaustive]
pub struct SetupGuide {
    /// The host's product name.
    pub title: &'static str,
    /// The way to connect the host.
    pub way: SetupMethod,
    /// A link to open the host and add the server.
    pub link: Option<String>,
}

/// A way to connect a host.
#[derive(Debug)]
#[non_exhaustive]
pub enum SetupMethod {
    /// An entry in a file.
    #[non_exhaustive]
    File {
        /// The path of the file, or one path for each system.
        places: Vec<String>,
        /// A remark about the file's location.
        also: Option<&'static str>,
        /// The text to add.
        text: String,
        /// A command to add the same entry.
        command: Option<String>,
    },
    /// Steps in the host's own settings, one per line.
    Steps(String),
}

/// Returns the instructions for each host with support for the URL.
///
/// With [`HttpAuth::Token`], configurations contain the placeholder [`TOKEN`] for an access token. Commands and links are left out
/// because they cannot carry a token.
pub fn http_setup_guides(
    server: ServerNames,
    url: &str,
    access: HttpAuth,
) -> impl Iterator<Item = SetupGuide> {
    Host::all().iter().filter_map(move |host| {
        let title = host.title.as_str();
        if let Some(steps) = &host.steps {
            let steps = match steps.step_for_access(access) {
                Some(step) => format!("{}\n{step}", steps.add),
                None => token_unsupported_notice(title),
            };
            let (way, link) = (SetupMethod::Steps(steps), None);
            return Some(SetupGuide { title, way, link });
        }
        let needs_token = access == HttpAuth::Token;
        let (entry, file) = (host.http_entry(&server, url)?, host.file.as_ref()?);
        // The commands and links of hosts have no common way to add a token.
        let link = host.install_link(&server, &entry).filter(|_| !needs_token);
        let command = host.add_http_command(&server, &shell_quoted(url));
        let way = SetupMethod::File {
            places: places(file),
            also: host.also.as_deref(),
            command: command.filter(|_| !needs_token),
            text: file.snippet(
                &server,
                &host.entry_with_auth_placeholder(&server, entry, access),
            ),
        };
        Some(SetupGuide { title, way, link })
    })
}

fn places(file: &ConfigFile) -> Vec<String> {
    let (linux, macos, windows) = (file.linux_path(), file.macos_path(), file.windows_path());
    if macos == linux && windows == linux {
        return vec![linux.to_owned()];
    }
    let mut places = Vec::new();
    if macos == linux {
        places.push(format!("Linux and macOS: {linux}"));
    } else {
        places.push(format!("Linux: {linux}"));
        places.push(format!("macOS: {macos}"));
    }
    places.push(format!("Windows: {windows}"));
    places
}

/// Returns a sentence for a host without token support.
#[must_use]
pub fn token_unsupported_notice(title: &str) -> String {
    format!("{title} does not support access tokens, only OAuth sign-in.")
}

impl Host {
    /// Adds the authentication that the server requires to an entry for a URL.
    ///
    /// With [`HttpAuth::Token`], the entry gets an `Authorization` header with the placeholder [`TOKEN`]. An entry in TOML, for
    /// Codex, gets the name of an environment variable for the token instead. Other methods change nothing.
    #[must_use]
    pub fn entry_with_auth_placeholder(
        &self,
        server: &ServerNames,
        mut entry: Value,
        access: HttpAuth,
    ) -> Value {
        let format = self.file.as_ref().map(|it| it.format);
        if let Some(fields) = entry.as_object_mut().filter(|_| access == HttpAuth::Token) {
            let (name, value) = match format {
                Some(Format::Toml) => {
                    let program = server.program.replace('-', "_").to_uppercase();
                    ("bearer_token_env_var", json!(format!("{program}_{TOKEN}")))
                }
                Some(Format::Json | Format::Yaml) | None => {
                    let header = format!("Bearer {TOKEN}");
                    ("headers", json!({"Authorization": header}))
                }
            };
            fields.insert(name.to_owned(), value);
        }
        entry
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SERVER: ServerNames = ServerNames::new("weather", "weather-mcp");
    const URL: &str = "https://mcp.example.org/mcp";

    fn guide(title: &str, access: HttpAuth) -> SetupGuide {
        http_setup_guides(SERVER, URL, access)
            .find(|it| it.title == title)
            .unwrap()
    }

    fn text(guide: &SetupGuide) -> &str {
        match &guide.way {
            SetupMethod::File { text, .. } => text,
            SetupMethod::Steps(steps) => steps,
        }
    }

    #[test]
    fn each_host_has_a_guide_and_those_with_a_file_name_the_url() {
        let connecting = Host::all()
            .iter()
            .filter(|it| it.steps.is_some() || it.http_entry(&SERVER, URL).is_some());
        assert_eq!(
            http_setup_guides(SERVER, URL, HttpAuth::Open).count(),
            connecting.count()
        );
        for guide in http_setup_guides(SERVER, URL, HttpAuth::Open) {
            let is_file = matches!(guide.way, SetupMethod::File { .. });
            assert_eq!(text(&guide).contains(URL), is_file, "{guide:?}");
            assert!(!text(&guide).contains(TOKEN), "{guide:?}");
        }
    }

    #[test]
    fn a_token_goes_where_the_host_reads_it() {
        for guide in http_setup_guides(SERVER, URL, HttpAuth::Token) {
            if let SetupMethod::File { text, command, .. } = &guide.way {
                assert!(text.contains(TOKEN), "{guide:?}");
                assert!(command.is_none() && guide.link.is_none(), "{guide:?}");
            }
        }
        let cursor: Value = serde_json::from_str(text(&guide("Cursor", HttpAuth::Token))).unwrap();
        let headers = &cursor["mcpServers"]["weather"]["headers"];
        assert_eq!(headers, &json!({"Authorization": "Bearer TOKEN"}));
        let codex: toml::Table = text(&guide("Codex", HttpAuth::Token)).parse().unwrap();
        let codex = &codex["mcp_servers"]["weather"];
        assert_eq!(
            codex["bearer_token_env_var"].as_str(),
            Some("WEATHER_MCP_TOKEN")
        );
    }

    #[test]
    fn host_without_a_place_for_a_token_is_led_to_sign_in() {
        let steps = |title, access| match guide(title, access).way {
            SetupMethod::Steps(steps) => steps,
            SetupMethod::File { text, .. } => text,
        };
        let token = steps("ChatGPT", HttpAuth::Token);
        assert_eq!(token, token_unsupported_notice("ChatGPT"));
        for (title, access, expected) in [
            ("ChatGPT", HttpAuth::OAuth, "Authentication: OAuth"),
            ("ChatGPT", HttpAuth::Open, "No authentication"),
            ("Claude Desktop", HttpAuth::OAuth, "opens the sign-in page"),
            ("Claude Desktop", HttpAuth::Token, "Request headers"),
        ] {
            let steps = steps(title, access);
            assert!(steps.contains(expected), "{steps}");
        }
    }

    /// Hosts that sign in find the authorization server themselves.
    #[test]
    fn sign_in_needs_no_entry_and_keeps_commands_and_links() {
        for (open, oauth) in http_setup_guides(SERVER, URL, HttpAuth::Open).zip(http_setup_guides(
            SERVER,
            URL,
            HttpAuth::OAuth,
        )) {
            if let SetupMethod::File { .. } = open.way {
                assert_eq!(format!("{open:?}"), format!("{oauth:?}"));
            }
        }
    }

    #[test]
    fn links_open_a_host_with_the_entry_of_its_file() {
        let link = |title| guide(title, HttpAuth::Open).link.unwrap();
        assert_eq!(
            link("VS Code"),
            "vscode:mcp/install?%7B%22name%22%3A%22weather%22%2C%22type%22%3A%22http%22%2C%22url%22%3A%22https%3A%2F%2Fmcp%2Eexample%2Eorg%2Fmcp%22%7D"
        );
        // The Base64 of {"url":"https://mcp.example.org/mcp"}.
        let config = "eyJ1cmwiOiJodHRwczovL21jcC5leGFtcGxlLm9yZy9tY3AifQ%3D%3D";
        assert_eq!(
            link("Cursor"),
            format!("cursor://anysphere.cursor-deeplink/mcp/install?name=weather&config={config}")
        );
        assert_eq!(
            link("LM Studio"),
            format!("lmstudio://add_mcp?name=weather&config={config}")
        );
    }

    #[test]
    fn a_place_is_named_for_each_system_that_differs() {
        let places = |title| match guide(title, HttpAuth::Open).way {
            SetupMethod::File { places, .. } => places.join("; "),
            SetupMethod::Steps(_) => String::new(),
        };
        assert_eq!(places("Cursor"), "~/.cursor/mcp.json");
        assert_eq!(
            places("Zed"),
            "Linux and macOS: ~/.config/zed/settings.json; Windows: %APPDATA%/Zed/settings.json"
        );
        assert_eq!(places("VS Code").matches(": ").count(), 3);
    }
}
