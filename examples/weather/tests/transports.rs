//! The same server over both transports: callers see and can call the tools that are theirs.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should say so")]

use std::{fs, sync::Arc};

use mcp_client::{Client, ClientConfig, ClientError, Endpoint};
use mcp_protocol::{CallToolResult, Object, Tool};
use mcp_server::{AuthInfo, Extensions, ShutdownToken};
use serde_json::json;
use weather_server::{
    access::{granted, tokens},
    builder,
};

/// A token is the name of its caller and this.
const TOKEN: &str = "-correct-horse-battery";
const RAW: &str = "get_raw_forecast";

/// A client of the user of a program, who may be staff.
async fn over_stdio(is_staff: bool) -> Client {
    let mut caller = Extensions::new();
    if is_staff {
        caller.insert(granted(AuthInfo::for_subject("staff")));
    }
    let server = Arc::new(builder().build().unwrap());
    let (ours, theirs) = tokio::io::duplex(64 * 1024);
    let (input, output) = tokio::io::split(theirs);
    let (stop, limits) = (ShutdownToken::new(), mcp_stdio::StdioLimits::default());
    let served = mcp_stdio::serve_with_extensions(server, caller, input, output, stop, limits);
    tokio::spawn(served);
    let (input, output) = tokio::io::split(ours);
    Client::from_stream(input, output, ClientConfig::new("test", "0"))
        .await
        .unwrap()
}

/// A client of the owner of a token.
async fn over_http(name: &str) -> Client {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tokens");
    fs::write(&file, format!("staff staff{TOKEN}\nguest guest{TOKEN}\n")).unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
    }
    let server = Arc::new(builder().build().unwrap());
    let config = mcp_http::HttpConfig::new(server).with_authorization(tokens(&file).unwrap());
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/mcp", listener.local_addr().unwrap());
    tokio::spawn(async move {
        // Until the test ends, and with it the file.
        let _folder = folder;
        mcp_http::serve(listener, config, ShutdownToken::new()).await
    });
    let endpoint = Endpoint::new(&url)
        .unwrap()
        .with_bearer(&format!("{name}{TOKEN}"));
    Client::connect(endpoint.unwrap(), ClientConfig::new("test", "0"))
        .await
        .unwrap()
}

async fn names(client: &Client) -> Vec<String> {
    let tools = client.list_all::<Tool>().await.unwrap();
    tools.into_iter().map(|it| it.name).collect()
}

async fn call(client: &Client, tool: &str) -> Result<CallToolResult, ClientError> {
    let arguments = [
        ("city".to_owned(), "Oslo".into()),
        ("days".to_owned(), "1".into()),
    ];
    client.call_tool(tool, Object::from_iter(arguments)).await
}

#[tokio::test]
async fn staff_sees_and_calls_every_tool() {
    for client in [over_stdio(true).await, over_http("staff").await] {
        let all = ["get_forecast", RAW, "get_measurements"];
        assert_eq!(names(&client).await, all);
        let expect = json!({
            "city": "Oslo",
            "highest": [18.5],
            "notes": ["days was sent as \"1\" and read as 1."],
        });
        let result = call(&client, RAW).await.unwrap();
        assert_eq!(result.structured_content, Some(expect));
        assert!(call(&client, "get_measurements").await.is_ok());
    }
}

#[tokio::test]
async fn guests_see_and_call_the_public_tool_alone() {
    for client in [over_stdio(false).await, over_http("guest").await] {
        assert_eq!(names(&client).await, ["get_forecast", "get_measurements"]);
        let refused = call(&client, RAW).await;
        assert!(matches!(refused, Err(ClientError::Rpc(why)) if why.code == -32602));
        // That one says which scope it needs.
        let refused = call(&client, "get_measurements").await;
        let why = match refused {
            Err(ClientError::Rpc(why)) => why,
            Err(ClientError::Status {
                status: 403,
                error: Some(why),
                ..
            }) => why,
            refused => panic!("{refused:?}"),
        };
        assert_eq!(why.required_scopes(), ["measurements"]);
    }
}
