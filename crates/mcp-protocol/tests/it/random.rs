//! Inputs that are generated from a seed.

use mcp_protocol::{
    ContentBlock, Object,
    content::{Annotations, ResourceContents, ResourceLink, Role},
};
use serde_json::{Value, json};

/// The members of results and blocks.
const NAMES: &str = "type text data mimeType resource uri name blob annotations _meta audience priority content \
    structuredContent isError resultType result task size icons error other";
const KINDS: &str = "text image audio resource resource_link video";

/// SplitMix64: small, and the same everywhere.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut it = self.0;
        it = (it ^ (it >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        it = (it ^ (it >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        it ^ (it >> 31)
    }

    pub(crate) fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.next() % u64::try_from(end).unwrap()).unwrap()
    }

    pub(crate) fn coin(&mut self) -> bool {
        self.below(2) == 0
    }

    pub(crate) fn of<T: Clone>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())].clone()
    }

    /// One of these words.
    pub(crate) fn word(&mut self, words: &'static str) -> &'static str {
        let words: Vec<&str> = words.split(' ').collect();
        self.of(&words)
    }

    pub(crate) fn maybe<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> Option<T> {
        self.coin().then(|| make(self))
    }

    pub(crate) fn text(&mut self) -> String {
        self.of(&[
            "",
            " ",
            "x",
            "aGVsbG8=",
            "{\"a\":1}",
            "[1,2]",
            "null",
            "é🙂\u{7}",
            "data:image/png;base64,aGk=",
            "https://x.test/i.png",
            "file:///a.pdf",
            "user",
            "assistant",
            "\n\n",
            // Bytes of a JPEG, a GIF and a PDF file, and of a PNG file of 9,000 pixels.
            "/9j/4AAQSkZJRgABAQ==",
            "R0lGODlhAQABAAAAACw=",
            "JVBERi0xLjcK",
            "iVBORw0KGgoAAAANSUhEUgAAAAIAACMo",
            // The same bytes as above in the other alphabet, with white space, and without padding.
            "_9j_4AAQSkZJRgABAQ==",
            "aGVs\nbG8=",
            "aGVsbG8",
            "aGVsbG8=aGVsbG8=",
            "data:image/jpg;base64,aGVs bG8",
            "data:image/svg+xml,<svg/>",
            "https://x.test/Q3%20report_%E2%9C%93.pdf",
            "21.0",
        ])
        .to_owned()
    }

    pub(crate) fn mime_type(&mut self) -> String {
        const TYPES: &str = "image/png,image/svg+xml,audio/wav,text/plain,application/pdf,,x,image/jpg,IMAGE/PNG,\
            image/gif; q=1,image/webp,audio/mp3,text/csv,application/json,application/zip,\
            application/octet-stream,application/msword,video/mp4";
        let types: Vec<&str> = TYPES.split(',').collect();
        self.of(&types).to_owned()
    }

    /// Any JSON, with the members of results in it.
    pub(crate) fn json(&mut self, depth: usize) -> Value {
        match self.below(if depth == 0 { 6 } else { 9 }) {
            0 => Value::Null,
            1 => json!(self.coin()),
            2 => json!(self.next()),
            3 => json!(0.7),
            4 => json!(self.text()),
            5 => json!(self.word(KINDS)),
            6 => (0..self.below(4)).map(|_| self.json(depth - 1)).collect(),
            _ => {
                let mut object = Object::new();
                for _ in 0..self.below(6) {
                    let name = self.word(NAMES).to_owned();
                    object.insert(name, self.json(depth - 1));
                }
                Value::Object(object)
            }
        }
    }

    /// JSON that looks like a result.
    pub(crate) fn result_json(&mut self) -> Value {
        let mut object = Object::new();
        let content = (0..self.below(4)).map(|_| {
            let mut block = self.json(2);
            if let Value::Object(block) = &mut block {
                let kind = self.word(KINDS);
                block.insert("type".to_owned(), kind.into());
                block.insert("text".to_owned(), self.text().into());
                if self.coin() {
                    block.insert("data".to_owned(), self.text().into());
                    block.insert("mimeType".to_owned(), self.mime_type().into());
                    block.insert("uri".to_owned(), self.text().into());
                    block.insert("name".to_owned(), self.text().into());
                }
            }
            block
        });
        object.insert("content".to_owned(), content.collect());
        for name in ["structuredContent", "_meta", "zeta"] {
            if self.coin() {
                object.insert(name.to_owned(), self.json(2));
            }
        }
        if self.coin() {
            object.insert("isError".to_owned(), self.coin().into());
        }
        Value::Object(object)
    }

    pub(crate) fn object(&mut self) -> Object {
        json!({"k": self.below(9)}).as_object().unwrap().clone()
    }

    pub(crate) fn annotations(&mut self) -> Annotations {
        let mut annotations = Annotations::default();
        annotations.audience = self.maybe(|it| vec![it.of(&[Role::User, Role::Assistant])]);
        annotations.priority = self.maybe(|_| 1.into());
        annotations.last_modified = self.maybe(Self::text);
        annotations
    }

    pub(crate) fn bare_block(&mut self) -> ContentBlock {
        match self.below(5) {
            0 => ContentBlock::text(self.text()),
            1 => ContentBlock::image_base64(self.text(), self.mime_type()),
            2 => ContentBlock::audio_base64(self.text(), self.mime_type()),
            3 => {
                let mut link = ResourceLink::new(self.text(), self.text());
                link.title = self.maybe(Self::text);
                link.description = self.maybe(Self::text);
                link.mime_type = self.maybe(Self::mime_type);
                link.size = self.maybe(Self::next);
                link.icons = self.maybe(|_| vec![json!({"src": "https://x.test/i.png"})]);
                link.into()
            }
            _ => {
                let mut contents = ResourceContents::default();
                contents.uri = self.text();
                contents.mime_type = self.maybe(Self::mime_type);
                contents.text = self.maybe(Self::text);
                contents.blob = self.maybe(Self::text);
                contents.meta = self.maybe(Self::object);
                ContentBlock::resource(contents)
            }
        }
    }

    pub(crate) fn block(&mut self) -> ContentBlock {
        let mut block = self.bare_block();
        if let Some(annotations) = self.maybe(Self::annotations) {
            block = block.with_annotations(annotations);
        }
        match self.maybe(Self::object) {
            Some(meta) => block.with_meta(meta),
            None => block,
        }
    }
}

#[test]
fn a_seed_makes_the_same_input_everywhere() {
    assert_eq!(Random(7).next(), 0x63CB_E1E4_5932_0DD7);
}
