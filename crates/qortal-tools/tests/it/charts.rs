//! Pictures of what other tools return as numbers.

use std::io::Cursor;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use qortal_tools::Body;
use serde_json::json;

use crate::{Chain, check};

const ALICE: &str = "QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9v";

#[tokio::test]
async fn get_picture() {
    let cases = [
        (
            "order_book",
            json!({"of": "order_book", "blockchain": "LITECOIN"}),
        ),
        (
            "nothing_offered",
            json!({"of": "order_book", "blockchain": "RAVENCOIN"}),
        ),
        ("order_book_of_what", json!({"of": "order_book"})),
        ("minting", json!({"of": "minting", "address": ALICE})),
        ("minting_of_whom", json!({"of": "minting"})),
        ("balance", json!({"of": "balance", "address": "Bób-Name"})),
        (
            "balance_never_used",
            json!({"of": "balance", "address": "QfGwnL6cUCKE9g2ofdBBEwNWb7dgPXMmm2"}),
        ),
        ("minters", json!({"of": "minters", "theme": "dark"})),
        ("unknown_subject", json!({"of": "weather"})),
    ];
    check("get_picture", cases).await;
}

#[tokio::test]
async fn pictures_are_png_and_svg() {
    let chain = Chain::recorded().await;
    for (tool, arguments) in [
        (
            "get_price_chart",
            json!({"blockchain": "LITECOIN", "interval": "hour"}),
        ),
        (
            "get_price_chart",
            json!({"blockchain": "BITCOIN", "interval": "week", "price_of": "coin"}),
        ),
        (
            "get_price_chart",
            json!({"blockchain": "DOGECOIN", "theme": "dark"}),
        ),
        (
            "get_picture",
            json!({"of": "order_book", "blockchain": "LITECOIN"}),
        ),
        (
            "get_picture",
            json!({"of": "minting", "address": "Alice Test"}),
        ),
        ("get_picture", json!({"of": "balance", "address": ALICE})),
        ("get_picture", json!({"of": "minters", "theme": "dark"})),
    ] {
        let entry = chain.catalog.entry(tool).unwrap();
        let is_dark = arguments.get("theme").is_some();
        let arguments = arguments.as_object().unwrap().clone();
        let outcome = chain.catalog.call(entry, arguments.clone()).await.unwrap();
        let [picture, drawing] = outcome.attachments.as_slice() else {
            panic!("{} pictures", outcome.attachments.len());
        };
        assert_eq!(picture.mime_type, "image/png");
        assert_eq!(drawing.mime_type, "image/svg+xml");
        let Body::Base64(data) = &picture.body else {
            panic!("{:?}", picture.body);
        };
        let bytes = STANDARD.decode(data).unwrap();
        assert!(bytes.len() < 40_000, "{arguments:?}: {} bytes", bytes.len());
        let mut reader = png::Decoder::new(Cursor::new(bytes)).read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        let frame = reader.next_frame(&mut pixels).unwrap();
        assert_eq!((frame.width, frame.height), (960, 540));
        // Paper and letters of the theme.
        let has = |color: [u8; 3]| pixels.chunks(3).any(|it| it == color);
        let (paper, ink) = match is_dark {
            true => ([13, 17, 23], [230, 237, 243]),
            false => ([255, 255, 255], [31, 35, 40]),
        };
        assert!(has(paper) && has(ink), "{arguments:?}");
        let Body::Text(svg) = &drawing.body else {
            panic!("{:?}", drawing.body);
        };
        for part in ["role=\"img\"", "<title id=", "<desc id=", "</svg>"] {
            assert!(svg.contains(part), "{arguments:?} {part}");
        }
    }
    chain.stop().await;
}
