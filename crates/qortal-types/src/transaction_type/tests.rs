//! Tables and properties of `transaction_type`.

use super::TransactionType;

#[test]
fn the_table_is_the_cores() {
    assert_eq!(TransactionType::ALL.len(), 41);
    for (id, transaction_type) in (1..).zip(TransactionType::ALL) {
        assert_eq!(transaction_type.id(), Some(id));
        assert_eq!(
            TransactionType::from_id(id).as_ref(),
            Some(transaction_type)
        );
        assert_eq!(
            transaction_type.as_str().parse().as_ref(),
            Ok(transaction_type)
        );
    }
    assert_eq!(TransactionType::from_id(0), None);
    assert_eq!(
        TransactionType::ALL
            .iter()
            .filter(|each| each.can_need_group_approval())
            .count(),
        17
    );
}

#[test]
fn a_type_of_a_newer_node_is_kept() {
    let transaction_type: TransactionType = serde_json::from_str("\"SET_GROUP_FEE\"").unwrap();
    assert_eq!(
        transaction_type,
        TransactionType::Other("SET_GROUP_FEE".into())
    );
    assert_eq!(transaction_type.to_string(), "SET_GROUP_FEE");
}

#[test]
fn a_mistyped_type_is_refused_with_a_suggestion() {
    assert_eq!("payment".parse(), Ok(TransactionType::Payment));
    let error = "REGISTERNAME".parse::<TransactionType>().unwrap_err();
    assert_eq!(
        error.to_string(),
        "\"REGISTERNAME\" is not a transaction type, did you mean REGISTER_NAME?"
    );
    // The only one that begins so, and one of several.
    let error = "register".parse::<TransactionType>().unwrap_err();
    assert_eq!(error.suggestion, Some("REGISTER_NAME"));
    let error = "CREATE_".parse::<TransactionType>().unwrap_err();
    assert_eq!(error.suggestion, None);
}
