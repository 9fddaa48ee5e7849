//! The polls of the demo, and the ratings of its apps, which are polls as well.

use serde_json::{Value, json};

use super::Demo;
use super::draw::{Kind, number, wide};
use super::ledger::Ledger;
use super::people::{ALICE, BOB, NELL, OTHERS, RITA, TRENT, VICTOR, Who, named, person};
use super::time::{DAY, MINUTE};

struct Poll {
    name: &'static str,
    owner: Who,
    days: i64,
    description: &'static str,
    options: &'static [&'static str],
    /// How many voted.
    votes: usize,
}

const STARS: &[&str] = &["1", "2", "3", "4", "5"];

static POLLS: [Poll; 16] = [
    poll(
        "Favourite colour",
        ALICE,
        60,
        "Which color do you like best?",
        &["Red", "Green", "Blue"],
        38,
    ),
    poll(
        "Budget 2026/27",
        BOB,
        45,
        "Shall the lounge buy a teapot?",
        &["Accept", "Reject"],
        29,
    ),
    poll(
        "Umfrage für Käufer?",
        RITA,
        2,
        "no votes yet",
        &["Ja", "Nein"],
        0,
    ),
    poll(
        "Lounge hours",
        TRENT,
        30,
        "When should the weekly chat begin?",
        &["18:00 UTC", "20:00 UTC", "22:00 UTC"],
        24,
    ),
    poll(
        "Name of the mascot",
        NELL,
        21,
        "The otter needs a name",
        &["Pebble", "Marzipan", "Dot", "Biscuit"],
        41,
    ),
    poll(
        "Next coin to teach",
        RITA,
        12,
        "Which coin should the trading guide explain next?",
        &["BTC", "LTC", "DOGE", "DGB", "RVN", "ARRR"],
        33,
    ),
    poll(
        "Tea or coffee",
        OTHERS.start,
        5,
        "The oldest question",
        &["Tea", "Coffee", "Both"],
        27,
    ),
    poll(
        "Picnic in the park",
        OTHERS.start + 1,
        1,
        "Sandwiches or soup?",
        &["Sandwiches", "Soup"],
        9,
    ),
    poll(
        "app-library-APP-rating-Q-Demo",
        VICTOR,
        90,
        "rating",
        STARS,
        31,
    ),
    poll(
        "app-library-APP-rating-harbor-radio",
        OTHERS.start,
        70,
        "rating",
        STARS,
        22,
    ),
    poll(
        "app-library-APP-rating-paper-boats",
        OTHERS.start + 1,
        66,
        "rating",
        STARS,
        17,
    ),
    poll(
        "app-library-APP-rating-moss-garden",
        OTHERS.start + 2,
        58,
        "rating",
        STARS,
        12,
    ),
    poll(
        "app-library-APP-rating-tin-robot",
        OTHERS.start + 4,
        40,
        "rating",
        STARS,
        26,
    ),
    poll(
        "app-library-APP-rating-cloud-map",
        OTHERS.start + 5,
        33,
        "rating",
        STARS,
        8,
    ),
    poll(
        "app-library-WEBSITE-rating-victor",
        VICTOR,
        85,
        "rating",
        STARS,
        19,
    ),
    poll(
        "app-library-WEBSITE-rating-rita-trades",
        RITA,
        50,
        "rating",
        STARS,
        14,
    ),
];

const fn poll(
    name: &'static str,
    owner: Who,
    days: i64,
    description: &'static str,
    options: &'static [&'static str],
    votes: usize,
) -> Poll {
    Poll {
        name,
        owner,
        days,
        description,
        options,
        votes,
    }
}

impl Poll {
    fn options(&self) -> Vec<Value> {
        let options = self.options.iter();
        options.map(|it| json!({"optionName": it})).collect()
    }

    /// Everyone's option and when it was chosen, in ms before the start.
    fn votes(&self, place: usize) -> Vec<(Who, i64, i64)> {
        let voters: Vec<Who> = named()
            .filter(|it| !it.key.is_empty())
            .map(|it| it.who)
            .collect();
        let time = self.days * DAY - 30 * MINUTE;
        let vote = |index: usize| {
            let drawn = number(Kind::Vote, wide(place * 100 + index));
            // Each takes another step through the voters, none of them twice.
            let who = voters.iter().cycle().nth(place * 7 + index).copied()?;
            let count = wide(self.options.len());
            let option = (drawn % count).max(drawn / 7 % count);
            let ago = time - time / wide(self.votes + 1) * wide(index);
            Some((who, option, ago.max(10 * MINUTE)))
        };
        (0..self.votes.min(voters.len())).filter_map(vote).collect()
    }
}

fn all() -> impl Iterator<Item = (usize, &'static Poll)> {
    POLLS.iter().enumerate()
}

pub(super) fn rows(demo: Demo) -> Vec<Value> {
    let row = |(_, poll): (usize, &Poll)| {
        json!({
            "creatorPublicKey": person(poll.owner).key,
            "description": poll.description,
            "owner": person(poll.owner).address,
            "pollName": poll.name,
            "pollOptions": poll.options(),
            "published": demo.before(poll.days * DAY),
        })
    };
    all().map(row).collect()
}

pub(super) fn votes() -> Vec<Value> {
    let rows = all().flat_map(|(place, poll)| {
        let votes = poll.votes(place).into_iter();
        votes.map(|(who, option, _)| {
            json!({
                "optionIndex": option,
                "pollName": poll.name,
                "voterPublicKey": person(who).key,
            })
        })
    });
    rows.collect()
}

pub(super) fn record(ledger: &mut Ledger) {
    for (place, poll) in all() {
        let members = json!({
            "owner": person(poll.owner).address,
            "pollName": poll.name,
            "description": poll.description,
            "pollOptions": poll.options(),
        });
        ledger.add(ledger.sent("CREATE_POLL", poll.days * DAY, poll.owner, members));
        for (who, option, ago) in poll.votes(place) {
            let members = json!({"pollName": poll.name, "optionIndex": option});
            ledger.add(ledger.sent("VOTE_ON_POLL", ago, who, members));
        }
    }
}
