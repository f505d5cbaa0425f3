//! The board, read off its picture.

use std::collections::HashMap;

/// The board as the rules page draws it: `*corner*`, `(square)`, edges bare.
const PICTURE: &str = "
                     *0*  0  *1*
                      1  (0)  2
             *2*  3  *3*  4  *4*  5  *5*
              6  (1)  7  (2)  8  (3)  9
     *6* 10  *7* 11  *8* 12  *9* 13 *10* 14 *11*
     15  (4) 16  (5) 17  (6) 18  (7) 19  (8) 20
    *12* 21 *13* 22 *14* 23 *15* 24 *16* 25 *17*
             26  (9) 27 (10) 28 (11) 29
            *18* 30 *19* 31 *20* 32 *21*
                     33 (12) 34
                    *22* 35 *23*
";

/// What touches what.
pub struct Board {
    /// The two corners of each edge.
    pub edge_corners: Vec<Vec<usize>>,
    /// The one or two squares on the sides of each edge.
    pub edge_squares: Vec<Vec<usize>>,
    /// The four corners of each square.
    pub square_corners: Vec<Vec<usize>>,
    /// The four edges of each square.
    pub square_edges: Vec<Vec<usize>>,
}

impl Board {
    pub fn read() -> Self {
        let mut at: HashMap<(char, usize), (i32, i32)> = HashMap::new();
        for (row, line) in PICTURE.lines().enumerate() {
            let mut from = 0;
            for word in line.split(' ') {
                if let Ok(number) = word.trim_matches(['*', '(', ')']).parse() {
                    let kind = match word.chars().next() {
                        Some('*') => 'c',
                        Some('(') => 's',
                        _ => 'e',
                    };
                    // The first column has its middle at character 6, the next ones four characters further each.
                    let middle = from as f64 + (word.len() as f64 - 1.0) / 2.0;
                    at.insert((kind, number), (row as i32, ((middle - 6.0) / 4.0).round() as i32));
                }
                from += word.len() + 1;
            }
        }
        let near = |kind: char, number: usize, other: char, steps: &[(i32, i32)]| -> Vec<usize> {
            let (row, column) = at[&(kind, number)];
            let found = |&&(k, n): &&(char, usize)| {
                k == other && steps.iter().any(|&(r, c)| at[&(k, n)] == (row + r, column + c))
            };
            let mut list: Vec<usize> = at.keys().filter(found).map(|&(_, n)| n).collect();
            list.sort_unstable();
            list
        };
        let beside = [(0, 1), (0, -1), (1, 0), (-1, 0)];
        let across = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
        Self {
            edge_corners: (0..36).map(|e| near('e', e, 'c', &beside)).collect(),
            edge_squares: (0..36).map(|e| near('e', e, 's', &beside)).collect(),
            square_corners: (0..13).map(|s| near('s', s, 'c', &across)).collect(),
            square_edges: (0..13).map(|s| near('s', s, 'e', &beside)).collect(),
        }
    }
}
