//! A figure as one row of a table: its name, what it is, and how it is read when someone looks.

use std::fmt;

use prometheus::{IntCounter, IntCounterVec, IntGauge, IntGaugeVec, Opts, Registry};

/// The values of a figure that has a label: one for each of its values, which no client may invent.
pub type Reading = Vec<(String, u64)>;

/// A figure that is read from a `T` when someone looks.
#[must_use]
pub struct Figure<T> {
    name: &'static str,
    help: &'static str,
    kind: Kind<T>,
}

enum Kind<T> {
    Counter(fn(&T) -> u64),
    Gauge(fn(&T) -> u64),
    Gauges(&'static str, fn(&T) -> Reading),
    Counters(&'static str, fn(&T) -> Reading),
}

impl<T> Figure<T> {
    /// What rises and falls.
    pub const fn gauge(name: &'static str, help: &'static str, read: fn(&T) -> u64) -> Self {
        let kind = Kind::Gauge(read);
        Self { name, help, kind }
    }

    /// What only rises.
    pub const fn counter(name: &'static str, help: &'static str, read: fn(&T) -> u64) -> Self {
        let kind = Kind::Counter(read);
        Self { name, help, kind }
    }

    /// What rises and falls, by the values of a label.
    pub const fn gauges(
        name: &'static str,
        help: &'static str,
        label: &'static str,
        read: fn(&T) -> Reading,
    ) -> Self {
        let kind = Kind::Gauges(label, read);
        Self { name, help, kind }
    }

    /// What only rises, by the values of a label.
    pub const fn counters(
        name: &'static str,
        help: &'static str,
        label: &'static str,
        read: fn(&T) -> Reading,
    ) -> Self {
        let kind = Kind::Counters(label, read);
        Self { name, help, kind }
    }

    /// Adds it, as it is now.
    pub(super) fn read(&self, prefix: &str, from: &T, to: &Registry) -> prometheus::Result<()> {
        let options = Opts::new(format!("{prefix}{}", self.name), self.help);
        let number = |value| i64::try_from(value).unwrap_or(i64::MAX);
        match self.kind {
            Kind::Counter(read) => {
                let counter = IntCounter::with_opts(options)?;
                counter.inc_by(read(from));
                to.register(Box::new(counter))
            }
            Kind::Gauge(read) => {
                let gauge = IntGauge::with_opts(options)?;
                gauge.set(number(read(from)));
                to.register(Box::new(gauge))
            }
            Kind::Gauges(label, read) => {
                let gauges = IntGaugeVec::new(options, &[label])?;
                for (value, figure) in read(from) {
                    gauges.with_label_values(&[value]).set(number(figure));
                }
                to.register(Box::new(gauges))
            }
            Kind::Counters(label, read) => {
                let counters = IntCounterVec::new(options, &[label])?;
                for (value, figure) in read(from) {
                    counters.with_label_values(&[value]).inc_by(figure);
                }
                to.register(Box::new(counters))
            }
        }
    }
}

impl<T> fmt::Debug for Figure<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Figure").field(&self.name).finish()
    }
}
