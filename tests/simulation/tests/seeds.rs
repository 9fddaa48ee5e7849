//! A fixed handful of seeds.

use qortal_simulation::play;

/// With one node and two, on both transports, with and without tokens and sessions. With the last one a client subscribes to the
/// chain's tip while the only node is silent: that is not about the node, so it waits.
const SEEDS: [u64; 4] = [1, 2, 3, 11_100_009];

#[test]
fn every_invariant_holds_and_two_plays_of_a_seed_are_the_same() {
    for seed in SEEDS {
        let [first, second] = [play(seed), play(seed)];
        assert!(first.broken.is_empty(), "{}", first.report());
        assert!(first.good > 0, "seed {seed}: nothing was answered well");
        let differs = first
            .trace
            .iter()
            .zip(&second.trace)
            .find(|(one, other)| one != other);
        assert_eq!(differs, None, "seed {seed}");
        assert_eq!(first.trace.len(), second.trace.len(), "seed {seed}");
    }
}
