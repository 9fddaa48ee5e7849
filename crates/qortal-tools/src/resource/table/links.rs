//! Native links: addresses as Q-Apps and the Hub write them, whose first segment is a variable.

use super::json;
use crate::resource::{Freshness, Source};

/// In the order they are listed.
pub(super) static ALL: &[Source] = &[
    json(
        ["qortal://{service}/{name}", "qdn_resource"],
        [
            "QDN resource",
            "The native link of what a name published under a service, in upper case.",
        ],
        [
            "get_qdn_resource",
            r#"{"service":"{service}","name":"{name}"}"#,
        ],
        Freshness::Moment,
    ),
    json(
        [
            "qortal://{service}/{name}/{identifier}",
            "qdn_resource_of_identifier",
        ],
        [
            "QDN resource with identifier",
            "The native link of one of several resources, or of a file of the default one.",
        ],
        [
            "get_qdn_resource",
            r#"{"service":"{service}","name":"{name}","identifier":"{identifier}"}"#,
        ],
        Freshness::Moment,
    ),
    json(
        [
            "qortal://{service}/{name}/{identifier}/{+filepath}",
            "qdn_file",
        ],
        [
            "File of a QDN resource",
            "The native link of a file of a resource.",
        ],
        [
            "get_qdn_resource",
            r#"{"service":"{service}","name":"{name}","identifier":"{identifier}","filepath":"{filepath}"}"#,
        ],
        Freshness::Moment,
    ),
];
