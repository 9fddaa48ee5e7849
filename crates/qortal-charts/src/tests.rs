//! Charts of many sizes: their SVG is pinned, and no text leaves the canvas or overlaps other text.

use super::{
    canvas::{Anchor, HEIGHT, Shape, Text, WIDTH},
    font::width,
    moments::DAY,
    *,
};

/// 2026-11-21 00:00 UTC.
const NOW: i64 = 1_795_219_200_000;

/// Returns pseudo-random numbers that are the same each time (xorshift).
struct Chance(u64);

impl Chance {
    fn below(&mut self, limit: i64) -> i64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        i64::try_from(self.0 >> 1).unwrap_or(0) % limit
    }
}

fn candles(count: i64, length: i64, trades: u32, scale: i64) -> Vec<Candle> {
    let mut chance = Chance(88_172_645_463_325_252);
    let mut price = 10_800;
    let candles = (0..count).map(|place| {
        let open = price;
        let close = (open + chance.below(400) - 195).max(50);
        price = close;
        Candle {
            start: NOW - (count - 1 - place) * length,
            open: open * scale,
            high: (open.max(close) + chance.below(90)) * scale,
            low: (open.min(close) - chance.below(90)).max(1) * scale,
            close: close * scale,
            volume: chance.below(90_000_000_000),
            trades,
        }
    });
    candles.collect()
}

fn prices(count: i64, interval: (&str, i64), trades: u32, scale: i64, theme: Theme) -> Canvas {
    let candles = candles(count, interval.1, trades, scale);
    let prices = Prices {
        pair: "QORT / LTC",
        unit: "LTC for one QORT",
        interval,
        candles: &candles,
    };
    prices.draw(theme)
}

fn depth(count: i64, theme: Theme) -> Canvas {
    let mut chance = Chance(7);
    let mut price = 10_800;
    let offers = (0..count).map(|_| {
        price += chance.below(260) + 1;
        let qort = chance.below(40_000_000_000);
        let online = if chance.below(3) == 0 { qort } else { 0 };
        Offer {
            price,
            qort,
            online,
        }
    });
    let offers: Vec<Offer> = offers.collect();
    let depth = Depth {
        symbol: "LTC",
        offers: &offers,
    };
    depth.draw(theme)
}

fn changes(count: i64, theme: Theme) -> Canvas {
    changes_of(count, 123_456_789_012, theme)
}

fn changes_of(count: i64, balance: i64, theme: Theme) -> Canvas {
    let mut chance = Chance(11);
    let changes = (0..count).map(|place| {
        let amount = chance.below(12_000_000_000);
        let is_received = chance.below(3) == 0;
        BalanceChange {
            at: NOW - (count - 1 - place) * DAY,
            received: if is_received { amount } else { 0 },
            spent: if is_received { 0 } else { amount / 2 },
        }
    });
    let changes: Vec<BalanceChange> = changes.collect();
    let changes = BalanceFlow {
        title: "QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9v",
        balance,
        changes: &changes,
    };
    changes.draw(theme)
}

fn levels(counts: &[(u32, u32)], theme: Theme) -> Canvas {
    let levels = Levels {
        title: "Online minters by level",
        counts,
    };
    levels.draw(theme)
}

/// Returns the progress of an account that mints, or of one that cannot.
fn progress(level: u32, next: Option<Step>, obstacles: usize, theme: Theme) -> Canvas {
    let facts = [
        ("Blocks to go", "114,400".to_owned()),
        ("Time to go", "79 d 10 h".to_owned()),
        ("Expected", day(NOW + 79 * DAY)),
        ("Blocks minted", "189,255".to_owned()),
        ("QORT a day, about", "4.68".to_owned()),
        ("Obstacles", "none known".to_owned()),
    ];
    let sentences = [
        "The account has never appeared on the chain.",
        "It is not in group 694, whose members alone may mint on the main network.",
        "It has no minting key: no reward share with itself is on the chain.",
        "A penalty of 5000000 blocks keeps it from minting, as it is a founder.",
    ];
    let sentences: Vec<String> = sentences.iter().map(|it| (*it).to_owned()).collect();
    let progress = Progress {
        title: "QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9v",
        level,
        next,
        facts: if obstacles == 0 { &facts } else { &facts[..3] },
        obstacles: &sentences[sentences.len() - obstacles..],
    };
    progress.draw(theme)
}

const HALF_WAY: Step = Step {
    from: 201_600,
    counted: 260_000,
    needed: 374_400,
};
const COUNTS: [(u32, u32); 9] = [
    (0, 3),
    (1, 1_260),
    (2, 121),
    (3, 88),
    (4, 54),
    (5, 140),
    (6, 33),
    (7, 12),
    (10, 3),
];
const HOUR: (&str, i64) = ("hour", 3_600_000);
const BY_DAY: (&str, i64) = ("day", DAY);
const WEEK: (&str, i64) = ("week", 7 * DAY);

#[test]
fn drawings_are_as_pinned() {
    let drawings = [
        ("price_candles", prices(30, BY_DAY, 5, 1, Theme::Light)),
        ("price_two_candles", prices(2, WEEK, 5, 1, Theme::Dark)),
        ("price_line", prices(30, HOUR, 1, 1, Theme::Dark)),
        ("depth", depth(30, Theme::Light)),
        ("depth_one", depth(1, Theme::Dark)),
        ("changes", changes(30, Theme::Light)),
        ("levels", levels(&COUNTS, Theme::Light)),
        ("progress", progress(3, Some(HALF_WAY), 0, Theme::Light)),
        ("progress_at_the_end", progress(10, None, 0, Theme::Dark)),
        (
            "progress_kept_back",
            progress(3, Some(HALF_WAY), 2, Theme::Light),
        ),
    ];
    let sections = drawings.map(|(name, canvas)| format!("=== {name}\n{}", canvas.svg()));
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../snapshots");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!("drawings", sections.join("\n\n")));
}

/// Returns the left, right, top and bottom of a text.
fn extent(it: &Text) -> (f64, f64, f64, f64) {
    let width = width(&it.text, it.size, it.weight);
    let (x, y) = it.at;
    let left = match it.anchor {
        Anchor::Start => x,
        Anchor::Middle => x - width / 2.0,
        Anchor::End => x - width,
    };
    (left, left + width, y - it.size * 0.75, y + it.size * 0.05)
}

fn check(name: &str, canvas: &Canvas) {
    let texts: Vec<&Text> = canvas
        .shapes
        .iter()
        .filter_map(|it| match it {
            Shape::Text(text) => Some(text),
            Shape::Rectangle { .. } | Shape::Polygon { .. } | Shape::Line { .. } => None,
        })
        .collect();
    assert!(texts.len() > 4, "{name}");
    for (place, text) in texts.iter().enumerate() {
        let (left, right, top, bottom) = extent(text);
        let is_inside = left >= 0.0 && right <= WIDTH && top >= 0.0 && bottom <= HEIGHT;
        assert!(is_inside, "{name}: {text:?}");
        for other in texts.iter().skip(place + 1) {
            let (from, to, above, below) = extent(other);
            let is_apart = right <= from || to <= left || bottom <= above || below <= top;
            assert!(is_apart, "{name}: {text:?} and {other:?}");
        }
    }
    assert!(!canvas.description().is_empty(), "{name}");
}

#[test]
fn texts_are_apart_and_inside_at_every_size() {
    for theme in [Theme::Light, Theme::Dark] {
        for count in [1, 2, 30, 200] {
            for interval in [HOUR, BY_DAY, WEEK] {
                for (trades, scale) in [(1, 1), (5, 1), (5, 1_000_000)] {
                    let canvas = prices(count, interval, trades, scale, theme);
                    check(&format!("{count} {interval:?} {scale}"), &canvas);
                }
            }
            check(&format!("depth {count}"), &depth(count, theme));
            let canvas = changes(count, theme);
            check(&format!("changes {count}"), &canvas);
            assert!(!canvas.svg().contains('…'), "{count}");
        }
        check("levels", &levels(&COUNTS, theme));
        check("one minter", &levels(&[(5, 1)], theme));
        check("no minters", &levels(&[], theme));
        for level in 0..=10 {
            check("progress", &progress(level, Some(HALF_WAY), 0, theme));
        }
        for obstacles in 1..=4 {
            let canvas = progress(0, Some(HALF_WAY), obstacles, theme);
            check("obstacles", &canvas);
            assert!(!canvas.svg().contains('…'), "{obstacles}");
        }
        check("the highest level", &progress(10, None, 0, theme));
    }
}

/// Returns candles with prices between two values and a constant volume.
fn prices_between(low: i64, high: i64, volume: i64) -> Canvas {
    let candles = (0..14).map(|place| Candle {
        start: NOW - (13 - place) * DAY,
        open: low,
        high,
        low,
        close: if place % 2 == 0 { high } else { low },
        volume,
        trades: 2,
    });
    let candles: Vec<_> = candles.collect();
    let prices = Prices {
        pair: "QORT / LTC",
        unit: "LTC for one QORT",
        interval: BY_DAY,
        candles: &candles,
    };
    prices.draw(Theme::Light)
}

#[test]
fn labels_of_one_to_ten_characters_are_apart_and_inside() {
    const ONE: i64 = 100_000_000;
    for (low, high) in [
        (2 * ONE, 3 * ONE),
        (ONE, ONE),
        (141_300_000, 141_300_000),
        (1, 2),
        (30_000_000, 30_000_000),
        (299_400, 300_600),
        (12_345_678, 98_765_432),
        (1_234_567, 1_234_567),
        (ONE, 9_999_999 * ONE),
        (999_999_999_999_999, 999_999_999_999_999),
    ] {
        for volume in [0, 1, 10 * ONE, 100_000 * ONE, 123_456_789_012_345] {
            let canvas = prices_between(low, high, volume);
            check(&format!("{low} to {high}, {volume} sold"), &canvas);
        }
    }
}

#[test]
fn heading_has_a_whole_address_beside_any_balance() {
    for balance in [0, 100, 123_456_789_012, 1_234_567_891_234_567] {
        let canvas = changes_of(30, balance, Theme::Light);
        check(&format!("{balance}"), &canvas);
        assert!(!canvas.svg().contains('…'), "{balance}");
    }
}

#[test]
fn pixels_take_few_bytes() {
    for canvas in [
        prices(200, BY_DAY, 5, 1, Theme::Light),
        changes(200, Theme::Dark),
    ] {
        let png = canvas.png().unwrap();
        assert!(png.len() < 60_000, "{} bytes", png.len());
    }
}

#[test]
fn extreme_numbers_are_drawn() {
    let candle = |price, at| Candle {
        start: at,
        open: price,
        high: price,
        low: price,
        close: price,
        volume: i64::MAX,
        trades: u32::MAX,
    };
    for candles in [
        vec![candle(0, 0)],
        vec![candle(i64::MAX, NOW)],
        vec![candle(1, 0), candle(i64::MAX, NOW)],
    ] {
        let prices = Prices {
            pair: "QORT / LTC",
            unit: "LTC for one QORT",
            interval: HOUR,
            candles: &candles,
        };
        assert!(prices.draw(Theme::Light).png().is_ok());
    }
    let offers = [Offer {
        price: i64::MAX,
        qort: i64::MAX,
        online: i64::MAX,
    }; 3];
    let depth = Depth {
        symbol: "LTC",
        offers: &offers,
    };
    assert!(depth.draw(Theme::Dark).png().is_ok());
    let changes = [
        BalanceChange {
            at: 0,
            received: i64::MAX,
            spent: i64::MAX,
        },
        BalanceChange {
            at: NOW,
            received: i64::MAX,
            spent: i64::MAX,
        },
    ];
    let changes = BalanceFlow {
        title: "alice",
        balance: i64::MIN,
        changes: &changes,
    };
    assert!(changes.draw(Theme::Dark).png().is_ok());
}
