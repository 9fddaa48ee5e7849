//! `/arbitrary`.

use qortal_client::{
    ApiError, PageRequest,
    api::arbitrary::{
        ArbitraryFilter, IdentifierFilter, ResourceExtras, ResourceFilter, ResourceId,
        ResourceSearch, ResourceState,
        files::{FilePath, Unbuilt},
    },
};
use qortal_testnode::Scenario;
use qortal_types::{Height, Service};

use crate::harness::{VICTOR, address, check, recorded, refused, targets, with};

fn id(service: Service, name: &str, identifier: Option<&str>) -> ResourceId {
    ResourceId::new(service, name.to_owned(), identifier.map(str::to_owned))
}

fn report() -> ResourceId {
    id(Service::Document, "victor", Some("report-2026"))
}

#[tokio::test]
async fn resources_are_listed_by_equality() {
    let (_test_node, node) = recorded().await;
    let filter = ResourceFilter::default()
        .with_service(Service::Document)
        .with_name("victor".to_owned())
        .with_identifier(IdentifierFilter::Like("report-2026".to_owned()))
        .with_extras(
            ResourceExtras::default()
                .with_status(true)
                .with_metadata(true),
        );
    let resources = node
        .resources(&filter, PageRequest::first(10))
        .await
        .unwrap();
    check(
        "arbitrary",
        "resources",
        "One resource with status and metadata.",
        &resources,
    );
    let defaults = ResourceFilter::default().with_identifier(IdentifierFilter::Default);
    let defaults = node
        .resources(&defaults, PageRequest::first(10))
        .await
        .unwrap();
    assert!(
        !defaults.is_empty()
            && defaults
                .iter()
                .all(|resource| resource.identifier.is_none())
    );
}

#[tokio::test]
async fn a_search_finds_all_that_matches() {
    let (test_node, node) = recorded().await;
    let names = async |search: &ResourceSearch| {
        let found = node
            .search_resources(search, PageRequest::first(100))
            .await
            .unwrap();
        found
            .into_iter()
            .map(|resource| resource.identifier.unwrap_or_default())
            .collect::<Vec<_>>()
    };
    let query = ResourceSearch::default().with_query("report".to_owned());
    assert_eq!(names(&query).await, ["report-2026"]);
    let posts = ResourceSearch::default()
        .with_identifier(IdentifierFilter::Like("post".to_owned()))
        .with_prefix(true);
    assert_eq!(names(&posts).await, ["post-1", "post-2"]);
    insta::assert_snapshot!(targets(&test_node).join("\n"), @"
    /arbitrary/resources/search?query=report&mode=ALL&limit=100
    /arbitrary/resources/search?prefix=true&mode=ALL&identifier=post&limit=100
    ");
}

/// Without a service the database answers, where `%` and `_` are wildcards and `default` stands for no identifier; with one a
/// list in memory, where they are letters.
#[tokio::test]
async fn both_engines_find_the_same() {
    let (_test_node, node) = with(Scenario::odd_rows()).await;
    let plain = ResourceSearch::default;
    let like = |text: &str| IdentifierFilter::Like(text.to_owned());
    let keywords = |words: [&str; 2]| plain().with_keywords(words.map(str::to_owned));
    for (search, expected) in [
        (plain().with_query("100%".to_owned()), &["rate_100%"][..]),
        (plain().with_query("rate_100".to_owned()), &["rate_100%"]),
        (plain().with_identifier(like("rate_100")), &["rate_100%"]),
        (plain().with_identifier(like("k\\s")), &["back\\slash"]),
        (
            plain().with_query("RATE_".to_owned()).with_prefix(true),
            &["rate_100%"],
        ),
        // An older resource of its name than the newest.
        (
            plain().with_query("rate".to_owned()),
            &["rate_100%", "rateX100x"],
        ),
        (plain().with_names(vec!["z%a".to_owned()]), &[]),
        (plain().with_title("%".to_owned()), &[]),
        (plain().with_description("an%l".to_owned()), &[]),
        (plain().with_keywords(vec!["_".to_owned()]), &[]),
        (keywords(["figures of", "no_such"]), &["report-2026"]),
        (plain().with_identifier(like("default")), &[]),
    ] {
        for service in [None, Some(Service::Document)] {
            let search = search.clone().with_service(service);
            let found = node.search_resources(&search, PageRequest::first(20)).await;
            let found = found.unwrap();
            assert!(found.iter().all(|it| it.metadata.is_none()), "{search:?}");
            let found = found.into_iter().map(|it| it.identifier.unwrap());
            assert_eq!(found.collect::<Vec<_>>(), expected, "{search:?}");
        }
    }
}

#[tokio::test]
async fn what_was_downloaded_is_built_for_a_request_that_may_wait() {
    let (_test_node, node) = recorded().await;
    let photo = id(Service::Image, "Alice Test", Some("photo-1"));
    let state = async |id: &ResourceId| node.resource_status(id).await.unwrap().status;
    assert_eq!(state(&photo).await, ResourceState::Downloaded);
    let read = async |id, unbuilt| node.resource_file(id, None, unbuilt, 10_000).await;
    assert_eq!(
        read(&photo, Unbuilt::Build).await.unwrap().bytes.len(),
        2_084
    );
    assert_eq!(state(&photo).await, ResourceState::Ready);
    assert!(read(&photo, Unbuilt::Queue).await.is_ok());
    let mail = id(Service::MailPrivate, "Bób-Name", Some("mail-1"));
    let queued = read(&mail, Unbuilt::Queue).await;
    assert!(queued.unwrap_err().is(ApiError::FILE_NOT_FOUND));
    assert_eq!(state(&mail).await, ResourceState::Building);
}

#[tokio::test]
async fn what_the_node_has_of_a_resource_is_known() {
    let (_test_node, node) = recorded().await;
    let state = async |id: ResourceId| node.resource_status(&id).await.unwrap().status;
    assert_eq!(state(report()).await, ResourceState::Ready);
    assert_eq!(
        state(id(Service::Website, "victor", None)).await,
        ResourceState::Ready
    );
    assert_eq!(
        state(id(Service::Video, "rita-trades", Some("clip"))).await,
        ResourceState::MissingData
    );
    assert_eq!(
        state(id(Service::Document, "no-such-name", Some("x"))).await,
        ResourceState::NotPublished
    );
    let metadata = node.resource_metadata(&report()).await.unwrap();
    check(
        "arbitrary",
        "metadata",
        "What a resource says about itself.",
        &metadata,
    );
    insta::assert_snapshot!(
        refused(node.resource_metadata(&id(Service::Document, "victor", Some("nope"))).await),
        @"node refused GET /arbitrary/metadata/{service}/{name}/{identifier} with HTTP 404, code 1401 FILE_NOT_FOUND: file not found"
    );
    assert_eq!(node.resource_peers(&report()).await.unwrap().peer_count, 0);
}

#[tokio::test]
async fn files_are_read_up_to_a_limit() {
    let (test_node, node) = recorded().await;
    let whole = node
        .resource_file(&report(), None, Unbuilt::Queue, 100_000)
        .await
        .unwrap();
    assert!(whole.is_complete && whole.bytes.len() > 1_000);
    let beginning = node
        .resource_file(&report(), None, Unbuilt::Queue, 10)
        .await
        .unwrap();
    assert_eq!(
        (beginning.bytes.as_ref(), beginning.is_complete),
        (b"Line 0 of ".as_slice(), false)
    );
    let exactly = node
        .resource_file(&report(), None, Unbuilt::Queue, whole.bytes.len())
        .await
        .unwrap();
    assert!(exactly.is_complete);
    let css: FilePath = "css/style.css".parse().unwrap();
    let file = node
        .resource_file(
            &id(Service::Website, "victor", None),
            Some(&css),
            Unbuilt::Queue,
            1_000,
        )
        .await
        .unwrap();
    assert_eq!(
        (file.bytes.as_ref(), file.content_type.as_deref()),
        (b"body{color:#222}\n".as_slice(), Some("text/css"))
    );
    assert_eq!(
        targets(&test_node).last().map(String::as_str),
        Some("/arbitrary/WEBSITE/victor?filepath=css%2Fstyle.css&attempts=1&async=true")
    );
    insta::assert_snapshot!(refused(node.resource_file(&id(Service::Website, "victor", None), None, Unbuilt::Queue, 10).await), @"node refused GET /arbitrary/{service}/{name} with HTTP 404, code 1401 FILE_NOT_FOUND: filepath is required for resources containing more than one file");
    insta::assert_snapshot!(refused(node.resource_file(&id(Service::Other("check".into()), "tmp", None), None, Unbuilt::Queue, 10).await), @"GET /arbitrary/{service}/{name} was not sent because its service is not a service name, which has only capital letters");
}

#[tokio::test]
async fn resources_on_the_chain_come_at_once() {
    let (_test_node, node) = recorded().await;
    let asked = [
        id(Service::ChainComment, "Alice Test", Some("comment-1")),
        id(Service::Json, "victor", Some("settings-v1")),
        report(),
    ];
    let contents = node.resources_on_chain(&asked).await.unwrap();
    check(
        "arbitrary",
        "on_chain",
        "Two resources that are on the chain and one that is not.",
        &contents,
    );
    insta::assert_snapshot!(
        refused(node.resources_on_chain(&[]).await),
        @"node refused POST /arbitrary/resources/onchain/data with HTTP 400, code 125 INVALID_CRITERIA: Request list must not be empty"
    );
}

/// The Core reads all that everyone did in these blocks, if it is asked for them.
#[tokio::test]
async fn the_core_is_not_asked_for_first_blocks_of_a_service_or_an_account() {
    let all = ArbitraryFilter::default().with_start_block(Height::new(1));
    let all = all.with_block_limit(1_000);
    for (filter, is_asked) in [
        (all.clone().with_service(Service::Document), false),
        (all.clone().with_address(address(VICTOR)), false),
        (all, true),
    ] {
        let (test_node, node) = recorded().await;
        let found = node
            .arbitrary_transactions(&filter, PageRequest::first(2))
            .await;
        assert_eq!(found.unwrap().len(), 2, "{filter:?}");
        let asked = targets(&test_node);
        let is_search = |it: &&String| it.starts_with("/arbitrary/search");
        let search = asked.iter().find(is_search).unwrap();
        assert_eq!(search.contains("blockLimit"), is_asked, "{asked:?}");
    }
}

#[tokio::test]
async fn transactions_are_listed() {
    let (_test_node, node) = recorded().await;
    let filter = ArbitraryFilter::default().with_name("VICTOR".to_owned());
    let transactions = node
        .arbitrary_transactions(&filter, PageRequest::first(2))
        .await
        .unwrap();
    assert_eq!(transactions.len(), 2);
    assert_eq!(
        transactions[0]
            .details
            .get("service")
            .and_then(serde_json::Value::as_u64),
        Some(800)
    );
}

#[tokio::test]
async fn what_the_node_keeps_is_listed() {
    let (_test_node, node) = recorded().await;
    let hosted = node
        .hosted_transactions(None, PageRequest::first(1))
        .await
        .unwrap();
    check(
        "arbitrary",
        "hosted",
        "The largest of what the node keeps.",
        &hosted,
    );
    insta::assert_snapshot!(refused(node.hosted_resources(None, PageRequest::first(1)).await), @"node refused GET /arbitrary/hosted/resources with HTTP 403, code 4 UNAUTHORIZED: Missing 'X-API-KEY' header");
}

#[tokio::test]
async fn what_publishers_indexed_is_found_by_words() {
    let (_test_node, node) = recorded().await;
    let links = async |terms: &[&str]| {
        let terms: Vec<_> = terms.iter().map(|it| (*it).to_owned()).collect();
        let found = node.search_indices(&terms).await.unwrap();
        found.into_iter().map(|it| it.link).collect::<Vec<_>>()
    };
    let doc = "qortal://DOCUMENT/victor/doc1";
    assert_eq!(links(&["weather"]).await, [doc]);
    assert_eq!(
        links(&["weather", "report"]).await,
        [doc, "qortal://DOCUMENT/victor/report-2026"]
    );
    assert!(links(&["qortal"]).await.is_empty());
}
