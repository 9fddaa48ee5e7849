//! Error pages of the servlet container, for all failures outside the Core's own error handling.

use crate::{
    answer::{Answer, first},
    request::Request,
};

/// Name of the API's servlet in the recordings.
const SERVLET: &str = "org.glassfish.jersey.servlet.ServletContainer-53b1a3f8";
const CONTAINER: &str = "https://jetty.org/\">Powered by Jetty:// 9.4.57.v20241219";

/// Returns the error page for `status`, in the form that the client accepts.
pub(crate) fn answer(request: &Request, status: u16) -> Answer {
    titled(request, status, reason(status))
}

/// Returns the error page with a custom title.
pub(crate) fn titled(request: &Request, status: u16, title: &str) -> Answer {
    by_servlet(request, status, title, SERVLET)
}

/// Returns the error page for a request to a websocket's path without an upgrade.
pub(crate) fn no_upgrade(request: &Request, class: &str) -> Answer {
    let title = format!(
        "HTTP method {} is not supported by this URL",
        request.method
    );
    let servlet = format!("org.qortal.api.websocket.{class}-1e692555");
    by_servlet(request, 405, &title, &servlet)
}

fn by_servlet(request: &Request, status: u16, title: &str, servlet: &str) -> Answer {
    let shows_pages = ["GET", "POST", "HEAD"].contains(&request.method.as_str());
    if !shows_pages {
        return Answer::empty(status);
    }
    let path = escape(&request.path);
    match first(request, &["text/html", "application/json", "text/plain"]) {
        Some("application/json") => {
            let path = request.path.replace('\\', "\\\\").replace('"', "\\\"");
            let body = format!(
                "{{\n\"servlet\":\"{servlet}\",\n\"message\":\"{title}\",\n\"url\":\"{path}\",\n\"status\":\"{status}\"\n}}"
            );
            Answer::new(status, "application/json", body)
        }
        Some("text/plain") => {
            let path = &request.path;
            let body = format!(
                "HTTP ERROR {status} {title}\nURI: {path}\nSTATUS: {status}\nMESSAGE: {title}\nSERVLET: {servlet}\n"
            );
            Answer::new(status, "text/plain;charset=iso-8859-1", body)
        }
        _ => {
            let body = format!(
                "<html>\n<head>\n<meta http-equiv=\"Content-Type\" content=\"text/html;charset=ISO-8859-1\"/>\n\
                 <title>Error {status} {title}</title>\n</head>\n<body><h2>HTTP ERROR {status} {title}</h2>\n<table>\n\
                 <tr><th>URI:</th><td>{path}</td></tr>\n<tr><th>STATUS:</th><td>{status}</td></tr>\n\
                 <tr><th>MESSAGE:</th><td>{title}</td></tr>\n<tr><th>SERVLET:</th><td>{servlet}</td></tr>\n</table>\n\
                 <hr/><a href=\"{CONTAINER}</a><hr/>\n\n</body>\n</html>\n"
            );
            Answer::new(status, "text/html;charset=iso-8859-1", body)
        }
    }
}

/// Returns the short page for requests that are rejected before they are processed. The connection is closed afterwards.
pub(crate) fn bad_message(status: u16) -> Answer {
    let body = format!(
        "<h1>Bad Message {status}</h1><pre>reason: {}</pre>",
        reason(status)
    );
    Answer {
        close: true,
        ..Answer::new(status, "text/html;charset=iso-8859-1", body)
    }
}

fn reason(status: u16) -> &'static str {
    match status {
        400 => "Bad Request",
        404 => "Not Found",
        405 => "Method Not Allowed",
        406 => "Not Acceptable",
        413 => "Payload Too Large",
        414 => "URI Too Long",
        415 => "Unsupported Media Type",
        431 => "Request Header Fields Too Large",
        _ => "Internal Server Error",
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
