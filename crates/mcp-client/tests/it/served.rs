//! What a client does with a server that does what it should, in each revision on each transport.

use std::{
    sync::{Arc, Mutex, atomic::Ordering},
    time::Duration,
};

use mcp_client::{
    Client, ClientConfig, ClientError, ClientLimits, NotificationBody, NotificationFilter,
    Progress,
    mcp_protocol::{
        ContentBlock, Object, Prompt, Reference, Resource, Revision, SkillEntry,
        StructuredContentForm, Tool,
    },
};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::json;
use tokio::task::JoinHandle;

use crate::server::{Served, URI, config, object, revisions};

/// Waits, but not for ever.
pub(crate) async fn soon<F: Future>(future: F) -> F::Output {
    let waited = tokio::time::timeout(Duration::from_secs(20), future).await;
    waited.unwrap_or_else(|_| panic!("nothing happened in time"))
}

pub(crate) async fn until(what: &str, is_so: impl Fn() -> bool) {
    soon(async {
        while !is_so() {
            tokio::task::yield_now().await;
        }
    })
    .await;
    assert!(is_so(), "{what}");
}

pub(crate) async fn connect(
    served: &Served,
    over_http: bool,
    config: ClientConfig,
) -> (Client, JoinHandle<()>) {
    let (client, task) = match over_http {
        true => soon(served.http(config)).await,
        false => soon(served.stream(config)).await,
    };
    (client.unwrap(), task)
}

/// Does something with a client of each revision on each transport; everything has ended afterwards.
async fn each(act: impl AsyncFn(&Served, &Client, String)) {
    for (over_http, revision) in revisions() {
        let served = Served::new();
        let asked = match revision {
            Some(revision) => config().with_revision(revision),
            None => config(),
        };
        let (client, task) = connect(&served, over_http, asked).await;
        let newest = Revision::ALL.iter().copied().last();
        assert_eq!(Some(client.revision()), revision.or(newest));
        let shown = format!("{}, over http: {over_http}", client.revision().name());
        soon(act(&served, &client, shown)).await;
        soon(client.close()).await;
        // Over a stream, the end of its input ends the server.
        if over_http {
            served.stop();
        }
        soon(task).await.unwrap();
    }
}

#[tokio::test]
async fn skills_are_listed_and_their_files_read() {
    each(async |_, client, shown| {
        let listed = client.list_all::<SkillEntry>().await.unwrap();
        let [skill] = listed.as_slice() else {
            panic!("{shown}: {listed:?}");
        };
        assert_eq!(skill.name(), Some("sums"), "{shown}");
        assert_eq!(skill.description(), Some("Add numbers."), "{shown}");
        assert_eq!(&client.get_skill(&skill.uri).await.unwrap(), skill);
        let more = skill.files.iter().find(|it| it.uri.ends_with("/more.md"));
        let more = more.unwrap();
        assert_eq!(more.size, Some(5), "{shown}");
        assert!(
            more.digest.as_ref().unwrap().starts_with("sha256:"),
            "{shown}"
        );
        let read = client.read_resource(&more.uri).await.unwrap();
        assert_eq!(read.contents[0].text.as_deref(), Some("More."), "{shown}");
    })
    .await;
}

#[tokio::test]
async fn what_was_read_is_serialized_as_it_can_be_read_again() {
    fn check<T: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug>(read: &T) {
        let json = serde_json::to_string(read).unwrap();
        assert_eq!(&serde_json::from_str::<T>(&json).unwrap(), read, "{json}");
    }
    each(async |_, client, _| {
        check(&client.list_page::<Tool>(None).await.unwrap());
        check(&client.list_page::<Resource>(None).await.unwrap());
        check(&client.list_page::<Prompt>(None).await.unwrap());
        check(&client.list_page::<SkillEntry>(None).await.unwrap());
        check(client.server_info().unwrap());
        check(
            &client
                .call_tool("echo", object(json!({"a": [1]})))
                .await
                .unwrap(),
        );
        check(&client.call_tool("fail", Object::new()).await.unwrap());
        check(&client.read_resource(URI).await.unwrap());
        check(&client.get_prompt("hello", Object::new()).await.unwrap());
        let reference = Reference::Prompt("hello".to_owned());
        check(&client.complete(&reference, "a", "b").await.unwrap());
    })
    .await;
}

#[tokio::test]
async fn progress_is_a_stream_that_ends_with_the_result() {
    each(async |_, client, shown| {
        let mut call = client.call_tool_progress_stream("count", Object::new());
        let mut steps = Vec::new();
        while let Some(progress) = call.next_progress().await {
            steps.push(progress.progress);
        }
        assert_eq!(steps, [1.0, 2.0, 3.0], "{shown}");
        let result = call.result().await.unwrap();
        assert_eq!(result.content, [ContentBlock::text("three")], "{shown}");
    })
    .await;
}

#[tokio::test]
async fn everything_is_asked_for_and_read() {
    each(async |_, client, shown| {
        assert_eq!(client.server_info().unwrap().name, "served", "{shown}");
        assert_eq!(client.instructions(), Some("For tests."), "{shown}");
        assert!(client.capabilities().tools.is_some(), "{shown}");
        let tools = client.list_all::<Tool>().await.unwrap();
        assert_eq!(tools.len(), 9, "{shown}");
        let arguments = object(json!({"a": [1, "ü"]}));
        let result = client.call_tool("echo", arguments.clone()).await.unwrap();
        assert!(!result.is_error, "{shown}");
        let has_structure = result.structured_content.is_some();
        let structure = client.revision().features().structured_content;
        let is_absent = structure == StructuredContentForm::Absent;
        assert_eq!(has_structure, !is_absent, "{shown}");
        let repeated = object(json!({"region": "Zürich ", "count": 7}));
        let result = client.call_tool("repeat", repeated).await.unwrap();
        assert!(!result.is_error, "{shown}: {result:?}");
        let failed = client.call_tool("fail", Object::new()).await.unwrap();
        assert!(failed.is_error, "{shown}");
        let refused = client.call_tool("nope", Object::new()).await;
        assert!(
            matches!(refused, Err(ClientError::Rpc(why)) if why.code == -32602),
            "{shown}"
        );
        assert_eq!(
            client.list_all::<Resource>().await.unwrap()[0].uri,
            URI,
            "{shown}"
        );
        let contents = client.read_resource(URI).await.unwrap().contents;
        assert_eq!(contents[0].text.as_deref(), Some("some text"), "{shown}");
        assert!(client.read_resource("test://b").await.is_err(), "{shown}");
        assert_eq!(
            client.list_all::<Prompt>().await.unwrap()[0].name,
            "hello",
            "{shown}"
        );
        let prompt = client.get_prompt("hello", Object::new()).await.unwrap();
        assert_eq!(prompt.messages.len(), 1, "{shown}");
        let prompt = Reference::Prompt("hello".to_owned());
        let completed = client.complete(&prompt, "who", "A").await.unwrap();
        assert_eq!(completed.values, ["A!"], "{shown}");
        let unknown = client.request("nope/nope", Object::new()).await;
        assert!(
            matches!(unknown, Err(ClientError::Rpc(why)) if why.code == -32601),
            "{shown}"
        );
    })
    .await;
}

#[tokio::test]
async fn parameters_are_repeated_in_headers_also_of_tools_that_have_not_been_listed() {
    each(async |_, client, shown| {
        let arguments = object(json!({"region": "eu"}));
        let result = client.call_tool("repeat", arguments).await.unwrap();
        assert!(!result.is_error, "{shown}: {result:?}");
    })
    .await;
}

#[tokio::test]
async fn questions_are_answered_and_progress_is_heard() {
    each(async |_, client, shown| {
        let greeted = client.call_tool("greet", Object::new()).await.unwrap();
        let rules = client.revision().features();
        assert_eq!(greeted.is_error, !rules.elicitation, "{shown}: {greeted:?}");
        if rules.elicitation {
            let text = format!("{:?}", greeted.content);
            assert!(text.contains("Hello, Ada!"), "{shown}: {text}");
        }
        let heard = Arc::new(Mutex::new(Vec::new()));
        let hears = Arc::clone(&heard);
        let on_progress = move |it: Progress| {
            hears.lock().unwrap().push(it.progress);
        };
        let counted = client.call_tool_with_progress("count", Object::new(), on_progress);
        assert!(!counted.await.unwrap().is_error, "{shown}");
        assert_eq!(*heard.lock().unwrap(), [1.0, 2.0, 3.0], "{shown}");
    })
    .await;
}

#[tokio::test]
async fn dropping_a_request_cancels_it() {
    each(async |served, client, shown| {
        let runs = || served.waiting.load(Ordering::SeqCst);
        {
            let call = client.call_tool("wait", Object::new());
            tokio::pin!(call);
            tokio::select! {
                answer = &mut call => panic!("{shown}: {answer:?}"),
                () = until("it runs", || runs() == 1) => (),
            }
        }
        until("it is cancelled", || runs() == 0).await;
        assert!(
            client.call_tool("echo", Object::new()).await.is_ok(),
            "{shown}"
        );
    })
    .await;
}

#[tokio::test]
async fn a_request_that_takes_too_long_is_cancelled() {
    let one = async |over_http, revision| {
        let served = Served::new();
        let limits = ClientLimits::default().with_request_timeout(Duration::from_millis(200));
        let config = config().with_revision(revision).with_limits(limits);
        let (client, task) = connect(&served, over_http, config).await;
        let late = soon(client.call_tool("wait", Object::new())).await;
        assert!(
            matches!(&late, Err(ClientError::TimedOut { method, .. }) if method == "tools/call"),
            "{late:?}"
        );
        until("it is cancelled", || {
            served.waiting.load(Ordering::SeqCst) == 0
        })
        .await;
        soon(client.close()).await;
        served.stop();
        soon(task).await.unwrap();
    };
    tokio::join!(
        one(false, Revision::V2025_11_25),
        one(true, Revision::V2025_11_25),
        one(false, Revision::V2026_07_28),
        one(true, Revision::V2026_07_28),
    );
}

#[tokio::test]
async fn changes_are_heard_by_who_listens_and_no_longer() {
    each(async |served, client, shown| {
        let filter = NotificationFilter::default().with_tools().with_uri(URI);
        let mut subscription = client.listen(filter.clone()).await.unwrap();
        let mut other = client
            .listen(NotificationFilter::default().with_prompts())
            .await
            .unwrap();
        // Until the server has taken them, nothing is told; it is told again until it is heard.
        let mut heard = Vec::new();
        while heard.len() < 2 {
            served.changes.tools_changed();
            served.changes.resource_updated(URI);
            let kind = subscription.next().await.unwrap().kind;
            if !heard.contains(&kind) {
                heard.push(kind);
            }
        }
        assert!(heard.contains(&NotificationBody::ToolsChanged), "{shown}");
        let updated = NotificationBody::ResourceUpdated(URI.to_owned());
        assert!(heard.contains(&updated), "{shown}");
        served.changes.prompts_changed();
        let kind = other.next().await.unwrap().kind;
        assert_eq!(kind, NotificationBody::PromptsChanged, "{shown}");
        drop(subscription);
        assert!(
            client.call_tool("echo", Object::new()).await.is_ok(),
            "{shown}"
        );
    })
    .await;
}

#[tokio::test]
async fn subscriptions_take_no_room_from_requests() {
    for over_http in [false, true] {
        let served = Served::new();
        let config = config().with_limits(ClientLimits::default().with_requests_in_flight(1));
        let (client, task) = connect(&served, over_http, config).await;
        let filter = || NotificationFilter::default().with_tools();
        let subscriptions = (
            soon(client.listen(filter())).await.unwrap(),
            soon(client.listen(filter())).await.unwrap(),
        );
        assert!(soon(client.call_tool("echo", Object::new())).await.is_ok());
        drop(subscriptions);
        soon(client.close()).await;
        served.stop();
        soon(task).await.unwrap();
    }
}

#[tokio::test]
async fn a_client_closes_while_requests_are_in_flight() {
    for (over_http, revision) in revisions() {
        let served = Served::new();
        let asked = match revision {
            Some(revision) => config().with_revision(revision),
            None => config(),
        };
        let limits = ClientLimits::default().with_close_timeout(Duration::from_millis(100));
        let (client, task) = connect(&served, over_http, asked.with_limits(limits)).await;
        let mut subscription = soon(client.listen(NotificationFilter::default().with_tools()))
            .await
            .unwrap();
        soon(client.close()).await;
        assert!(soon(subscription.next()).await.is_none());
        served.stop();
        soon(task).await.unwrap();
    }
}

#[tokio::test]
async fn a_dropped_client_ends_its_server() {
    let served = Served::new();
    let (client, task) = connect(&served, false, config()).await;
    drop(client);
    soon(task).await.unwrap();
}
