//! Cache of the latest charts. Rendering takes milliseconds of CPU time, so charts are rendered one at a time, off the threads that serve
//! requests.

use std::{collections::VecDeque, sync::Arc};

use parking_lot::Mutex;
use tokio::{
    sync::Semaphore,
    task::{JoinError, spawn_blocking},
};

/// Maximum number of cached charts, each smaller than 100 kB.
const KEPT: usize = 32;

/// Renders charts and caches the latest ones.
#[derive(Debug)]
pub struct ChartCache {
    turn: Arc<Semaphore>,
    /// Cached charts, the newest last.
    kept: Arc<Mutex<VecDeque<Drawing>>>,
}

#[derive(Debug)]
struct Drawing {
    layout: String,
    picture: String,
}

impl Default for ChartCache {
    fn default() -> Self {
        Self {
            turn: Arc::new(Semaphore::new(1)),
            kept: Arc::default(),
        }
    }
}

impl ChartCache {
    /// Returns the chart with this layout from the cache, or renders it with `draw`.
    ///
    /// # Errors
    /// Returns an error if `draw` does, if it panics, or if the runtime shuts down.
    pub async fn draw<E: Send + 'static>(
        &self,
        layout: &str,
        draw: impl FnOnce() -> Result<String, E> + Send + 'static,
    ) -> Result<Result<String, E>, JoinError> {
        if let Some(kept) = self.kept(layout) {
            return Ok(Ok(kept));
        }
        let turn = Arc::clone(&self.turn).acquire_owned();
        let turn = turn.await.expect("no one closes the semaphore");
        // Another call may have rendered it in the meantime.
        if let Some(kept) = self.kept(layout) {
            return Ok(Ok(kept));
        }
        let (kept, layout) = (Arc::clone(&self.kept), layout.to_owned());
        // The chart is cached before the next caller leaves the queue, which may want the same chart.
        spawn_blocking(move || {
            let _turn = turn;
            let drawn = draw();
            if let Ok(picture) = &drawn {
                keep(&mut kept.lock(), layout, picture);
            }
            drawn
        })
        .await
    }

    fn kept(&self, layout: &str) -> Option<String> {
        let kept = self.kept.lock();
        let found = kept.iter().find(|it| it.layout == layout);
        found.map(|it| it.picture.clone())
    }
}

fn keep(kept: &mut VecDeque<Drawing>, layout: String, picture: &str) {
    if kept.len() >= KEPT {
        kept.pop_front();
    }
    kept.push_back(Drawing {
        layout,
        picture: picture.to_owned(),
    });
}

#[cfg(test)]
mod tests {
    use std::{
        convert::Infallible,
        sync::{
            atomic::{AtomicUsize, Ordering},
            mpsc,
        },
        time::Duration,
    };

    use futures_util::future::join_all;

    use super::*;

    /// Long enough for a busy machine. Without it, a deadlock would hang the test.
    const PATIENCE: Duration = Duration::from_secs(30);

    /// Renders charts and counts the renderings, in total and at the same time.
    #[derive(Default, Clone)]
    struct Painter(Arc<[AtomicUsize; 3]>);

    impl Painter {
        async fn draw(&self, drawings: &ChartCache, layout: &str) -> String {
            let counts = Arc::clone(&self.0);
            let picture = format!("picture of {layout}");
            let draw = move || {
                let [times, now, most] = &*counts;
                times.fetch_add(1, Ordering::SeqCst);
                let at_once = now.fetch_add(1, Ordering::SeqCst) + 1;
                most.fetch_max(at_once, Ordering::SeqCst);
                std::thread::yield_now();
                now.fetch_sub(1, Ordering::SeqCst);
                Ok::<_, Infallible>(picture)
            };
            drawings.draw(layout, draw).await.unwrap().unwrap()
        }
    }

    #[tokio::test]
    async fn the_same_picture_is_drawn_once_and_one_is_drawn_at_a_time() {
        let (drawings, counted) = (ChartCache::default(), Painter::default());
        let layouts: Vec<_> = (0..40).map(|n| (n % 4).to_string()).collect();
        let drawn = join_all(layouts.iter().map(|it| counted.draw(&drawings, it))).await;
        for (layout, picture) in layouts.iter().zip(drawn) {
            assert_eq!(picture, format!("picture of {layout}"));
        }
        let [times, _, most] = &*counted.0;
        assert_eq!(times.load(Ordering::SeqCst), 4);
        assert_eq!(most.load(Ordering::SeqCst), 1);
    }

    #[tokio::test]
    async fn so_many_pictures_are_kept() {
        let (drawings, counted) = (ChartCache::default(), Painter::default());
        for n in 0..=KEPT {
            counted.draw(&drawings, &n.to_string()).await;
        }
        assert_eq!(drawings.kept.lock().len(), KEPT);
        counted.draw(&drawings, "0").await;
        counted.draw(&drawings, &KEPT.to_string()).await;
        assert_eq!(counted.0[0].load(Ordering::SeqCst), KEPT + 2);
    }

    /// Runs on a single thread, where a rendering on that thread would block everything else.
    #[tokio::test]
    async fn others_go_on_while_a_picture_is_drawn() {
        let drawings = ChartCache::default();
        let (finish, wait) = mpsc::channel();
        let draw = move || wait.recv_timeout(PATIENCE);
        let other = async { finish.send("drawn".to_owned()).unwrap() };
        let (drawn, ()) = tokio::join!(biased; drawings.draw("a", draw), other);
        assert_eq!(drawn.unwrap().unwrap(), "drawn");
    }

    #[tokio::test]
    async fn a_picture_that_is_not_drawn_is_not_kept_and_gives_its_turn_back() {
        let drawings = ChartCache::default();
        let failed = drawings.draw("a", || Err::<String, _>(1)).await;
        assert_eq!(failed.unwrap(), Err(1));
        let panicked = drawings.draw("a", || -> Result<String, i32> { panic!("as asked") });
        assert!(panicked.await.unwrap_err().is_panic());
        let drawn = drawings.draw("a", || Ok::<_, i32>("b".to_owned()));
        assert_eq!(drawn.await.unwrap().unwrap(), "b");
    }
}
