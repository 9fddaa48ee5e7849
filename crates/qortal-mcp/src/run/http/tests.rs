//! Tests of `http`.

use super::*;

#[test]
fn at_most_half_of_the_connections_are_streams_and_half_of_those_are_of_one_client() {
    for (options, connections, streams, of_one_client) in [
        ("", 2_000, 256, 128),
        ("", 101, 51, 26),
        (" --max-streams 300", 2_000, 300, 150),
        (" --max-streams 300", 101, 51, 26),
    ] {
        let line = format!("qortal-mcp http{options}");
        let arguments = Arguments::read(line.split_whitespace()).unwrap();
        let config = Config::new(&arguments, &|_| None).unwrap();
        let drain = std::time::Duration::from_secs(7);
        let limits = mcp_http::Limits::default().with_drain(drain);
        let expected = limits
            .with_connections(connections)
            .with_streams(streams)
            .with_streams_per_client(of_one_client);
        let bounds = bounds(limits, connections, &config.values);
        assert_eq!(bounds, expected, "{line}, {connections}");
    }
}
