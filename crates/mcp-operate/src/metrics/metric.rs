//! A metric as one row of a table: its name, its description, and a function that reads its value.

use super::family::{Gathered, Values};

/// The values of a metric by label value. Clients must not be able to create label values.
pub type LabeledSamples = Vec<(String, u64)>;

/// A metric whose value is read from a `T` at each scrape.
#[derive(Debug)]
#[must_use]
pub struct MetricDefinition<T> {
    name: &'static str,
    help: &'static str,
    /// Whether it only rises.
    is_counter: bool,
    read: Read<T>,
}

#[derive(Debug)]
enum Read<T> {
    One(fn(&T) -> u64),
    /// By the values of this label.
    Each(&'static str, fn(&T) -> LabeledSamples),
}

impl<T> MetricDefinition<T> {
    /// Creates a gauge, a value that rises and falls.
    pub const fn observable_gauge(
        name: &'static str,
        help: &'static str,
        read: fn(&T) -> u64,
    ) -> Self {
        Self::new(name, help, false, Read::One(read))
    }

    /// Creates a counter, a value that only rises.
    pub const fn observable_counter(
        name: &'static str,
        help: &'static str,
        read: fn(&T) -> u64,
    ) -> Self {
        Self::new(name, help, true, Read::One(read))
    }

    /// Creates a gauge for each value of a label.
    pub const fn observable_gauges(
        name: &'static str,
        help: &'static str,
        label: &'static str,
        read: fn(&T) -> LabeledSamples,
    ) -> Self {
        Self::new(name, help, false, Read::Each(label, read))
    }

    /// Creates a counter for each value of a label.
    pub const fn observable_counters(
        name: &'static str,
        help: &'static str,
        label: &'static str,
        read: fn(&T) -> LabeledSamples,
    ) -> Self {
        Self::new(name, help, true, Read::Each(label, read))
    }

    const fn new(name: &'static str, help: &'static str, is_counter: bool, read: Read<T>) -> Self {
        Self {
            name,
            help,
            is_counter,
            read,
        }
    }

    /// Returns the metric as it is now.
    pub(super) fn gather(&self, prefix: &str, from: &T) -> Gathered {
        let (label, mut samples) = match self.read {
            Read::One(read) => (None, vec![(String::new(), read(from))]),
            Read::Each(label, read) => (Some(label), read(from)),
        };
        samples.sort();
        Gathered {
            name: format!("{prefix}{}", self.name),
            help: self.help.to_owned(),
            values: Values::Read {
                is_counter: self.is_counter,
                label,
                samples,
            },
        }
    }
}
