//! The kinds of noise that a world file may name: one list, from which the enum, its ids and its names come.
//!
//! A kind is added by one line in the list. Its id is written into the world's hash, so it is explicit and
//! never reused; the order of the list means nothing.

macro_rules! noise_kinds {
    ($($(#[$doc:meta])* $kind:ident = $id:literal, $name:literal;)+) => {
        /// A kind of noise.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum NoiseKind {
            $($(#[$doc])* $kind,)+
        }

        impl NoiseKind {
            /// Every kind of this release.
            pub const ALL: &[NoiseKind] = &[$(NoiseKind::$kind),+];

            /// The kind's stable id, part of the world's hash.
            ///
            /// ```
            /// assert_eq!(terrane::config::NoiseKind::Perlin.id(), 1);
            /// ```
            pub const fn id(self) -> u32 {
                match self { $(NoiseKind::$kind => $id),+ }
            }

            /// The kind's name in world files.
            ///
            /// ```
            /// assert_eq!(terrane::config::NoiseKind::Perlin.name(), "perlin");
            /// ```
            pub const fn name(self) -> &'static str {
                match self { $(NoiseKind::$kind => $name),+ }
            }
        }
    };
}

noise_kinds! {
    /// Perlin's gradient noise on a square lattice.
    Perlin = 1, "perlin";
}

impl NoiseKind {
    /// The kind of that name, if there is one.
    ///
    /// ```
    /// use terrane::config::NoiseKind;
    ///
    /// assert_eq!(NoiseKind::from_name("perlin"), Some(NoiseKind::Perlin));
    /// assert_eq!(NoiseKind::from_name("Perlin"), None);
    /// ```
    pub fn from_name(name: &str) -> Option<NoiseKind> {
        Self::ALL.iter().copied().find(|kind| kind.name() == name)
    }
}

#[cfg(test)]
mod tests {
    use super::NoiseKind;

    #[test]
    fn ids_and_names_are_unique() {
        for (index, a) in NoiseKind::ALL.iter().enumerate() {
            for b in &NoiseKind::ALL[index + 1..] {
                assert_ne!(a.id(), b.id());
                assert_ne!(a.name(), b.name());
            }
        }
    }
}
