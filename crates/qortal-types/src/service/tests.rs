//! Tables and properties of `service`.

use super::Service;

#[test]
fn the_table_is_the_cores() {
    assert_eq!(Service::ALL.len(), 54);
    let ids: Vec<u32> = Service::ALL
        .iter()
        .map(|service| service.id().unwrap())
        .collect();
    assert!(ids.is_sorted_by(|left, right| left < right), "{ids:?}");
    assert_eq!(
        Service::ALL
            .iter()
            .filter(|service| service.is_private())
            .count(),
        10
    );
    for service in Service::ALL {
        assert_eq!(service.as_str().parse().as_ref(), Ok(service));
        assert_eq!(
            Service::from_id(service.id().unwrap()).as_ref(),
            Some(service)
        );
        assert_eq!(
            service.is_private(),
            service.as_str().ends_with("_PRIVATE"),
            "{service}"
        );
    }
}

#[test]
fn facts_of_a_service_are_known() {
    let document = Service::from_id(800).unwrap();
    assert_eq!(document, Service::Document);
    assert_eq!(
        (document.max_bytes(), document.is_single_file()),
        (None, true)
    );
    assert_eq!(
        (Service::App.max_bytes(), Service::App.is_single_file()),
        (Some(52_428_800), false)
    );
    assert_eq!(Service::ChainComment.max_bytes(), Some(239));
    assert_eq!(Service::from_id(2), None);
}

#[test]
fn a_service_of_a_newer_node_is_kept() {
    let service: Service = serde_json::from_str("\"HOLOGRAM\"").unwrap();
    assert_eq!(service, Service::Other("HOLOGRAM".into()));
    assert_eq!((service.id(), service.is_private()), (None, false));
    assert_eq!(serde_json::to_string(&service).unwrap(), "\"HOLOGRAM\"");
}

#[test]
fn a_mistyped_service_is_refused_with_a_suggestion() {
    assert_eq!("website".parse(), Ok(Service::Website));
    let error = "WEBSIT".parse::<Service>().unwrap_err();
    assert_eq!(
        error.to_string(),
        "\"WEBSIT\" is not a QDN service, did you mean WEBSITE?"
    );
}
