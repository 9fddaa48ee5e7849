//! Charts of the numbers that other tools return.

use std::io::Cursor;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use qortal_testnode::Scenario;
use qortal_tools::Body;
use serde_json::json;

use crate::{Chain, check_on};

const ALICE: &str = "QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9v";

#[tokio::test]
async fn get_chart() {
    let cases = [
        (
            "order_book",
            json!({"kind": "order_book", "blockchain": "LITECOIN"}),
        ),
        (
            "nothing_offered",
            json!({"kind": "order_book", "blockchain": "RAVENCOIN"}),
        ),
        ("order_book_of_what", json!({"kind": "order_book"})),
        ("minting", json!({"kind": "minting", "address": ALICE})),
        ("minting_of_whom", json!({"kind": "minting"})),
        ("balance", json!({"kind": "balance", "address": "Bób-Name"})),
        (
            "balance_never_used",
            json!({"kind": "balance", "address": "QfGwnL6cUCKE9g2ofdBBEwNWb7dgPXMmm2"}),
        ),
        ("minters", json!({"kind": "minters", "theme": "dark"})),
        ("unknown_subject", json!({"kind": "weather"})),
    ];
    let without_minters = (Scenario::empty(), "no_minters", json!({"kind": "minters"}));
    check_on("get_chart", cases, [without_minters]).await;
}

#[tokio::test]
async fn charts_are_png_and_svg() {
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
            "get_chart",
            json!({"kind": "order_book", "blockchain": "LITECOIN"}),
        ),
        (
            "get_chart",
            json!({"kind": "minting", "address": "Alice Test"}),
        ),
        ("get_chart", json!({"kind": "balance", "address": ALICE})),
        ("get_chart", json!({"kind": "minters", "theme": "dark"})),
    ] {
        let entry = chain.catalog.entry(tool).unwrap();
        let is_dark = arguments.get("theme").is_some();
        let arguments = arguments.as_object().unwrap().clone();
        let outcome = chain.catalog.call(entry, arguments.clone()).await.unwrap();
        let [image, drawing] = outcome.attachments.as_slice() else {
            panic!("{} images", outcome.attachments.len());
        };
        assert_eq!(image.mime_type, "image/png");
        assert_eq!(drawing.mime_type, "image/svg+xml");
        let Body::Base64(data) = &image.body else {
            panic!("{:?}", image.body);
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
