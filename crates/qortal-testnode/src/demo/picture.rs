//! The pictures of the demo: small drawings as PNG, without compression.

/// The color of a point, of which the first number goes from left to right and the second from top to bottom.
pub(super) type Paint = fn(u32, u32) -> [u8; 3];

/// Width and height of a picture in points.
pub(super) type Size = (u32, u32);

pub(super) const WIDE: Size = (96, 60);
pub(super) const SQUARE: Size = (48, 48);

/// A picture as a PNG file (RFC 2083).
pub(super) fn png((width, height): Size, paint: Paint) -> Vec<u8> {
    let mut lines = Vec::new();
    for y in 0..height {
        // The line is not filtered.
        lines.push(0);
        for x in 0..width {
            lines.extend(paint(x, y));
        }
    }
    let mut header = Vec::new();
    header.extend(width.to_be_bytes());
    header.extend(height.to_be_bytes());
    // Eight bits a color, three colors, no interlacing.
    header.extend([8, 2, 0, 0, 0]);
    let mut file = b"\x89PNG\r\n\x1a\n".to_vec();
    chunk(&mut file, b"IHDR", &header);
    chunk(&mut file, b"IDAT", &stored(&lines));
    chunk(&mut file, b"IEND", &[]);
    file
}

fn chunk(file: &mut Vec<u8>, name: &[u8; 4], data: &[u8]) {
    let length = u32::try_from(data.len()).unwrap_or_default();
    file.extend(length.to_be_bytes());
    let named: Vec<u8> = name.iter().chain(data).copied().collect();
    file.extend(&named);
    file.extend(crc(&named).to_be_bytes());
}

/// A zlib stream of blocks that are stored as they are (RFC 1950, RFC 1951).
fn stored(data: &[u8]) -> Vec<u8> {
    let mut stream = vec![0x78, 0x01];
    let mut blocks = data.chunks(usize::from(u16::MAX)).peekable();
    while let Some(block) = blocks.next() {
        stream.push(u8::from(blocks.peek().is_none()));
        let length = u16::try_from(block.len()).unwrap_or_default();
        stream.extend(length.to_le_bytes());
        stream.extend((!length).to_le_bytes());
        stream.extend(block);
    }
    stream.extend(adler(data).to_be_bytes());
    stream
}

fn adler(data: &[u8]) -> u32 {
    let (first, second) = data.iter().fold((1, 0), |(first, second), byte| {
        let first = (first + u32::from(*byte)) % 65_521;
        (first, (second + first) % 65_521)
    });
    second << 16 | first
}

fn crc(data: &[u8]) -> u32 {
    !data.iter().fold(u32::MAX, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| {
            if crc & 1 == 1 {
                crc >> 1 ^ 0xedb8_8320
            } else {
                crc >> 1
            }
        })
    })
}

/// A harbor in the evening.
pub(super) fn harbor(x: u32, y: u32) -> [u8; 3] {
    let is_sun = x.abs_diff(70).pow(2) + y.abs_diff(24).pow(2) < 81;
    let is_hull = (40..46).contains(&y) && x > 18 + (y - 40) && x < 44 - (y - 40);
    let is_sail = (14..39).contains(&y) && (31..31 + (y - 14) / 2).contains(&x);
    match (is_sun, is_hull, is_sail) {
        (_, true, _) => [92, 58, 40],
        (_, _, true) => [245, 238, 220],
        (true, ..) => [255, 214, 120],
        _ if y < 36 => [240 - level(y, 2), 170 - level(y, 1), 120 + level(y, 2)],
        _ if (x + y * 3) % 11 < 2 => [120, 160, 200],
        _ => [40, 80 + level(y, 1), 130],
    }
}

/// Hills with a moon.
pub(super) fn hills(x: u32, y: u32) -> [u8; 3] {
    let ridge = |base: u32, width: u32| base + x.abs_diff(width).pow(2) / 90;
    let is_moon = x.abs_diff(20).pow(2) + y.abs_diff(14).pow(2) < 49;
    match () {
        () if y > ridge(40, 70) => [34, 68, 52],
        () if y > ridge(32, 30) => [52, 100, 78],
        () if is_moon => [250, 246, 225],
        () => [18 + level(y, 1), 26 + level(y, 2), 66 + level(y, 2)],
    }
}

/// A garden seen from above.
pub(super) fn garden(x: u32, y: u32) -> [u8; 3] {
    let is_path = (x + y / 2) % 24 < 4;
    let is_flower = (x * 7 + y * 13).is_multiple_of(29);
    match (is_path, is_flower) {
        (true, _) => [196, 178, 140],
        (_, true) => [224, 120, 150],
        _ => [60 + level(x, 1) / 2, 130, 70],
    }
}

/// A robot's face.
pub(super) fn robot(x: u32, y: u32) -> [u8; 3] {
    let is_eye = |center: u32| x.abs_diff(center).pow(2) + y.abs_diff(20).pow(2) < 20;
    match () {
        () if is_eye(16) || is_eye(32) => [250, 220, 90],
        () if (32..36).contains(&y) && (14..34).contains(&x) => [60, 60, 70],
        () if (8..42).contains(&x) && (8..42).contains(&y) => [150, 165, 180],
        () if (23..25).contains(&x) && y < 8 => [120, 130, 140],
        () => [235, 240, 245],
    }
}

/// Rings around the center.
pub(super) fn rings(x: u32, y: u32) -> [u8; 3] {
    match (x.abs_diff(24).pow(2) + y.abs_diff(24).pow(2)) / 70 % 3 {
        0 => [30, 110, 140],
        1 => [90, 180, 190],
        _ => [220, 240, 235],
    }
}

/// An otter, as far as so few points allow.
pub(super) fn otter(x: u32, y: u32) -> [u8; 3] {
    let near = |cx: u32, cy: u32, radius: u32| {
        x.abs_diff(cx).pow(2) + y.abs_diff(cy).pow(2) < radius * radius
    };
    match () {
        () if near(19, 20, 2) || near(29, 20, 2) || near(24, 25, 3) => [40, 28, 24],
        () if near(24, 28, 8) => [214, 188, 160],
        () if near(24, 24, 16) || near(11, 12, 5) || near(37, 12, 5) => [130, 92, 66],
        () => [176, 216, 224],
    }
}

/// A number of a point as a part of a color.
fn level(number: u32, times: u32) -> u8 {
    u8::try_from(number * times).unwrap_or(u8::MAX)
}

#[cfg(test)]
mod tests {
    use super::{SQUARE, WIDE, adler, crc, garden, harbor, hills, otter, png, rings, robot};

    #[test]
    fn checksums_are_those_of_the_standards() {
        // The check values of both algorithms.
        assert_eq!(crc(b"123456789"), 0xcbf4_3926);
        assert_eq!(adler(b"Wikipedia"), 0x11e6_0398);
    }

    #[test]
    fn each_picture_can_be_painted() {
        for paint in [harbor, hills, garden] {
            assert_eq!(
                png(WIDE, paint).len(),
                8 + 25 + 12 + 2 + 5 + 60 * (96 * 3 + 1) + 4 + 12
            );
        }
        for paint in [robot, rings, otter] {
            assert!(png(SQUARE, paint).starts_with(b"\x89PNG"));
        }
    }
}
