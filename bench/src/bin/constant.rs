//! The anchor: hyper alone. Every request gets the same JSON body of a given size.

use std::error::Error;
use std::net::SocketAddr;

use bytes::Bytes;
use http_body_util::BodyExt;
use hyper::Request;
use hyper::body::Incoming;
use hyper::service::service_fn;
use qortal_mcp_bench::args::Args;
use qortal_mcp_bench::serve::{json, serve};

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut args = Args::of_process();
    let address: SocketAddr = args.required("--listen")?;
    let size: usize = args.required("--size")?;
    args.finish()?;
    let body = body(size);
    let service = service_fn(move |request: Request<Incoming>| {
        let body = body.clone();
        async move {
            // The body is read, as every server must, and then not looked at.
            let _body = request.into_body().collect().await;
            Ok(json(body))
        }
    });
    Ok(serve(address, service).await?)
}

/// `{"constant":"…"}` of exactly `size` bytes, or the shortest such object.
fn body(size: usize) -> Bytes {
    const FRAME: &str = r#"{"constant":""}"#;
    let filling = "x".repeat(size.saturating_sub(FRAME.len()));
    Bytes::from(format!(r#"{{"constant":"{filling}"}}"#))
}

#[cfg(test)]
mod tests {
    use super::body;

    #[test]
    fn the_body_is_json_of_the_size_asked_for() {
        for size in [15, 16, 300, 40_000] {
            let body = body(size);
            assert_eq!(body.len(), size);
            serde_json::from_slice::<serde_json::Value>(&body).unwrap();
        }
    }
}
