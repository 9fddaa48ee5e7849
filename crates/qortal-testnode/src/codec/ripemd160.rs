//! RIPEMD-160 (Dobbertin, Bosselaers, Preneel 1996), the 20-byte hash inside an address.

/// The RIPEMD-160 digest of `message`.
pub(super) fn ripemd160(message: &[u8]) -> [u8; 20] {
    let mut state: [u32; 5] = [
        0x6745_2301,
        0xefcd_ab89,
        0x98ba_dcfe,
        0x1032_5476,
        0xc3d2_e1f0,
    ];
    let mut padded = message.to_vec();
    padded.push(0x80);
    while padded.len() % 64 != 56 {
        padded.push(0);
    }
    padded.extend((message.len() as u64 * 8).to_le_bytes());
    for block in padded.chunks_exact(64) {
        compress(&mut state, block);
    }
    let mut digest = [0; 20];
    for (place, byte) in digest
        .iter_mut()
        .zip(state.iter().flat_map(|word| word.to_le_bytes()))
    {
        *place = byte;
    }
    digest
}

fn compress(state: &mut [u32; 5], block: &[u8]) {
    let mut words = [0_u32; 16];
    for (word, bytes) in words.iter_mut().zip(block.chunks_exact(4)) {
        *word = bytes
            .iter()
            .rev()
            .fold(0, |word, &byte| (word << 8) | u32::from(byte));
    }
    let left = line(*state, &words, &LEFT, false);
    let right = line(*state, &words, &RIGHT, true);
    let [a, b, c, d, e] = *state;
    *state = [
        b.wrapping_add(left[2]).wrapping_add(right[3]),
        c.wrapping_add(left[3]).wrapping_add(right[4]),
        d.wrapping_add(left[4]).wrapping_add(right[0]),
        e.wrapping_add(left[0]).wrapping_add(right[1]),
        a.wrapping_add(left[1]).wrapping_add(right[2]),
    ];
}

/// One of the two parallel lines of five rounds; the right one takes the functions backwards.
fn line(state: [u32; 5], words: &[u32; 16], rounds: &[Round; 5], backwards: bool) -> [u32; 5] {
    let [mut a, mut b, mut c, mut d, mut e] = state;
    for (number, round) in rounds.iter().enumerate() {
        let function = if backwards { 4 - number } else { number };
        for (&index, &shift) in round.order.iter().zip(&round.shifts) {
            let mixed = match function {
                0 => b ^ c ^ d,
                1 => (b & c) | (!b & d),
                2 => (b | !c) ^ d,
                3 => (b & d) | (c & !d),
                _ => b ^ (c | !d),
            };
            let word = words.get(usize::from(index)).copied().unwrap_or_default();
            let sum = a
                .wrapping_add(mixed)
                .wrapping_add(word)
                .wrapping_add(round.constant);
            let turned = sum.rotate_left(u32::from(shift)).wrapping_add(e);
            (a, e, d, c, b) = (e, d, c.rotate_left(10), b, turned);
        }
    }
    [a, b, c, d, e]
}

struct Round {
    constant: u32,
    order: [u8; 16],
    shifts: [u8; 16],
}

const LEFT: [Round; 5] = [
    Round {
        constant: 0,
        order: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
        shifts: [11, 14, 15, 12, 5, 8, 7, 9, 11, 13, 14, 15, 6, 7, 9, 8],
    },
    Round {
        constant: 0x5a82_7999,
        order: [7, 4, 13, 1, 10, 6, 15, 3, 12, 0, 9, 5, 2, 14, 11, 8],
        shifts: [7, 6, 8, 13, 11, 9, 7, 15, 7, 12, 15, 9, 11, 7, 13, 12],
    },
    Round {
        constant: 0x6ed9_eba1,
        order: [3, 10, 14, 4, 9, 15, 8, 1, 2, 7, 0, 6, 13, 11, 5, 12],
        shifts: [11, 13, 6, 7, 14, 9, 13, 15, 14, 8, 13, 6, 5, 12, 7, 5],
    },
    Round {
        constant: 0x8f1b_bcdc,
        order: [1, 9, 11, 10, 0, 8, 12, 4, 13, 3, 7, 15, 14, 5, 6, 2],
        shifts: [11, 12, 14, 15, 14, 15, 9, 8, 9, 14, 5, 6, 8, 6, 5, 12],
    },
    Round {
        constant: 0xa953_fd4e,
        order: [4, 0, 5, 9, 7, 12, 2, 10, 14, 1, 3, 8, 11, 6, 15, 13],
        shifts: [9, 15, 5, 11, 6, 8, 13, 12, 5, 12, 13, 14, 11, 8, 5, 6],
    },
];

const RIGHT: [Round; 5] = [
    Round {
        constant: 0x50a2_8be6,
        order: [5, 14, 7, 0, 9, 2, 11, 4, 13, 6, 15, 8, 1, 10, 3, 12],
        shifts: [8, 9, 9, 11, 13, 15, 15, 5, 7, 7, 8, 11, 14, 14, 12, 6],
    },
    Round {
        constant: 0x5c4d_d124,
        order: [6, 11, 3, 7, 0, 13, 5, 10, 14, 15, 8, 12, 4, 9, 1, 2],
        shifts: [9, 13, 15, 7, 12, 8, 9, 11, 7, 7, 12, 7, 6, 15, 13, 11],
    },
    Round {
        constant: 0x6d70_3ef3,
        order: [15, 5, 1, 3, 7, 14, 6, 9, 11, 8, 12, 2, 10, 0, 4, 13],
        shifts: [9, 7, 15, 11, 8, 6, 6, 14, 12, 13, 5, 14, 13, 13, 7, 5],
    },
    Round {
        constant: 0x7a6d_76e9,
        order: [8, 6, 4, 1, 3, 11, 15, 0, 5, 12, 2, 13, 9, 7, 10, 14],
        shifts: [15, 5, 8, 11, 14, 14, 6, 14, 6, 9, 12, 9, 12, 5, 15, 8],
    },
    Round {
        constant: 0,
        order: [12, 15, 10, 4, 1, 5, 8, 7, 6, 2, 13, 14, 0, 3, 9, 11],
        shifts: [8, 5, 12, 9, 12, 5, 14, 6, 8, 13, 6, 5, 15, 13, 11, 11],
    },
];

#[cfg(test)]
mod tests {
    use super::ripemd160;

    #[test]
    fn digests_are_those_of_the_paper() {
        let hex = |message: &str| {
            ripemd160(message.as_bytes())
                .iter()
                .map(|byte| format!("{byte:02x}"))
                .collect::<String>()
        };
        assert_eq!(hex(""), "9c1185a5c5e9fc54612808977ee8f548b2258d31");
        assert_eq!(hex("abc"), "8eb208f7e05d987a9b044a8e98c6b087f15a0bfc");
        assert_eq!(
            hex("abcdefghijklmnopqrstuvwxyz"),
            "f71c27109c692c1b56bbdceb5b9d2865b3708dbc"
        );
    }
}
