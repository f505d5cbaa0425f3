//! The newest games, to draw positions from.

use std::collections::VecDeque;

use super::played::Played;

/// Finished games, the oldest first; together no more positions than it has room for.
#[derive(Clone, Debug, PartialEq)]
pub struct Window {
    room: usize,
    games: VecDeque<Played>,
    /// `[games]`: how many positions came in before each game, since the run began.
    starts: VecDeque<u64>,
    /// Positions that have come in since the run began.
    entered: u64,
}

/// A position: a game of the window by its place, and how many plies of it were played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The game.
    pub game: usize,
    /// The plies before the position.
    pub ply: usize,
}

impl Window {
    /// Room for that many positions; a single longer game is kept all the same. `entered` counts those that came in and
    /// left before.
    pub fn new(room: usize, entered: u64) -> Self {
        Self { room, games: VecDeque::new(), starts: VecDeque::new(), entered }
    }

    /// Takes in a finished game; the oldest make room.
    pub fn push(&mut self, game: Played) {
        self.starts.push_back(self.entered);
        self.entered += game.positions() as u64;
        self.games.push_back(game);
        while self.games.len() > 1 && self.positions() > self.room {
            self.games.pop_front();
            self.starts.pop_front();
        }
    }

    /// Positions to draw from.
    pub fn positions(&self) -> usize {
        self.starts.front().map_or(0, |start| (self.entered - start) as usize)
    }

    /// Positions that have come in since the run began.
    pub fn entered(&self) -> u64 {
        self.entered
    }

    /// The games, the oldest first.
    pub fn games(&self) -> &VecDeque<Played> {
        &self.games
    }

    /// The game at a place, to be revised.
    pub fn game_mut(&mut self, place: Place) -> &mut Played {
        &mut self.games[place.game]
    }

    /// The number of a position since the run began.
    pub fn number(&self, place: Place) -> u64 {
        self.starts[place.game] + (place.ply - self.games[place.game].searched().start) as u64
    }

    /// Where a position is, counted from the oldest.
    ///
    /// # Panics
    /// When there are not that many positions.
    pub fn place(&self, position: usize) -> Place {
        assert!(position < self.positions(), "position {position} of {}", self.positions());
        let number = self.starts[0] + position as u64;
        let game = self.starts.partition_point(|&start| start <= number) - 1;
        Place { game, ply: self.games[game].searched().start + (number - self.starts[game]) as usize }
    }
}

#[cfg(test)]
mod tests {
    use nodarium_env::Action;

    use super::*;

    fn game(episode: u64, plies: usize) -> Played {
        let mut played = Played::new(0, episode);
        played.open(Action(1));
        (0..plies).for_each(|_| played.push(Action(0), &[1.0], &[0.0, 0.0]));
        played.finish(&[0.0, 0.0]);
        played
    }

    #[test]
    fn every_position_of_every_game_has_its_place() {
        let mut window = Window::new(100, 7);
        [3, 1, 4]
            .into_iter()
            .enumerate()
            .for_each(|(episode, plies)| window.push(game(episode as u64, plies)));
        let places: Vec<_> = (0..8).map(|position| window.place(position)).map(|p| (p.game, p.ply)).collect();
        assert_eq!(places, [(0, 1), (0, 2), (0, 3), (1, 1), (2, 1), (2, 2), (2, 3), (2, 4)]);
        assert_eq!(window.number(window.place(5)), 12);
        assert_eq!((window.positions(), window.entered()), (8, 15));
    }

    #[test]
    fn the_oldest_games_make_room() {
        let mut window = Window::new(10, 0);
        (0..9).for_each(|episode| window.push(game(episode, 4)));
        let kept: Vec<u64> = window.games().iter().map(|game| game.episode).collect();
        assert_eq!((kept, window.positions(), window.entered()), (vec![7, 8], 8, 36));
        assert_eq!(window.place(4), Place { game: 1, ply: 1 });
        window.push(game(9, 50));
        assert_eq!((window.games().len(), window.positions()), (1, 50), "a long game alone is kept");
    }
}
