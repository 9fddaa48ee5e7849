//! How hosts are connected to a server that runs, as parts of a page for people.

use mcp_hosts::{HttpAuth, ServerNames, SetupGuide, SetupMethod, http_setup_guides};

use super::html::escaped;

/// Returns links that open a host and add the server at this URL, or nothing where a token is needed, which no link can carry.
pub(super) fn links(server: ServerNames, url: &str, access: HttpAuth) -> String {
    let link = |guide: SetupGuide| {
        let (link, title) = (escaped(&guide.link?), guide.title);
        Some(format!(
            "<li><a class=\"button\" href=\"{link}\">Add to {title}</a></li>\n"
        ))
    };
    let links: String = http_setup_guides(server, url, access)
        .filter_map(link)
        .collect();
    if links.is_empty() {
        return links;
    }
    format!("<ul class=\"buttons\">\n{links}</ul>")
}

/// Returns how to connect each host to the server at this URL, each to be unfolded. `TOKEN` stands where a person puts an access token.
pub(super) fn instructions(server: ServerNames, url: &str, access: HttpAuth) -> String {
    let guide = |guide: SetupGuide| {
        let (title, way) = (escaped(guide.title), way(guide.way));
        format!("<details>\n<summary>{title}</summary>\n{way}</details>\n")
    };
    http_setup_guides(server, url, access).map(guide).collect()
}

fn way(way: SetupMethod) -> String {
    match way {
        SetupMethod::Steps(steps) => {
            let steps = steps.lines();
            steps
                .map(|step| format!("<p>{}</p>\n", escaped(step)))
                .collect()
        }
        SetupMethod::File {
            places,
            also,
            text,
            command,
            ..
        } => {
            let place = |place: &String| match place.split_once(": ") {
                Some((system, path)) => {
                    format!("<br>{}: <code>{}</code>", escaped(system), escaped(path))
                }
                None => format!("<br><code>{}</code>", escaped(place)),
            };
            let places: String = places.iter().map(place).collect();
            let also = also.map_or_else(String::new, |also| format!("<br>{}", escaped(also)));
            let command = command.map_or_else(String::new, |command| {
                let command = escaped(&command);
                format!("<p>Run this:</p>\n<pre class=\"command\"><code>{command}</code></pre>\n<p>Or edit the file yourself.</p>\n")
            });
            let text = escaped(&text);
            format!(
                "{command}<p>Add this to{places}{also}</p>\n<pre tabindex=\"0\"><code>{text}</code></pre>\n"
            )
        }
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_one_list_or_nothing() {
        let server = ServerNames::new("weather", "weather-mcp");
        let links = |access| links(server, "https://mcp.example.org/mcp", access);
        assert_eq!(links(HttpAuth::Token), "");
        assert_eq!(links(HttpAuth::OAuth), links(HttpAuth::Open));
        let links = links(HttpAuth::Open);
        assert!(links.starts_with("<ul class=\"buttons\">\n<li>"), "{links}");
        assert!(links.ends_with("</li>\n</ul>"), "{links}");
        assert!(links.contains(">Add to Cursor</a></li>\n<li>"), "{links}");
    }
}
