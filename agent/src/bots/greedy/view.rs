//! An observation by the names of its fields.

use nodarium_env::Layout;

/// What a seat sees.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    layout: &'a Layout,
    numbers: &'a [f32],
}

impl<'a> View<'a> {
    /// The numbers of an observation with their layout.
    pub fn new(layout: &'a Layout, numbers: &'a [f32]) -> Self {
        Self { layout, numbers }
    }

    /// The numbers of a field.
    ///
    /// # Panics
    /// When the observation has no such field.
    pub fn field(&self, name: &str) -> &'a [f32] {
        let range =
            self.layout.fields().iter().find(|field| field.name == name).map(|field| field.range.clone());
        &self.numbers[range.unwrap_or_else(|| panic!("the observation has no field `{name}`"))]
    }

    /// The first number of a field.
    pub fn number(&self, name: &str) -> f32 {
        self.field(name)[0]
    }

    /// Whether the number at that place of a field is not zero.
    pub fn flag(&self, name: &str, place: usize) -> bool {
        self.field(name)[place] != 0.0
    }
}
