//! What the events of a command come from.

/// How a command comes to its element: by which events it is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Hand {
    /// It presses, types or works by script.
    #[default]
    Press,
    /// The mouse only comes. For every other command its coming says nothing: the browser tells of
    /// it also when the page moves below a mouse that rests.
    Hover,
    /// No move of a mouse announces a finger.
    Finger,
}

impl Hand {
    /// Of a command.
    #[must_use]
    pub fn of(command: &str) -> Self {
        match command {
            "hover" => Self::Hover,
            "tap" => Self::Finger,
            _ => Self::Press,
        }
    }

    /// As the page script reads it.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Press => "press",
            Self::Hover => "hover",
            Self::Finger => "finger",
        }
    }
}
