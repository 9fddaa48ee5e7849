//! Medians, spreads and Markdown tables.

/// Some figures of the same kind; at least one, or everything is shown as `–`.
#[derive(Clone, Debug, Default)]
pub(super) struct Figures(Vec<f64>);

impl Figures {
    pub(super) fn median(&self) -> Option<f64> {
        let middle = self.0.len() / 2;
        let upper = *self.0.get(middle)?;
        if self.0.len() % 2 == 1 {
            return Some(upper);
        }
        let lower = *self.0.get(middle.checked_sub(1)?)?;
        Some(f64::midpoint(lower, upper))
    }

    /// The median in as few digits as tell it apart.
    pub(super) fn shown(&self) -> String {
        self.median().map_or_else(|| "–".to_owned(), shown)
    }

    /// The median and, when they differ, the smallest and the largest.
    pub(super) fn spread(&self) -> String {
        match self.0.as_slice() {
            [first, .., last] if first < last => {
                format!("{} [{}–{}]", self.shown(), shown(*first), shown(*last))
            }
            _ => self.shown(),
        }
    }
}

impl FromIterator<f64> for Figures {
    fn from_iter<T: IntoIterator<Item = f64>>(figures: T) -> Self {
        let mut figures: Vec<f64> = figures.into_iter().collect();
        figures.sort_by(f64::total_cmp);
        Self(figures)
    }
}

fn shown(figure: f64) -> String {
    match figure.abs() {
        size if size >= 100.0 => format!("{figure:.0}"),
        size if size >= 10.0 => format!("{figure:.1}"),
        size if size >= 1.0 => format!("{figure:.2}"),
        _ => format!("{figure:.3}"),
    }
}

/// A Markdown table.
#[derive(Debug)]
pub(crate) struct Table {
    text: String,
}

impl Table {
    pub(crate) fn new(title: &str, columns: &[&str]) -> Self {
        let head = columns.join(" | ");
        let rule = vec!["---"; columns.len()].join(" | ");
        Self {
            text: format!("## {title}\n\n| {head} |\n| {rule} |\n"),
        }
    }

    pub(crate) fn row(&mut self, cells: &[String]) {
        self.text.push_str(&format!("| {} |\n", cells.join(" | ")));
    }

    pub(crate) fn finish(self) -> String {
        self.text
    }
}

#[cfg(test)]
mod tests {
    use crate::bench::figures::{Figures, Table};

    fn check(figures: &[f64], median: &str, spread: &str) {
        let figures: Figures = figures.iter().copied().collect();
        assert_eq!(figures.shown(), median);
        assert_eq!(figures.spread(), spread);
    }

    #[test]
    fn the_median_is_shown_with_its_spread() {
        check(&[], "–", "–");
        check(&[0.5], "0.500", "0.500");
        check(&[1.0, 1.0], "1.00", "1.00");
        check(&[300.0, 100.0, 250.4], "250", "250 [100–300]");
        check(&[4.0, 1.0, 2.0, 12.34], "3.00", "3.00 [1.00–12.3]");
    }

    #[test]
    fn a_table_is_markdown() {
        let mut table = Table::new("Start-up", &["server", "ms"]);
        table.row(&["a".to_owned(), "7".to_owned()]);
        assert_eq!(
            table.finish(),
            "## Start-up\n\n| server | ms |\n| --- | --- |\n| a | 7 |\n"
        );
    }
}
