//! Ratings of apps and websites, which are polls named `app-library-SERVICE-rating-NAME`.
//!
//! The one who opens such a poll casts no vote in it: the rating is the option `initialValue-n`, and programs count it as one
//! further rating of n (Qortal/Qortal-Hub c93f78a2, `calculateRating` in src/hooks/useAppRatings.tsx; the poll is made in
//! src/components/Apps/AppRating.tsx).

/// The beginning of the names of rating polls.
const POLL: &str = "app-library-";

/// The middle of the names of rating polls.
const RATING: &str = "-rating-";

/// The option with the rating of the one who opened the poll.
const INITIAL: &str = "initialValue-";

/// The most stars.
const MOST_STARS: usize = 5;

/// The subject of a rating poll.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rated<'a> {
    /// The service: `APP` or `WEBSITE`.
    pub service: &'a str,
    /// The name of the app or website.
    pub name: &'a str,
}

impl<'a> Rated<'a> {
    /// Reads the name of a poll.
    #[must_use]
    pub fn of_poll(name: &'a str) -> Option<Self> {
        let (service, name) = name.strip_prefix(POLL)?.split_once(RATING)?;
        let is_service = matches!(service, "APP" | "WEBSITE");
        (is_service && !name.is_empty()).then_some(Self { service, name })
    }
}

/// Returns the rating that an option stands for, if it is that of the one who opened the poll.
#[must_use]
pub fn initial_value(option: &str) -> Option<u8> {
    stars(option.strip_prefix(INITIAL)?)
}

/// Returns the number of stars that an option is.
fn stars(option: &str) -> Option<u8> {
    let stars = option.trim().parse::<u8>().ok()?;
    (1..=MOST_STARS).contains(&stars.into()).then_some(stars)
}

/// The ratings of one app or website.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Ratings {
    /// How many gave each number of stars, from one to five.
    counts: [u64; MOST_STARS],
    /// The rating by the opener of the poll, counted above.
    initial: Option<u8>,
}

impl Ratings {
    /// Counts the votes of a poll. Only options with a number of stars count.
    #[must_use]
    pub fn of_votes<'a>(votes: impl IntoIterator<Item = (&'a str, u64)>) -> Self {
        let mut ratings = Self::default();
        for (option, votes) in votes {
            // The Core accepts votes for this option. Programs count it once whatever they are.
            if let Some(initial) = initial_value(option) {
                if ratings.initial.is_none() {
                    ratings.initial = Some(initial);
                    ratings.add(initial, 1);
                }
            } else if let Some(stars) = stars(option) {
                ratings.add(stars, votes);
            }
        }
        ratings
    }

    fn add(&mut self, stars: u8, ratings: u64) {
        let count = usize::from(stars).checked_sub(1);
        if let Some(count) = count.and_then(|at| self.counts.get_mut(at)) {
            *count = count.saturating_add(ratings);
        }
    }

    /// Returns each number of stars, from one, and how many gave it.
    pub fn counts(&self) -> impl Iterator<Item = (u64, u64)> {
        (1..).zip(self.counts)
    }

    /// Returns the rating by the opener of the poll.
    #[must_use]
    pub fn initial(&self) -> Option<u8> {
        self.initial
    }

    /// Returns the number of ratings.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.counts
            .iter()
            .fold(0, |sum, count| sum.saturating_add(*count))
    }

    /// Returns the mean in hundredths of a star, rounded half up. Returns `None` without ratings.
    #[must_use]
    pub fn average_hundredths(&self) -> Option<u64> {
        let total = self.total();
        let points = self.counts().fold(0_u64, |sum, (stars, count)| {
            sum.saturating_add(stars.saturating_mul(count))
        });
        points
            .saturating_mul(200)
            .saturating_add(total)
            .checked_div(total.saturating_mul(2))
    }
}

#[cfg(test)]
mod tests {
    use super::{Rated, Ratings};

    /// The figures of `calculateRating`: the first two rows are those of Qortal/Qortal-Hub c93f78a2,
    /// src/hooks/__tests__/useAppRatings.test.ts.
    #[test]
    fn ratings_count_initial_value_as_one_more() {
        let votes = |votes: [u64; 5]| {
            let options = ["1", "2", "3", "4", "5"];
            options.into_iter().zip(votes).collect::<Vec<_>>()
        };
        for (initial, votes, total, average) in [
            ("initialValue-3", vec![], 1, Some(300)),
            ("initialValue-1", votes([2, 3, 3, 3, 15]), 27, Some(389)),
            ("initialValue-5", votes([0; 5]), 1, Some(500)),
            ("initialValue-9", votes([0; 5]), 0, None),
            ("initialValue-", votes([0, 0, 0, 0, 1]), 1, Some(500)),
        ] {
            let votes = votes.into_iter().chain([(initial, 7)]);
            let ratings = Ratings::of_votes(votes);
            let found = (ratings.total(), ratings.average_hundredths());
            assert_eq!(found, (total, average), "{initial}");
        }
    }

    #[test]
    fn name_of_rating_poll_yields_its_app() {
        let rated = Rated::of_poll("app-library-APP-rating-Q-Tube");
        let expected = Rated {
            service: "APP",
            name: "Q-Tube",
        };
        assert_eq!(rated, Some(expected));
        for name in [
            "app-library-APP-rating-",
            "app-library-x-rating-y",
            "Best coin",
        ] {
            assert_eq!(Rated::of_poll(name), None, "{name}");
        }
    }
}
