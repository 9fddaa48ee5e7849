//! Native links: URIs in the form that Q-Apps and the Hub use, whose first segment is a variable.

use crate::resources::source::{Freshness::Moment, Source, source, variable};

/// Native links in list order.
pub(super) static ALL: &[Source] = &[
    source("qortal://{service}/{name}", "qdn_resource", Moment)
        .titled(
            "QDN resource",
            "The native link of a name's default resource under a service, in upper case.",
        )
        .calls("get_qdn_resource", &[variable("service"), variable("name")]),
    source(
        "qortal://{service}/{name}{?identifier}",
        "qdn_resource_of_identifier",
        Moment,
    )
    .titled(
        "QDN resource with identifier",
        "The native link of one of several resources of a name and service.",
    )
    .calls(
        "get_qdn_resource",
        &[
            variable("service"),
            variable("name"),
            variable("identifier"),
        ],
    ),
    source(
        "qortal://{service}/{name}/{+filepath}{?identifier}",
        "qdn_file",
        Moment,
    )
    .titled(
        "File of a QDN resource",
        "The native link of a file of a resource.",
    )
    .calls(
        "get_qdn_resource",
        &[
            variable("service"),
            variable("name"),
            variable("identifier"),
            variable("filepath"),
        ],
    ),
];
