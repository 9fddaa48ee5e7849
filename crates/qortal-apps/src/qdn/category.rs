//! The categories of Q-Tube (Qortal/q-tube 68c3ea7, src/constants/Categories.ts).

const CATEGORIES: [(u64, &str); 30] = [
    (1, "Movies"),
    (2, "Series"),
    (3, "Music"),
    (4, "Education"),
    (5, "Lifestyle"),
    (6, "Gaming"),
    (7, "Technology"),
    (8, "Sports"),
    (9, "News & Politics"),
    (10, "Cooking & Food"),
    (11, "Animation"),
    (12, "Science"),
    (13, "Health & Wellness"),
    (14, "DIY & Crafts"),
    (15, "Kids & Family"),
    (16, "Comedy"),
    (17, "Travel & Adventure"),
    (18, "Art & Design"),
    (19, "Nature & Environment"),
    (20, "Business & Finance"),
    (21, "Personal Development"),
    (22, "Religion"),
    (23, "History"),
    (24, "Anime"),
    (25, "Cartoons"),
    (26, "Qortal"),
    (27, "Paranormal"),
    (28, "Spirituality"),
    (29, "Privacy"),
    (99, "Other"),
];

/// Returns the name of a category of Q-Tube by its number.
#[must_use]
pub fn category(number: u64) -> Option<&'static str> {
    let mut categories = CATEGORIES.iter();
    let found = categories.find(|(id, _)| *id == number);
    found.map(|(_, name)| *name)
}
