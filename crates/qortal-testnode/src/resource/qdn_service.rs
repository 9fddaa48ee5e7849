//! The services of the QDN: names in paths and queries, numbers in transactions (`Service`).

use crate::resource::{Refusal, Request};

/// The services with their numbers.
pub(super) const SERVICES: [(&str, i64); 54] = [
    ("AUTO_UPDATE", 1),
    ("ARBITRARY_DATA", 100),
    ("QCHAT_ATTACHMENT", 120),
    ("QCHAT_ATTACHMENT_PRIVATE", 121),
    ("ATTACHMENT", 130),
    ("ATTACHMENT_PRIVATE", 131),
    ("FILE", 140),
    ("FILE_PRIVATE", 141),
    ("FILES", 150),
    ("CHAIN_DATA", 160),
    ("WEBSITE", 200),
    ("GIT_REPOSITORY", 300),
    ("IMAGE", 400),
    ("IMAGE_PRIVATE", 401),
    ("THUMBNAIL", 410),
    ("QCHAT_IMAGE", 420),
    ("VIDEO", 500),
    ("VIDEO_PRIVATE", 501),
    ("AUDIO", 600),
    ("AUDIO_PRIVATE", 601),
    ("QCHAT_AUDIO", 610),
    ("QCHAT_VOICE", 620),
    ("VOICE", 630),
    ("VOICE_PRIVATE", 631),
    ("PODCAST", 640),
    ("BLOG", 700),
    ("BLOG_POST", 777),
    ("BLOG_COMMENT", 778),
    ("DOCUMENT", 800),
    ("DOCUMENT_PRIVATE", 801),
    ("LIST", 900),
    ("PLAYLIST", 910),
    ("APP", 1000),
    ("METADATA", 1100),
    ("JSON", 1110),
    ("GIF_REPOSITORY", 1200),
    ("STORE", 1300),
    ("PRODUCT", 1310),
    ("OFFER", 1330),
    ("COUPON", 1340),
    ("CODE", 1400),
    ("PLUGIN", 1410),
    ("EXTENSION", 1420),
    ("GAME", 1500),
    ("ITEM", 1510),
    ("NFT", 1600),
    ("DATABASE", 1700),
    ("SNAPSHOT", 1710),
    ("COMMENT", 1800),
    ("CHAIN_COMMENT", 1810),
    ("MAIL", 1900),
    ("MAIL_PRIVATE", 1901),
    ("MESSAGE", 1910),
    ("MESSAGE_PRIVATE", 1911),
];

/// The service a query names; numbers are not accepted.
pub(super) fn service_in_query(request: &Request) -> Result<Option<&'static str>, Refusal> {
    let known = |text| {
        SERVICES
            .iter()
            .map(|(name, _)| *name)
            .find(|name| *name == text)
    };
    request
        .text("service")
        .map(|text| known(text).ok_or(Refusal::BadParameter("service")))
        .transpose()
}

/// The number of a service.
pub(super) fn service_number(service: &str) -> Option<i64> {
    SERVICES
        .iter()
        .find(|(name, _)| *name == service)
        .map(|(_, number)| *number)
}
