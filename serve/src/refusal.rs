//! What cannot be done, with its status and one sentence.

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use nodarium_agent::BuildError;
use nodarium_env::BadRules;
use nodarium_env::catalog::UnknownGame;
use nodarium_env::record::BadRecord;
use serde_json::json;

/// A request that is not carried out. It has changed nothing.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    /// Not JSON, or not the keys that were expected.
    #[error("the request cannot be read: {0}")]
    Malformed(String),
    /// Another content type than JSON: a form of another site could send that without asking.
    #[error("expected a body with the content type application/json")]
    NotJson,
    /// More bytes than a request may have.
    #[error("the request is too large: expected at most {0} bytes")]
    TooLarge(usize),
    /// The name under which the browser called is not one of this server.
    #[error("this server does not answer to that Host name")]
    WrongHost,
    /// Another site wants something done.
    #[error("requests from other sites are refused")]
    OtherSite,
    /// No such page.
    #[error("there is nothing at this address")]
    Nowhere,
    /// A known address, asked in a way that it does not know.
    #[error("this address does not take that method")]
    Method,
    /// No such session.
    #[error(
        "there is no such game: it may have been left alone for too long, or the server was started anew"
    )]
    UnknownSession,
    /// A key that opens nothing here.
    #[error("this key does not open a seat of this game")]
    WrongKey,
    /// The table is full.
    #[error("{0} games are open already: try again when one of them has ended")]
    TooManySessions(usize),
    /// Every thinking place was taken for too long.
    #[error("too many agents are thinking at once: try again in a moment")]
    Busy,
    /// Somebody else is to act, or the game has gone on.
    #[error("{0}")]
    OutOfTurn(String),
    /// Hidden from whoever asks.
    #[error("{0}")]
    Hidden(&'static str),
    /// Readable, and still not possible.
    #[error("{0}")]
    Impossible(String),
    /// A bug of ours.
    #[error("the server has failed at this request; the game is closed")]
    Failed,
}

impl Refusal {
    /// The HTTP status.
    pub fn status(&self) -> StatusCode {
        match self {
            Self::Malformed(_) => StatusCode::BAD_REQUEST,
            Self::NotJson => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Self::TooLarge(_) => StatusCode::PAYLOAD_TOO_LARGE,
            Self::WrongHost => StatusCode::MISDIRECTED_REQUEST,
            Self::OtherSite | Self::WrongKey | Self::Hidden(_) => StatusCode::FORBIDDEN,
            Self::Nowhere | Self::UnknownSession => StatusCode::NOT_FOUND,
            Self::Method => StatusCode::METHOD_NOT_ALLOWED,
            Self::TooManySessions(_) | Self::Busy => StatusCode::SERVICE_UNAVAILABLE,
            Self::OutOfTurn(_) => StatusCode::CONFLICT,
            Self::Impossible(_) => StatusCode::UNPROCESSABLE_ENTITY,
            Self::Failed => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let body = json!({"error": self.to_string()}).to_string();
        (self.status(), [(header::CONTENT_TYPE, "application/json")], body).into_response()
    }
}

impl From<BadRules> for Refusal {
    fn from(error: BadRules) -> Self {
        Self::Impossible(error.to_string())
    }
}

impl From<BadRecord> for Refusal {
    fn from(error: BadRecord) -> Self {
        Self::Impossible(format!("the record does not hold: {error}"))
    }
}

impl From<UnknownGame> for Refusal {
    fn from(error: UnknownGame) -> Self {
        Self::Impossible(error.to_string())
    }
}

impl From<BuildError> for Refusal {
    /// Without the name of the agent: that holds a path, which is none of the page's business.
    fn from(error: BuildError) -> Self {
        match error {
            BuildError::Checkpoint { .. } => {
                Self::Impossible("this agent cannot be had for this game and these rules".to_owned())
            }
            BuildError::Search { problem, .. } => Self::Impossible(problem.to_string()),
        }
    }
}
