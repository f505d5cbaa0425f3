//! S-16: a match is a series of games in which the first player alternates.

/// How many games a series has at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeriesLength(u8);

impl SeriesLength {
    /// 1, 3, 5 or 7 games; `None` for any other number.
    pub const fn new(games: u8) -> Option<Self> {
        match games {
            1 | 3 | 5 | 7 => Some(Self(games)),
            _ => None,
        }
    }

    /// The number of games.
    pub const fn games(self) -> u8 {
        self.0
    }
}

/// A series between two players, whom the series numbers 0 and 1 whatever seat they have in a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Series {
    length: SeriesLength,
    wins: [u8; 2],
    played: u8,
}

impl Series {
    /// A series before its first game.
    pub const fn new(length: SeriesLength) -> Self {
        Self { length, wins: [0; 2], played: 0 }
    }

    /// The player who has seat 0 in the next game: the first player alternates.
    pub const fn first_player(&self) -> usize {
        (self.played % 2) as usize
    }

    /// Games won by each player.
    pub const fn wins(&self) -> [u8; 2] {
        self.wins
    }

    /// Counts a game by the returns of its seats; a draw counts as played.
    ///
    /// # Panics
    /// When the series is over.
    pub fn count(&mut self, returns: [f32; 2]) {
        assert!(!self.is_over(), "the series is over");
        if returns[0] != returns[1] {
            let winning_seat = usize::from(returns[1] > returns[0]);
            self.wins[winning_seat ^ self.first_player()] += 1;
        }
        self.played += 1;
    }

    /// Whether one player has won more than half of the games, or all are played.
    pub fn is_over(&self) -> bool {
        self.played == self.length.games() || self.wins.iter().any(|&wins| wins > self.length.games() / 2)
    }

    /// The player with more games won once the series is over; `None` for a drawn or unfinished one.
    pub fn winner(&self) -> Option<usize> {
        match self.is_over() && self.wins[0] != self.wins[1] {
            true => Some(usize::from(self.wins[1] > self.wins[0])),
            false => None,
        }
    }
}
