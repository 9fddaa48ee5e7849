//! Handler functions with parameters, a context and a state.

use std::{future::Future, marker::PhantomData, sync::Arc};

use tool_schema::NoParams;

use crate::{context::CallContext, provide::BoxFuture};

/// An async function that handles calls. It takes parameters `P`, and optionally the [`CallContext`]. Methods of a
/// router's state take `&self` first.
///
/// | handler | use |
/// | --- | --- |
/// | `async fn() -> A` | no parameters |
/// | `async fn(P) -> A` | only parameters |
/// | `async fn(P, &CallContext) -> A` | server requests, progress, or results that depend on the caller |
/// | `async fn(&self, P) -> A` | methods of the state |
/// | `async fn(&self, P, &CallContext) -> A` | methods of the state that use the context |
///
/// Async closures can also be handlers. They declare the types of their arguments:
/// `async |params: P, cx: &CallContext| …`. They cannot capture. Put shared values into the state of the router, or use
/// a closure that clones them into each future:
///
/// ```
/// use std::sync::Arc;
///
/// use mcp_protocol::ToolAnnotations;
/// use mcp_server::{ToolRouter, tool_schema::NoParams};
///
/// let pool = Arc::new(vec!["Oslo", "Bergen"]);
/// let cities = move |_: NoParams| {
///     let pool = Arc::clone(&pool);
///     async move { pool.join(", ") }
/// };
/// let tools = ToolRouter::new().tool("cities", "List the cities.", ToolAnnotations::PURE, cities);
/// # drop(tools);
/// ```
///
/// `K` distinguishes the implementations and is inferred.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a handler",
    note = "a handler is an async function of its parameters, and of `&CallContext` if it needs that. Methods of a router's state begin with `&self`",
    note = "its future must be `Send`",
    note = "an async closure cannot capture: write `move |params: P| {{ let shared = shared.clone(); async move {{ … }} }}`"
)]
pub trait HandlerFn<S, P, A, K>: Send + Sync + 'static {
    /// Handles one call.
    fn call<'a>(&'a self, state: &'a S, params: P, cx: &'a CallContext) -> BoxFuture<'a, A>;
}

/// Marker for the implementation of [`HandlerFn`] for functions without arguments.
#[derive(Debug)]
pub struct Nothing;
/// Marker for the implementation of [`HandlerFn`] for functions of parameters.
#[derive(Debug)]
pub struct Alone;
/// Marker for the implementation of [`HandlerFn`] for functions of parameters and a context.
#[derive(Debug)]
pub struct WithContext;
/// Marker for the implementation of [`HandlerFn`] for methods with parameters.
#[derive(Debug)]
pub struct Method;
/// Marker for the implementation of [`HandlerFn`] for methods with parameters and a context.
#[derive(Debug)]
pub struct MethodWithContext;

macro_rules! async_functions {
    ($($Fn:ident($($A:ident),*);)+) => { $(
        /// An async function whose future is `Send` and may borrow the arguments.
        pub trait $Fn<$($A),*>: Fn($($A),*) -> Self::Future {
            /// The future that the function returns.
            type Future: Future<Output = Self::Out> + Send;
            /// The output of the future.
            type Out;
        }

        impl<F, Fut, $($A),*> $Fn<$($A),*> for F
        where
            F: Fn($($A),*) -> Fut,
            Fut: Future + Send,
        {
            type Future = Fut;
            type Out = Fut::Output;
        }
    )+ };
}

async_functions! {
    Async0();
    Async1(A);
    Async2(A, B);
    Async3(A, B, C);
}

impl<S, A: 'static, F> HandlerFn<S, NoParams, A, Nothing> for F
where
    F: Async0<Out = A> + Send + Sync + 'static,
{
    fn call<'a>(&'a self, _: &'a S, _: NoParams, _: &'a CallContext) -> BoxFuture<'a, A> {
        Box::pin(self())
    }
}

impl<S, P: 'static, A: 'static, F> HandlerFn<S, P, A, Alone> for F
where
    F: Async1<P, Out = A> + Send + Sync + 'static,
{
    fn call<'a>(&'a self, _: &'a S, params: P, _: &'a CallContext) -> BoxFuture<'a, A> {
        Box::pin(self(params))
    }
}

impl<S, P: 'static, A: 'static, F> HandlerFn<S, P, A, WithContext> for F
where
    F: for<'a> Async2<P, &'a CallContext, Out = A> + Send + Sync + 'static,
{
    fn call<'a>(&'a self, _: &'a S, params: P, cx: &'a CallContext) -> BoxFuture<'a, A> {
        Box::pin(self(params, cx))
    }
}

impl<S: 'static, P: 'static, A: 'static, F> HandlerFn<S, P, A, Method> for F
where
    F: for<'a> Async2<&'a S, P, Out = A> + Send + Sync + 'static,
{
    fn call<'a>(&'a self, state: &'a S, params: P, _: &'a CallContext) -> BoxFuture<'a, A> {
        Box::pin(self(state, params))
    }
}

impl<S: 'static, P: 'static, A: 'static, F> HandlerFn<S, P, A, MethodWithContext> for F
where
    F: for<'a> Async3<&'a S, P, &'a CallContext, Out = A> + Send + Sync + 'static,
{
    fn call<'a>(&'a self, state: &'a S, params: P, cx: &'a CallContext) -> BoxFuture<'a, A> {
        Box::pin(self(state, params, cx))
    }
}

/// A handler with its router's state.
pub(super) struct Bound<S, H, P, A, K> {
    state: Arc<S>,
    handler: H,
    types: PhantomData<fn(P) -> (A, K)>,
}

impl<S, H: HandlerFn<S, P, A, K>, P, A, K> Bound<S, H, P, A, K> {
    pub(super) fn new(state: &Arc<S>, handler: H) -> Self {
        Self {
            state: Arc::clone(state),
            handler,
            types: PhantomData,
        }
    }

    pub(super) fn call<'a>(&'a self, params: P, cx: &'a CallContext) -> BoxFuture<'a, A> {
        self.handler.call(&self.state, params, cx)
    }
}
