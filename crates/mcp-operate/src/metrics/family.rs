//! Metrics with their values, encoded by prometheus-client.

use std::{
    fmt,
    hash::{Hash, Hasher},
    sync::Arc,
};

use prometheus_client::{
    collector::Collector,
    encoding::{
        DescriptorEncoder, EncodeLabel, EncodeLabelSet, EncodeMetric, LabelSetEncoder,
        prometheus_text,
    },
    metrics::{
        MetricType,
        counter::{ConstCounter, Counter},
        family::Family,
        gauge::ConstGauge,
        histogram::Histogram,
    },
    registry::Registry,
};

use super::{BUCKETS, LabeledSamples};

/// The ending of the names of counters, which prometheus-client adds itself.
const TOTAL: &str = "_total";

/// Counters by labels.
pub(super) type Counters = Family<Labels, Counter>;
/// Histograms by labels.
pub(super) type Histograms = Family<Labels, Histogram, fn() -> Histogram>;

/// The labels of a time series: names that all of a metric share, and values.
#[derive(Debug, Clone)]
pub(super) struct Labels {
    names: Arc<[String]>,
    values: Vec<String>,
}

/// A metric as it is now.
#[derive(Debug, Clone)]
pub(super) struct Gathered {
    pub(super) name: String,
    pub(super) help: String,
    pub(super) values: Values,
}

/// The values of a metric.
#[derive(Debug, Clone)]
pub(super) enum Values {
    /// Read when someone looks, one for each value of the label.
    Read {
        is_counter: bool,
        label: Option<&'static str>,
        samples: LabeledSamples,
    },
    Counters(Counters),
    Histograms(Histograms),
}

impl Labels {
    pub(super) fn new(names: &Arc<[String]>, values: &[&str]) -> Self {
        Self {
            names: Arc::clone(names),
            values: values.iter().map(|it| (*it).to_owned()).collect(),
        }
    }
}

impl PartialEq for Labels {
    fn eq(&self, other: &Self) -> bool {
        self.values == other.values
    }
}

impl Eq for Labels {}

impl Hash for Labels {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.values.hash(state);
    }
}

impl EncodeLabelSet for Labels {
    fn encode(&self, encoder: &mut LabelSetEncoder<'_>) -> fmt::Result {
        let mut labels: Vec<_> = self.names.iter().zip(&self.values).collect();
        labels.sort();
        labels.iter().try_for_each(|(name, value)| {
            (name.as_str(), value.as_str()).encode(encoder.encode_label())
        })
    }
}

/// Returns an empty family of histograms with the buckets of this crate.
pub(super) fn histograms() -> Histograms {
    Family::new_with_constructor(|| Histogram::new(BUCKETS))
}

impl Gathered {
    /// Whether the name can be one in the text format, and ends in `_total` if and only if the metric is a counter.
    pub(super) fn is_valid(&self) -> bool {
        let is_counter = match &self.values {
            Values::Read { is_counter, .. } => *is_counter,
            Values::Counters(_) => true,
            Values::Histograms(_) => false,
        };
        let allowed = |it: char| it.is_ascii_alphanumeric() || "_:".contains(it);
        let begins_well = !self.name.starts_with(|it: char| it.is_ascii_digit());
        !self.name.is_empty()
            && self.name.chars().all(allowed)
            && begins_well
            && is_counter == self.name.ends_with(TOTAL)
    }

    fn encode(&self, encoder: &mut DescriptorEncoder<'_>) -> fmt::Result {
        let kind = match &self.values {
            Values::Read {
                is_counter: true, ..
            }
            | Values::Counters(_) => MetricType::Counter,
            Values::Read { .. } => MetricType::Gauge,
            Values::Histograms(_) => MetricType::Histogram,
        };
        let name = self.name.strip_suffix(TOTAL).unwrap_or(&self.name);
        let mut encoder = encoder.encode_descriptor(name, &self.help, None, kind)?;
        match &self.values {
            Values::Counters(family) => family.encode(encoder),
            Values::Histograms(family) => family.encode(encoder),
            Values::Read {
                is_counter,
                label,
                samples,
            } => {
                for (value, number) in samples {
                    let labels = label.map(|it| (it, value.as_str()));
                    let labels: Vec<_> = labels.into_iter().collect();
                    let one = encoder.encode_family(&labels)?;
                    match is_counter {
                        true => ConstCounter::new(*number).encode(one)?,
                        false => ConstGauge::new(gauge(*number)).encode(one)?,
                    }
                }
                Ok(())
            }
        }
    }
}

/// The value of a gauge, which has a sign.
fn gauge(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// Writes metrics in the text format of Prometheus, sorted by their names.
pub(super) fn text(mut metrics: Vec<Gathered>) -> Result<String, fmt::Error> {
    metrics.sort_by(|a, b| a.name.cmp(&b.name));
    let mut registry = Registry::default();
    registry.register_collector(Box::new(All(metrics)));
    let mut text = String::new();
    prometheus_text::encode(&mut text, &registry)?;
    Ok(text)
}

#[derive(Debug)]
struct All(Vec<Gathered>);

impl Collector for All {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|it| it.encode(&mut encoder))
    }
}
