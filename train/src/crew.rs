//! Threads that share work without changing what comes of it.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};

/// Some threads, each a rayon pool of its own with one thread: a matrix product or a search that is asked for there
/// stays there, and rounds the same however many others there are.
#[derive(Debug)]
pub struct Crew {
    threads: Vec<ThreadPool>,
}

impl Crew {
    /// A crew of that many threads; 0 takes one a core.
    pub fn new(threads: usize) -> Result<Self, ThreadPoolBuildError> {
        let threads = match threads {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            threads => threads,
        };
        let one = |_| ThreadPoolBuilder::new().num_threads(1).build();
        Ok(Self { threads: (0..threads).map(one).collect::<Result<_, _>>()? })
    }

    /// How many threads there are.
    pub fn len(&self) -> usize {
        self.threads.len()
    }

    /// A crew has at least one thread.
    pub fn is_empty(&self) -> bool {
        self.threads.is_empty()
    }

    /// Does the work for every item, whoever is free the next one, and returns the results in the order of the items.
    pub fn each<I: Send, T: Send>(&self, items: Vec<I>, work: impl Fn(usize, I) -> T + Sync) -> Vec<T> {
        let results: Vec<Mutex<Option<T>>> = items.iter().map(|_| Mutex::new(None)).collect();
        let items: Vec<Mutex<Option<I>>> = items.into_iter().map(|item| Mutex::new(Some(item))).collect();
        let next = AtomicUsize::new(0);
        let labour = || {
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let Some(item) = items.get(index) else { break };
                let item =
                    item.lock().expect("nobody panics with the lock").take().expect("an item is taken once");
                *results[index].lock().expect("nobody panics with the lock") = Some(work(index, item));
            }
        };
        on_every(&self.threads[..self.threads.len().min(items.len())], &labour);
        let done =
            results.into_iter().map(|result| result.into_inner().expect("nobody panics with the lock"));
        done.map(|result| result.expect("every item was worked on")).collect()
    }
}

/// Does the work on every thread at once. Threads that wait are woken, none is started: an update takes milliseconds.
fn on_every(threads: &[ThreadPool], work: &(dyn Fn() + Sync)) {
    if let [thread, others @ ..] = threads {
        thread.in_place_scope(|scope| {
            scope.spawn(|_| work());
            on_every(others, work);
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_the_order_of_the_items_for_any_number_of_threads() {
        for threads in [1, 2, 5] {
            let crew = Crew::new(threads).unwrap();
            let squares = crew.each((0..100_u64).collect(), |index, item| index as u64 * item);
            assert_eq!(squares, (0..100).map(|n| n * n).collect::<Vec<u64>>());
        }
    }

    #[test]
    fn work_finds_itself_alone_on_its_thread() {
        let crew = Crew::new(3).unwrap();
        assert_eq!(crew.each(vec![(); 6], |_, ()| rayon::current_num_threads()), [1; 6]);
    }
}
