//! The games that are open.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use nodarium_env::Seat;
use tokio::sync::Mutex as Turnstile;

use crate::Refusal;
use crate::session::Session;

/// What a key lets its holder see.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Viewer {
    /// A person's seat.
    Seat(Seat),
    /// Everything: nobody plays here.
    All,
}

/// A session with the keys to it. One request at a time has the game.
pub struct Open {
    pub keys: Vec<(Viewer, String)>,
    pub session: Arc<Turnstile<Box<dyn Session>>>,
}

struct Slot {
    open: Arc<Open>,
    asked: Instant,
}

/// All open games by their ids.
pub struct Sessions {
    most: usize,
    idle: Duration,
    slots: Mutex<HashMap<String, Slot>>,
}

impl Sessions {
    pub fn new(most: usize, idle: Duration) -> Self {
        Self { most, idle, slots: Mutex::default() }
    }

    /// Opens a session. Where there is no room, games that nobody has asked about for long make room.
    pub fn open(&self, session: Box<dyn Session>) -> Result<(String, Arc<Open>), Refusal> {
        let keys = session.viewers().into_iter().map(|viewer| (viewer, secret())).collect();
        let open = Arc::new(Open { keys, session: Arc::new(Turnstile::new(session)) });
        let mut slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
        if slots.len() >= self.most {
            slots.retain(|_, slot| slot.asked.elapsed() < self.idle);
        }
        if slots.len() >= self.most {
            return Err(Refusal::TooManySessions(self.most));
        }
        let id = secret();
        slots.insert(id.clone(), Slot { open: open.clone(), asked: Instant::now() });
        Ok((id, open))
    }

    /// The session, and what the key lets its holder see.
    pub fn get(&self, id: &str, key: &str) -> Result<(Arc<Open>, Viewer), Refusal> {
        let mut slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
        let slot = slots.get_mut(id).ok_or(Refusal::UnknownSession)?;
        let found = slot.open.keys.iter().find(|(_, known)| known == key);
        let &(viewer, _) = found.ok_or(Refusal::WrongKey)?;
        slot.asked = Instant::now();
        Ok((slot.open.clone(), viewer))
    }

    /// Closes a session.
    pub fn close(&self, id: &str) {
        self.slots.lock().unwrap_or_else(PoisonError::into_inner).remove(id);
    }
}

/// 128 bits that nobody can guess.
pub fn secret() -> String {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).expect("the system has random numbers");
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
