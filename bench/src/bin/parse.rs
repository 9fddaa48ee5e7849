//! hyper and serde_json: the request is parsed, and answered with a given result.

use std::error::Error;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

use bytes::Bytes;
use http_body_util::BodyExt;
use hyper::Request;
use hyper::body::Incoming;
use hyper::service::service_fn;
use qortal_mcp_bench::answer;
use qortal_mcp_bench::args::Args;
use qortal_mcp_bench::serve::{json, serve};
use serde_json::Value;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut args = Args::of_process();
    let address: SocketAddr = args.required("--listen")?;
    let result: PathBuf = args.required("--result")?;
    args.finish()?;
    let result: Arc<Value> = Arc::new(serde_json::from_slice(&std::fs::read(result)?)?);
    let service = service_fn(move |request: Request<Incoming>| {
        let result = result.clone();
        async move {
            let body = match request.into_body().collect().await {
                Ok(body) => body.to_bytes(),
                Err(_) => Bytes::new(),
            };
            Ok(json(Bytes::from(answer::to(&body, &result))))
        }
    });
    Ok(serve(address, service).await?)
}
