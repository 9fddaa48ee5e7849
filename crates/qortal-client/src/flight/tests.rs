//! Tests of `flight`.

use std::{
    future::{pending, ready},
    pin::pin,
    sync::atomic::{AtomicU32, Ordering},
    task::{Context, Poll, Waker},
};

use super::Flights;

fn poll<F: Future>(future: std::pin::Pin<&mut F>) -> Poll<F::Output> {
    future.poll(&mut Context::from_waker(Waker::noop()))
}

fn under_way<T>(flights: &Flights<T>) -> usize {
    flights.under_way.lock().unwrap().len()
}

#[test]
fn who_comes_while_work_is_under_way_shares_its_result() {
    let flights = Flights::new();
    let (finish, work) = tokio::sync::oneshot::channel::<u32>();
    let mut first = pin!(flights.join("a", async { work.await.unwrap() }));
    let mut second = pin!(flights.join("a", async { panic!("the work is done twice") }));
    let mut other = pin!(flights.join("b", ready(2)));
    assert!(poll(first.as_mut()).is_pending());
    assert!(poll(second.as_mut()).is_pending());
    assert_eq!(poll(other.as_mut()), Poll::Ready(2));
    finish.send(1).unwrap();
    assert_eq!(poll(first), Poll::Ready(1));
    assert_eq!(poll(second), Poll::Ready(1));
    assert_eq!(under_way(&flights), 0);
}

#[test]
fn who_comes_afterwards_asks_anew() {
    let flights = Flights::new();
    let times = AtomicU32::new(0);
    for expected in 0..3 {
        let work = async { times.fetch_add(1, Ordering::Relaxed) };
        assert_eq!(poll(pin!(flights.join("a", work))), Poll::Ready(expected));
    }
}

#[test]
fn when_the_first_leaves_the_next_takes_over() {
    let flights = Flights::new();
    let mut first = Box::pin(flights.join("a", pending()));
    let mut second = pin!(flights.join("a", ready(2)));
    assert!(poll(first.as_mut()).is_pending());
    assert!(poll(second.as_mut()).is_pending());
    drop(first);
    assert_eq!(poll(second), Poll::Ready(2));
    assert_eq!(under_way(&flights), 0);
}

#[test]
fn nothing_is_left_when_all_leave() {
    let flights = Flights::<u32>::new();
    let mut both: Vec<_> = (0..2)
        .map(|_| Box::pin(flights.join("a", pending())))
        .collect();
    for one in &mut both {
        assert!(poll(one.as_mut()).is_pending());
    }
    assert_eq!(under_way(&flights), 1);
    drop(both);
    assert_eq!(under_way(&flights), 0);
}
