//! Tests of `coalescer`.

use std::{
    future::{pending, ready},
    pin::pin,
    sync::atomic::{AtomicU32, Ordering},
    task::{Context, Poll, Waker},
};

use super::RequestCoalescer;

fn poll<F: Future>(future: std::pin::Pin<&mut F>) -> Poll<F::Output> {
    future.poll(&mut Context::from_waker(Waker::noop()))
}

fn in_flight<T>(coalescer: &RequestCoalescer<&str, T>) -> usize {
    coalescer.in_flight.lock().unwrap().len()
}

#[test]
fn a_caller_during_the_request_shares_its_result() {
    let coalescer = RequestCoalescer::new();
    let (finish, work) = tokio::sync::oneshot::channel::<u32>();
    let mut first = pin!(coalescer.join("a", async { work.await.unwrap() }));
    let mut second = pin!(coalescer.join("a", async { panic!("the request is sent twice") }));
    let mut other = pin!(coalescer.join("b", ready(2)));
    assert!(poll(first.as_mut()).is_pending());
    assert!(poll(second.as_mut()).is_pending());
    assert_eq!(poll(other.as_mut()), Poll::Ready(2));
    finish.send(1).unwrap();
    assert_eq!(poll(first), Poll::Ready(1));
    assert_eq!(poll(second), Poll::Ready(1));
    assert_eq!(in_flight(&coalescer), 0);
}

#[test]
fn a_later_caller_sends_a_new_request() {
    let coalescer = RequestCoalescer::new();
    let times = AtomicU32::new(0);
    for expected in 0..3 {
        let work = async { times.fetch_add(1, Ordering::Relaxed) };
        assert_eq!(poll(pin!(coalescer.join("a", work))), Poll::Ready(expected));
    }
}

#[test]
fn when_the_first_caller_goes_the_next_takes_over() {
    let coalescer = RequestCoalescer::new();
    let mut first = Box::pin(coalescer.join("a", pending()));
    let mut second = pin!(coalescer.join("a", ready(2)));
    assert!(poll(first.as_mut()).is_pending());
    assert!(poll(second.as_mut()).is_pending());
    drop(first);
    assert_eq!(poll(second), Poll::Ready(2));
    assert_eq!(in_flight(&coalescer), 0);
}

#[test]
fn nothing_is_left_when_all_callers_go() {
    let coalescer = RequestCoalescer::<&str, u32>::new();
    let mut both: Vec<_> = (0..2)
        .map(|_| Box::pin(coalescer.join("a", pending())))
        .collect();
    for one in &mut both {
        assert!(poll(one.as_mut()).is_pending());
    }
    assert_eq!(in_flight(&coalescer), 1);
    drop(both);
    assert_eq!(in_flight(&coalescer), 0);
}
