//! [`Service`] as a tower service, for axum and other frameworks.

use std::{
    convert::Infallible,
    future::Future,
    pin::Pin,
    task::{Context, Poll},
};

use hyper::{Request, Response, body::Body as HttpBody};

use crate::{Body, Service};

/// The service is always ready. It rejects excess load with a response.
impl<B> tower_service::Service<Request<B>> for Service
where
    B: HttpBody + Send + 'static,
    B::Data: Send,
    B::Error: Send,
{
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Response<Body>, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        hyper::service::Service::call(self, request)
    }
}
