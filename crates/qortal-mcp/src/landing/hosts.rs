//! How hosts are connected to a server that runs, as parts of a page for people.

use mcp_hosts::{Guide, Server, TOKEN, Way, guides};

use super::html::{Html, html};

/// A list of links that open a host and add the server at this URL; empty where a token is needed, which no link can carry.
pub(super) fn links(server: Server, url: &str, needs_token: bool) -> Html {
    let link = |guide: Guide| {
        let (link, title) = (guide.link?, guide.title);
        Some(html!(
            "<li><a class=\"button\" href=\"{link}\">Add to {title}</a></li>\n",
            link = link,
            title = title
        ))
    };
    let links: Html = guides(server, url, needs_token).filter_map(link).collect();
    if links == Html::default() {
        return links;
    }
    html!("<ul class=\"buttons\">\n{links}</ul>", links = links)
}

/// How to connect each host to the server at this URL, each to be unfolded. `TOKEN` stands where a person puts an access token.
pub(super) fn instructions(server: Server, url: &str, needs_token: bool) -> Html {
    let guide = |it: Guide| {
        html!(
            "<details>\n<summary>{title}</summary>\n{way}</details>\n",
            title = it.title,
            way = way(it.way)
        )
    };
    guides(server, url, needs_token).map(guide).collect()
}

/// What a request has besides where a token is needed, as a line of a command of curl.
#[must_use]
pub(super) fn authorization(needs_token: bool) -> String {
    if needs_token {
        format!(" \\\n  -H 'Authorization: Bearer {TOKEN}'")
    } else {
        String::new()
    }
}

fn way(way: Way) -> Html {
    match way {
        Way::Steps(steps) => {
            let step = |it| html!("<p>{step}</p>\n", step = it);
            steps.lines().map(step).collect()
        }
        Way::File {
            places,
            also,
            text,
            command,
            ..
        } => {
            let place = |it: &String| match it.split_once(": ") {
                Some((system, path)) => {
                    html!(
                        "<br>{system}: <code>{path}</code>",
                        system = system,
                        path = path
                    )
                }
                None => html!("<br><code>{path}</code>", path = it.as_str()),
            };
            let also = also.map(|it| html!("<br>{also}", also = it));
            let command = command.map(|it| {
                html!("<p>Run this:</p>\n<pre class=\"command\"><code>{it}</code></pre>\n<p>Or do it by hand.</p>\n", it = it)
            });
            html!(
                "{command}<p>Add this to{places}{also}</p>\n<pre tabindex=\"0\"><code>{text}</code></pre>\n",
                command = command.unwrap_or_default(),
                places = places.iter().map(place).collect::<Html>(),
                also = also.unwrap_or_default(),
                text = text
            )
        }
        _ => Html::default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_one_list_or_nothing() {
        let server = Server::new("weather", "weather-mcp");
        let links = |needs_token| links(server, "https://mcp.example.org/mcp", needs_token);
        assert_eq!(links(true), Html::default());
        let links = links(false);
        let links = links.as_str();
        assert!(links.starts_with("<ul class=\"buttons\">\n<li>"), "{links}");
        assert!(links.ends_with("</li>\n</ul>"), "{links}");
        assert!(links.contains(">Add to Cursor</a></li>\n<li>"), "{links}");
    }

    #[test]
    fn a_request_has_a_token_where_one_is_needed() {
        let header = " \\\n  -H 'Authorization: Bearer TOKEN'";
        assert_eq!([false, true].map(authorization), ["", header]);
    }
}
