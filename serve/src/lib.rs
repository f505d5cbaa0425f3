//! Play in the browser and see what the policy thinks: a page and the server behind it.
//!
//! The server keeps games; a page holds keys to seats and is told what those seats may see. Nothing that comes from
//! outside names a file, an agent's making or an amount of work: agents are numbers of a list made at the start.

mod api;
mod guard;
mod page;
mod refusal;
mod roster;
mod session;
mod sessions;
pub mod sight;

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

pub use refusal::Refusal;
pub use roster::{BadCheckpoint, Listed, Roster};
use sessions::Sessions;

/// How much a server gives.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Games that are open at once.
    pub sessions: usize,
    /// How long a game that nobody asks about is kept when room is needed.
    pub idle: Duration,
    /// Bytes of a request's body: a long recorded game has one or two million.
    pub body: usize,
    /// Agents that think at once.
    pub thinkers: usize,
    /// How long a request waits for a thinking place.
    pub wait: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            sessions: 256,
            idle: Duration::from_secs(30 * 60),
            body: 4 << 20,
            thinkers: std::thread::available_parallelism().map_or(1, usize::from),
            wait: Duration::from_secs(30),
        }
    }
}

/// What every request has at hand.
pub(crate) struct Server {
    roster: Roster,
    sessions: Sessions,
    thinking: Arc<Semaphore>,
    limits: Limits,
    /// The address that the server was told to listen on, as browsers name it.
    host: String,
}

/// The page and the interface behind it. `host` is a name, beside the loopback ones, that the server answers to.
pub fn router(roster: Roster, limits: Limits, host: &str) -> Router {
    let server = Server {
        roster,
        sessions: Sessions::new(limits.sessions, limits.idle),
        thinking: Arc::new(Semaphore::new(limits.thinkers)),
        limits,
        host: host.to_owned(),
    };
    api::routes(Arc::new(server))
}

/// Listens and serves until the process ends. `ready` is told the address.
pub fn run(
    roster: Roster,
    host: &str,
    port: u16,
    ready: impl FnOnce(SocketAddr) -> std::io::Result<()>,
) -> std::io::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let listener = TcpListener::bind((host, port)).await?;
        ready(listener.local_addr()?)?;
        axum::serve(listener, router(roster, Limits::default(), host)).await
    })
}
