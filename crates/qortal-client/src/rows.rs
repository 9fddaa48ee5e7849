//! Reading lists row by row, so that an odd row costs itself alone and memory has a bound.

use std::{cell::RefCell, fmt, marker::PhantomData};

use serde::{
    Deserialize, Deserializer,
    de::{DeserializeOwned, Error, IgnoredAny, SeqAccess, Visitor},
};
use serde_json::value::RawValue;

use crate::hollow::Content;

/// The longest lists that the Core sends, trades without a limit and accounts online, have a few ten thousand rows; invented
/// ones fit by the million into the byte limit of an answer.
pub(crate) const MOST_ROWS: usize = 50_000;

/// What could not be read of the lists of an answer.
#[derive(Debug, Default)]
pub(crate) struct LeftOut {
    /// How many rows are not what they should be.
    pub(crate) odd: usize,
    /// Why the first of those could not be read.
    pub(crate) problem: Option<serde_json::Error>,
    /// Whether a list has more than [`MOST_ROWS`].
    pub(crate) has_more: bool,
}

impl LeftOut {
    fn add(&mut self, other: Self) {
        self.odd += other.odd;
        self.problem = self.problem.take().or(other.problem);
        self.has_more |= other.has_more;
    }
}

thread_local! {
    /// What the lists that are being read leave out. Serde passes nothing from a list to the record around it.
    static LEFT_OUT: RefCell<LeftOut> = RefCell::default();
}

/// Runs `read`, and returns what the lists that it reads leave out.
pub(crate) fn counted<T>(read: impl FnOnce() -> T) -> (T, LeftOut) {
    let before = LEFT_OUT.take();
    let value = read();
    (value, LEFT_OUT.replace(before))
}

/// Reads a list in a record.
pub(crate) fn list<'de, T: DeserializeOwned, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Vec<T>, D::Error> {
    Rows::deserialize(deserializer).map(|it| it.rows)
}

/// Reads a list in a record that may be null.
pub(crate) fn list_if_any<'de, T: DeserializeOwned, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Vec<T>>, D::Error> {
    let list = Option::<Rows<T>>::deserialize(deserializer)?;
    Ok(list.map(|it| it.rows))
}

/// The rows of a list that could be read, in their order. It is no list of such rows at all if none of several could be
/// read. A single odd row proves that only where nothing can be missing from one.
#[derive(Debug)]
pub(crate) struct Rows<T> {
    pub(crate) rows: Vec<T>,
    /// The places in the list of those that were skipped, with those that are null.
    pub(crate) gaps: Vec<usize>,
}

/// Reads a JSON list. The Core writes null for a row that vanished between two of its queries; such rows are skipped.
impl<'de, T: DeserializeOwned> Deserialize<'de> for Rows<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(RowByRow(PhantomData))
    }
}

struct RowByRow<T>(PhantomData<T>);

impl<'de, T: DeserializeOwned> Visitor<'de> for RowByRow<T> {
    type Value = Rows<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        let content = Content::of::<T>();
        let (mut rows, mut left_out) = (Vec::new(), LeftOut::default());
        // An odd row counts once, whatever the lists in it leave out.
        let (mut odd, mut gaps) = (0, Vec::new());
        while let Some(row) = list.next_element::<&RawValue>()? {
            let (before, place) = (rows.len(), rows.len() + gaps.len());
            match counted(|| content.read::<Option<T>>(row.get().as_bytes())) {
                (Ok(row), within) => {
                    rows.extend(row);
                    left_out.add(within);
                }
                (Err(problem), _) => {
                    odd += 1;
                    left_out.problem.get_or_insert(problem);
                }
            }
            if rows.len() == before {
                gaps.push(place);
            }
            if rows.len() + gaps.len() == MOST_ROWS {
                break;
            }
        }
        while list.next_element::<IgnoredAny>()?.is_some() {
            left_out.has_more = true;
        }
        let is_proven = odd > 1 || odd == 1 && content != Content::Required;
        if let Some(problem) = left_out.problem.take_if(|_| rows.is_empty() && is_proven) {
            return Err(A::Error::custom(problem));
        }
        left_out.odd += odd;
        LEFT_OUT.with_borrow_mut(|it| it.add(left_out));
        Ok(Rows { rows, gaps })
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;
    use serde_json::Value;

    use super::{LeftOut, MOST_ROWS, Rows, counted, list, list_if_any};

    fn read<T: serde::de::DeserializeOwned>(text: &str) -> (serde_json::Result<Vec<T>>, LeftOut) {
        let (rows, left_out) = counted(|| serde_json::from_str::<Rows<T>>(text));
        (rows.map(|it| it.rows), left_out)
    }

    fn check(text: &str, expected: &[u8], odd: usize) {
        let (rows, left_out) = read::<u8>(text);
        assert_eq!(
            (rows.unwrap().as_slice(), left_out.odd),
            (expected, odd),
            "{text}"
        );
        assert_eq!(left_out.problem.is_some(), odd > 0, "{text}");
        assert!(!left_out.has_more);
    }

    #[test]
    fn an_odd_row_costs_itself_alone() {
        check("[]", &[], 0);
        check("[1, 2]", &[1, 2], 0);
        check("[1, null, 2]", &[1, 2], 0);
        check(r#"[1, "x", {"y": [2]}, 3, 256]"#, &[1, 3], 3);
        check("[\"x\"]", &[], 1);
    }

    #[test]
    fn the_places_of_skipped_rows_are_known() {
        for (text, gaps) in [
            ("[]", vec![]),
            ("[1, 2]", vec![]),
            ("[null, 1, \"x\", 2, 256]", vec![0, 2, 4]),
            ("[null, null]", vec![0, 1]),
        ] {
            let rows: Rows<u8> = serde_json::from_str(text).unwrap();
            assert_eq!(rows.gaps, gaps, "{text}");
        }
    }

    #[test]
    fn an_empty_object_is_odd_whatever_is_read() {
        let (rows, left_out) = read::<Value>("[{}, {\"a\": {}}, { }]");
        assert_eq!((rows.unwrap().len(), left_out.odd), (1, 2));
    }

    #[test]
    fn what_is_no_list_is_not_read() {
        for text in ["{}", "null", "\"[]\"", "[1", "[1, ]", "[1, {\"x]", "7"] {
            read::<u8>(text).0.unwrap_err();
        }
    }

    #[test]
    fn rows_have_a_bound() {
        for (more, expected) in [(MOST_ROWS - 1, false), (MOST_ROWS, true)] {
            let (rows, left_out) = read::<u8>(&format!("[1{}]", ",1".repeat(more)));
            assert_eq!(
                (rows.unwrap().len(), left_out.has_more),
                (MOST_ROWS, expected)
            );
        }
    }

    #[test]
    fn rows_that_cannot_be_read_count_as_well() {
        let (rows, left_out) = read::<u8>(&format!("[1{}, 2]", ",{}".repeat(MOST_ROWS)));
        assert_eq!(rows.unwrap(), [1]);
        assert_eq!((left_out.odd, left_out.has_more), (MOST_ROWS - 1, true));
    }

    #[derive(Debug, PartialEq, Deserialize)]
    struct Loose {
        name: Option<String>,
    }

    #[test]
    fn a_list_without_a_readable_row_is_no_list_of_such_rows() {
        for text in ["[\"x\", 1000]", "[{}, {}]"] {
            read::<u8>(text).0.unwrap_err();
        }
        // Nothing can be missing from such a row.
        for text in ["[{}]", "[{\"name\": 1}]", "[{\"title\": \"x\"}]"] {
            read::<Loose>(text).0.unwrap_err();
        }
        assert!(read::<Loose>("[null]").0.unwrap().is_empty());
    }

    #[derive(Debug, Deserialize)]
    struct Record {
        id: u8,
        #[serde(default, deserialize_with = "list")]
        names: Vec<String>,
        #[serde(default, deserialize_with = "list_if_any")]
        notes: Option<Vec<String>>,
    }

    #[test]
    fn an_odd_row_in_a_record_costs_itself_alone() {
        let text = r#"[{"id": 1, "names": ["a", 2, "b"], "notes": [3]}, {"id": 2, "notes": null}]"#;
        let (records, left_out) = read::<Record>(text);
        let records = records.unwrap();
        assert_eq!((records.len(), left_out.odd), (2, 2));
        assert_eq!(
            (records[0].id, records[0].names.as_slice()),
            (1, &["a".to_owned(), "b".to_owned()][..])
        );
        assert_eq!(records[0].notes.as_deref(), Some(&[][..]));
        assert_eq!(records[1].notes, None);
    }

    #[test]
    fn an_odd_record_counts_once() {
        let text = r#"[{"id": 300, "names": ["a", 2, 3]}, {"id": 1, "names": [1, 2]}, {"id": 1}]"#;
        let (records, left_out) = read::<Record>(text);
        assert_eq!((records.unwrap().len(), left_out.odd), (1, 2));
    }
}
