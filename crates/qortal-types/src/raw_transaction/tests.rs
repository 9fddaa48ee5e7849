//! Tests of `raw_transaction`.

use serde_json::Value;

use super::*;

/// Transactions of 35 types on the chain of the recordings of Core 6.1.8, as their bytes and as the Core answers for them.
///
/// The bytes were put together from the answers by the Core's `toBytes`, and each row's own signature was found to be valid for
/// them (Ed25519), or to be their digest in the genesis block and of automated transactions: another layout has none.
/// The Core does not answer the recipient of TRANSFER_PRIVS, so that none is here; `nonce` of PUBLICIZE, `groupId` and `invitee` of
/// CANCEL_GROUP_INVITE, and the keys of both, are those for which the signature is valid.
const RECORDED: &str = include_str!("transactions.jsonl");

/// Members that only the chain knows.
const OF_THE_CHAIN: [(&str, &str); 15] = [
    ("", "approvalHeight"),
    ("", "approvalStatus"),
    ("", "blockHeight"),
    ("ACCOUNT_FLAGS", "previousFlags"),
    ("ARBITRARY", "version"),
    ("CREATE_ASSET_ORDER", "amountAssetId"),
    ("CREATE_ASSET_ORDER", "amountAssetName"),
    ("CREATE_ASSET_ORDER", "haveAssetName"),
    ("CREATE_ASSET_ORDER", "pricePair"),
    ("CREATE_ASSET_ORDER", "wantAssetName"),
    ("CREATE_GROUP", "groupId"),
    ("DEPLOY_AT", "aTAddress"),
    ("ISSUE_ASSET", "assetId"),
    ("MESSAGE", "version"),
    ("TRANSFER_ASSET", "assetName"),
];

fn recorded() -> impl Iterator<Item = (String, Value)> {
    RECORDED.lines().map(|line| {
        let mut row: Value = serde_json::from_str(line).unwrap();
        let raw = row["raw"].as_str().unwrap().to_owned();
        (raw, row["decoded"].take())
    })
}

#[test]
fn recorded_transactions_are_decoded_as_the_core_answers() {
    let mut types = std::collections::BTreeSet::new();
    for (raw, mut expected) in recorded() {
        let read: RawTransaction = raw.parse().unwrap();
        let kind = expected["type"].as_str().unwrap().to_owned();
        let is_of_the_chain = |name: &str| {
            let mut rows = OF_THE_CHAIN.iter();
            rows.any(|(of, it)| *it == name && (of.is_empty() || *of == kind))
        };
        let members = expected.as_object_mut().unwrap();
        members.retain(|name, _| !is_of_the_chain(name));
        assert_eq!(serde_json::to_value(&read).unwrap(), expected, "{kind}");
        types.insert(kind);
    }
    assert_eq!(types.len(), 35);
}

#[test]
fn transactions_without_a_signature_are_read_too() {
    for (raw, expected) in recorded() {
        let bytes = base58::decode(&raw).unwrap();
        let (unsigned, signature) = bytes.split_last_chunk::<{ Signature::BYTES }>().unwrap();
        let read = RawTransaction::from_bytes(unsigned).unwrap();
        assert_eq!(read.signature, None);
        let signed = RawTransaction::from_bytes(&bytes).unwrap();
        assert_eq!(signed.signature, Some(Signature::from_bytes(*signature)));
        assert_eq!(read.members, signed.members, "{}", expected["type"]);
    }
}

/// The layout of each type that has no recording, written out here once more by the Core's class.
#[test]
fn types_without_a_recording_follow_the_core() {
    let address: Address = "QixPbJUwsaHsVEofJdozU9zgVqkK6aYhrK".parse().unwrap();
    let address = base58::decode(address.as_str()).unwrap();
    let head = |kind: i32, millis: i64| {
        let mut bytes = kind.to_be_bytes().to_vec();
        bytes.extend(millis.to_be_bytes());
        bytes.extend(3_i32.to_be_bytes());
        bytes.extend([7; 64]);
        bytes.extend([8; 32]);
        bytes
    };
    let fee = 1_000_000_i64.to_be_bytes();
    let check = |bytes: Vec<u8>, expected: &str| {
        let read = RawTransaction::from_bytes(&bytes).unwrap();
        let members: Vec<_> = read.members.iter().map(|(name, _)| *name).collect();
        assert_eq!(members.join(" "), expected);
        assert_eq!(read.fee, Amount::from_units(1_000_000));
        assert_eq!(read.group_id, 3);
    };
    // ChatTransactionTransformer: the reference to another message follows the fee, since 2023.
    let chat = |millis| {
        [
            head(18, millis),
            5_i32.to_be_bytes().to_vec(),
            vec![1],
            address.clone(),
        ]
        .concat()
    };
    let text = [
        2_i32.to_be_bytes().to_vec(),
        b"hi".to_vec(),
        vec![0, 1],
        fee.to_vec(),
    ]
    .concat();
    let of_2022 = [chat(1_660_000_000_000), text.clone()].concat();
    check(of_2022, "nonce recipient data isEncrypted isText");
    let plain = [chat(1_700_000_000_000), text.clone(), vec![0]].concat();
    check(plain, "nonce recipient data isEncrypted isText");
    let answer = [chat(1_700_000_000_000), text, vec![1], vec![9; 64]].concat();
    check(
        answer,
        "nonce recipient data isEncrypted isText chatReference",
    );
    // TransferPrivsTransactionTransformer.
    let privileges = [head(40, 1_700_000_000_000), address, fee.to_vec()].concat();
    check(privileges, "recipient");
    // PresenceTransactionTransformer.
    let presence = [
        head(41, 1_630_000_000_000),
        5_i32.to_be_bytes().to_vec(),
        vec![1],
        vec![9; 64],
        fee.to_vec(),
    ];
    check(presence.concat(), "nonce presenceType timestampSignature");
    // ArbitraryTransactionTransformer before version 5.
    let old = [
        head(10, 1_630_000_000_000),
        0_i32.to_be_bytes().to_vec(),
        777_i32.to_be_bytes().to_vec(),
        vec![1],
        2_i32.to_be_bytes().to_vec(),
        b"hi".to_vec(),
        fee.to_vec(),
    ];
    check(old.concat(), "payments service dataType data");
}

#[test]
fn what_is_wrong_is_said() {
    let payment = recorded()
        .find(|(_, it)| it["type"] == "PAYMENT")
        .unwrap()
        .0;
    let bytes = base58::decode(&payment).unwrap();
    let check = |bytes: &[u8], problem: &str| {
        let err = RawTransaction::from_bytes(bytes).unwrap_err();
        assert_eq!(err.to_string(), problem);
    };
    check(&[], "they end after 0 bytes, within the type");
    check(
        &[0, 0, 1, 0, 9],
        "they begin with 256, which is not the number of a transaction type",
    );
    check(
        &[&[0, 0, 0, 1], [0; 100].as_slice()].concat(),
        "they begin like a transaction of type GENESIS, which the Core does not serialize",
    );
    check(&bytes[..140], "they end after 140 bytes, within amount");
    check(
        &bytes[..200],
        "they end after 200 bytes, within the signature",
    );
    check(
        &[bytes.as_slice(), &[0]].concat(),
        "65 bytes follow, expected a signature of 64 bytes or nothing",
    );
    let with = |position: usize, byte: u8| {
        let mut changed = bytes.clone();
        changed[position] = byte;
        changed
    };
    check(
        &with(120, 0),
        "recipient, which begins at byte 112, is not an address",
    );
    check(
        &with(12, 0x80),
        "txGroupId, which begins at byte 12, is negative",
    );
    check(
        &with(137, 0xff),
        "amount, which begins at byte 137, is negative",
    );
    check(
        &with(145, 0xff),
        "fee, which begins at byte 145, is negative",
    );
    let mut name = recorded()
        .find(|(_, it)| it["type"] == "SELL_NAME")
        .unwrap();
    name.0 = name.0.trim().to_owned();
    let mut name = base58::decode(&name.0).unwrap();
    name[115] = 200;
    check(
        &name,
        "name, which begins at byte 112, is larger than the Core allows",
    );
    name[115] = 3;
    name[116] = 0xff;
    check(&name, "name, which begins at byte 112, is not UTF-8");
    for (text, problem) in [
        ("", "the string is empty"),
        ("0OIl", "'0' at position 1 is not a Base58 character"),
        ("abc", "they end after 3 bytes, within the type"),
    ] {
        let err = text.parse::<RawTransaction>().unwrap_err();
        assert_eq!(err.to_string(), problem);
    }
    let long = "1".repeat(20_000).parse::<RawTransaction>().unwrap_err();
    assert_eq!(
        long.to_string(),
        "20000 characters exceed the limit of 16384"
    );
}

/// Every byte of every recorded transaction changed, every length cut, and random bytes: an answer or an error, never a panic.
#[test]
fn odd_bytes_never_cause_a_panic() {
    let mut seed = 1_u64;
    let mut random = move || {
        // Knuth's MMIX generator.
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        seed.to_be_bytes()[0]
    };
    let read = |bytes: &[u8]| {
        if let Ok(it) = RawTransaction::from_bytes(bytes) {
            serde_json::to_value(&it).unwrap();
        }
    };
    for (raw, _) in recorded() {
        let bytes = base58::decode(&raw).unwrap();
        for position in 0..bytes.len() {
            read(&bytes[..position]);
            for byte in [0xff, random()] {
                let mut changed = bytes.clone();
                changed[position] = byte;
                read(&changed);
            }
        }
    }
    for kind in 0..=42_u8 {
        for length in 0..300 {
            let bytes: Vec<u8> = [0, 0, 0, kind]
                .into_iter()
                .chain((0..length).map(|_| random()))
                .collect();
            read(&bytes);
        }
    }
}
