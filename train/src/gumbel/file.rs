//! The file `window` of a checkpoint: all games that self-play remembers.
//!
//! Whole numbers and floats are little-endian, nothing is aligned, nothing follows the last game.
//!
//! | bytes | holds |
//! |---|---|
//! | 8 | `NODGAME1` |
//! | 8 | positions that have left the window since the run began |
//! | 4, 4 | games in the window; games under way, which follow them, one a slot |
//! | for each game | |
//! | 4, 8, 4, 4 | slot, episode, plies `m`, those of them that are the opening, `n` others |
//! | `m` | the actions |
//! | 2 · `n` | how many shares each ply behind the opening has: as many as there were legal actions, or 0 |
//! | 2 · shares | the shares of all these plies in a row; those of a ply are not all 0 |
//! | 4 · `n` · seats | the values of all these plies in a row, finite |
//!
//! What the seats won is not written: it follows from the actions. Reading plays every game again, so that whatever is
//! read is a game that can have been played, and takes no memory that the file's length does not pay for.

use nodarium_env::{Action, Game, Mask, Spec};

use super::played::Played;
use super::shard::MOST_EPISODES;
use super::window::Window;

const MAGIC: &[u8; 8] = b"NODGAME1";

/// Bytes of a game before its plies.
pub const GAME_BYTES: usize = 20;

/// The most bytes of a ply.
pub const fn ply_bytes(actions: usize, seats: usize) -> usize {
    1 + 2 + 2 * actions + 4 * seats
}

/// The window and the games under way as bytes.
pub fn write<'a>(window: &'a Window, under_way: impl ExactSizeIterator<Item = &'a Played>) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    bytes.extend((window.entered() - window.positions() as u64).to_le_bytes());
    bytes.extend((window.games().len() as u32).to_le_bytes());
    bytes.extend((under_way.len() as u32).to_le_bytes());
    for game in window.games().iter().chain(under_way) {
        bytes.extend(game.slot.to_le_bytes());
        bytes.extend(game.episode.to_le_bytes());
        bytes.extend((game.plies() as u32).to_le_bytes());
        bytes.extend(game.opening.to_le_bytes());
        bytes.extend_from_slice(&game.actions);
        bytes.extend(game.first.windows(2).flat_map(|pair| ((pair[1] - pair[0]) as u16).to_le_bytes()));
        bytes.extend(game.shares.iter().flat_map(|share| share.to_le_bytes()));
        bytes.extend(game.values.iter().flat_map(|value| value.to_le_bytes()));
    }
    bytes
}

/// What the file is read for.
pub struct Reading<'a, G: Game> {
    /// The rules of the game.
    pub rules: &'a G::Rules,
    /// What is fixed under them.
    pub spec: &'a Spec,
    /// The seed of the run.
    pub seed: u64,
    /// Slots of the run.
    pub slots: usize,
    /// The room of the window.
    pub room: usize,
}

impl<G: Game> Reading<'_, G> {
    /// Reads the window and the games under way, or says what is wrong.
    pub fn read(&self, bytes: &[u8]) -> Result<(Window, Vec<(Played, G)>), String> {
        let mut rest = Rest(bytes);
        if rest.array::<8>() != Ok(*MAGIC) {
            return Err("does not begin as a window of games does".to_owned());
        }
        let left = rest.u64()?;
        let [finished, under_way] = [rest.u32()?, rest.u32()?];
        if left > u64::MAX / 2 || under_way as usize != self.slots {
            return Err(format!("has {under_way} games under way: expected {}", self.slots));
        }
        let mut window = Window::new(self.room, left);
        for number in 0..finished {
            let within = |problem: String| format!("game {number}: {problem}");
            let (mut played, game) = self.game(&mut rest).map_err(within)?;
            if game.to_move().is_some() || played.positions() == 0 {
                return Err(within(format!("is not over after {} plies", played.plies())));
            }
            let mut returns = vec![0.0; self.spec.seats];
            game.returns(&mut returns);
            played.finish(&returns);
            window.push(played);
        }
        let mut games = Vec::new();
        for slot in 0..self.slots {
            let within = |problem: String| format!("the game under way in slot {slot}: {problem}");
            let (played, game) = self.game(&mut rest).map_err(within)?;
            if played.slot as usize != slot || game.to_move().is_none() {
                return Err(within("is over, or another slot's".to_owned()));
            }
            games.push((played, game));
        }
        match rest.0.len() {
            0 => Ok((window, games)),
            over => Err(format!("goes on for {over} bytes after the last game")),
        }
    }

    fn game(&self, rest: &mut Rest<'_>) -> Result<(Played, G), String> {
        let spec = self.spec;
        let (slot, episode, plies) = (rest.u32()?, rest.u64()?, rest.u32()? as usize);
        if slot as usize >= self.slots || episode >= MOST_EPISODES || plies > spec.longest_game {
            return Err(format!(
                "slot {slot}, episode {episode}, {plies} plies: expected below {}, below {MOST_EPISODES}, at most {}",
                self.slots, spec.longest_game
            ));
        }
        let mut played = Played::new(slot, episode);
        played.opening = rest.u32()?;
        let Some(positions) = plies.checked_sub(played.opening as usize) else {
            return Err(format!("an opening of {} plies: expected at most all {plies}", played.opening));
        };
        played.actions = rest.take(plies)?.to_vec();
        let mut end = 0;
        for count in rest.take(2 * positions)?.as_chunks().0 {
            end += u32::from(u16::from_le_bytes(*count));
            played.first.push(end);
        }
        let shares = rest.take(2 * end as usize)?.as_chunks().0;
        played.shares = shares.iter().map(|&share| u16::from_le_bytes(share)).collect();
        let values = rest.take(4 * positions * spec.seats)?.as_chunks().0;
        played.values = values.iter().map(|&value| f32::from_le_bytes(value)).collect();
        let game = self.play(&played)?;
        // While a game goes on, values that only its outcome will tell are not numbers.
        let over = game.to_move().is_none();
        if played.values.iter().any(|value| value.is_infinite() || value.is_nan() && over) {
            return Err("has a value that is not finite".to_owned());
        }
        Ok((played, game))
    }

    /// Plays the game again and compares what it tells with what is legal.
    fn play(&self, played: &Played) -> Result<G, String> {
        let mut game = played.deal::<G>(self.rules, self.seed);
        let mut legal = Mask::EMPTY;
        for (ply, &action) in played.actions.iter().enumerate() {
            game.legal(&mut legal);
            let place = ply.checked_sub(played.opening as usize);
            let shares = place.map_or(&[][..], |place| {
                &played.shares[played.first[place] as usize..played.first[place + 1] as usize]
            });
            let fits = shares.len() == legal.count() as usize && shares.iter().any(|&share| share > 0);
            if !shares.is_empty() && !fits {
                return Err(format!("ply {ply} has {} shares for {} actions", shares.len(), legal.count()));
            }
            if !legal.contains(Action(action.into())) {
                return Err(format!("ply {ply} plays action {action}, which is not legal there"));
            }
            game.apply(Action(action.into()));
        }
        Ok(game)
    }
}

/// Bytes that were not read yet.
struct Rest<'a>(&'a [u8]);

impl<'a> Rest<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], String> {
        let (taken, rest) = self.0.split_at_checked(count).ok_or_else(|| {
            format!("ends within a game: {count} bytes were expected and {} are left", self.0.len())
        })?;
        self.0 = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], String> {
        Ok(self.take(N)?.try_into().expect("as many were taken"))
    }

    fn u32(&mut self) -> Result<u32, String> {
        self.array().map(u32::from_le_bytes)
    }

    fn u64(&mut self) -> Result<u64, String> {
        self.array().map(u64::from_le_bytes)
    }
}

#[cfg(test)]
mod tests {
    use nodarium_env::calibration::tictactoe::TicTacToe;
    use nodarium_env::rng::Purpose;
    use nodarium_env::{Rng, random_action};

    use super::*;

    const SEED: u64 = 5;
    const SLOTS: usize = 3;

    fn read(bytes: &[u8]) -> Result<(Window, Vec<(Played, TicTacToe)>), String> {
        let rules = Default::default();
        let spec = TicTacToe::spec(&rules);
        Reading { rules: &rules, spec: &spec, seed: SEED, slots: SLOTS, room: 1_000 }.read(bytes)
    }

    /// Random play with invented thoughts; every other ply as if it had been searched in full.
    fn play(slot: u32, episode: u64, most: usize) -> Played {
        let mut rng = Rng::keyed(Purpose::Choice, SEED, slot.into(), episode);
        let mut played = Played::new(slot, episode);
        let mut game: TicTacToe = played.deal(&Default::default(), SEED);
        while played.plies() < most
            && let Some(action) = random_action(&game, &mut rng)
        {
            let mut legal = Mask::EMPTY;
            game.legal(&mut legal);
            if played.plies() < slot as usize {
                played.open(action);
                game.apply(action);
                continue;
            }
            let share = 1.0 / legal.count() as f32;
            let policy =
                vec![share; if played.plies().is_multiple_of(2) { legal.count() as usize } else { 0 }];
            let value = rng.unit();
            played.push(action, &policy, &[value, -value]);
            game.apply(action);
        }
        if game.to_move().is_none() {
            let mut returns = [0.0; 2];
            game.returns(&mut returns);
            played.finish(&returns);
        }
        played
    }

    fn written() -> (Window, Vec<Played>, Vec<u8>) {
        let mut window = Window::new(1_000, 17);
        (0..6).for_each(|number| window.push(play(number % 3, number.into(), 9)));
        let under_way: Vec<Played> = (0..3).map(|slot| play(slot, 9, slot as usize)).collect();
        let bytes = write(&window, under_way.iter());
        (window, under_way, bytes)
    }

    #[test]
    fn what_is_written_is_read() {
        let (window, under_way, bytes) = written();
        let (read_window, games) = read(&bytes).unwrap();
        assert_eq!(read_window, window);
        assert!(games.iter().map(|(played, _)| played).eq(&under_way));
        for (played, game) in games {
            assert_eq!(game, played.replay(&Default::default(), SEED, played.plies()));
        }
    }

    #[test]
    fn a_file_that_ends_early_or_late_is_refused() {
        let (.., bytes) = written();
        for length in 0..bytes.len() {
            assert!(read(&bytes[..length]).is_err(), "{length} of {} bytes", bytes.len());
        }
        assert_eq!(
            read(&[&bytes[..], &[0]].concat()).unwrap_err(),
            "goes on for 1 bytes after the last game"
        );
    }

    #[test]
    fn whatever_bytes_are_changed_it_is_refused_or_a_game_that_can_be_played() {
        let (.., bytes) = written();
        let mut rng = Rng::keyed(Purpose::Choice, 1, 0, 0);
        let mut refused = 0;
        for byte in 0..bytes.len() {
            for _ in 0..8 {
                let mut damaged = bytes.clone();
                damaged[byte] ^= 1 + rng.below(255) as u8;
                match read(&damaged) {
                    Err(_) => refused += 1,
                    Ok((window, _)) => {
                        for position in 0..window.positions() {
                            let place = window.place(position);
                            let played = &window.games()[place.game];
                            let sum: f32 = played.policy(place.ply).sum();
                            let game: TicTacToe = played.replay(&Default::default(), SEED, place.ply);
                            assert!(game.to_move().is_some() && (sum == 0.0 || (sum - 1.0).abs() < 1e-4));
                        }
                    }
                }
            }
        }
        assert!(refused > 1_000, "{refused} were refused");
    }

    #[test]
    fn what_cannot_be_says_where() {
        let (mut window, under_way, _) = written();
        window.push(play(0, 50, 3));
        assert_eq!(read(&write(&window, under_way.iter())).unwrap_err(), "game 6: is not over after 3 plies");
        let (window, under_way, mut bytes) = written();
        assert_eq!(
            read(&write(&window, under_way[..2].iter())).unwrap_err(),
            "has 2 games under way: expected 3"
        );
        // The first action of the first game, behind the header and the key of the game.
        bytes[24 + GAME_BYTES] = 9;
        assert_eq!(read(&bytes).unwrap_err(), "game 0: ply 0 plays action 9, which is not legal there");
    }
}
