//! Tests of `http`.

use super::*;

#[test]
fn bounds_allow_a_quarter_of_the_connections_as_streams_and_half_of_those_to_one_client() {
    for (connections, streams, of_one_client) in [
        (1_024, 256, 128),
        (4_096, 1_024, 512),
        (101, 26, 13),
        (1, 1, 1),
    ] {
        let limits =
            mcp_http::HttpLimits::default().with_drain_timeout(std::time::Duration::from_secs(7));
        let expected = limits
            .with_connections(connections)
            .with_streams(streams)
            .with_streams_per_client(of_one_client);
        assert_eq!(bounds(limits, connections), expected, "{connections}");
    }
}
