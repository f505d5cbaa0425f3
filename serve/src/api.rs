//! The HTTP interface: requests in, sessions asked on threads that may block, JSON out.

use std::sync::Arc;

use axum::Router;
use axum::body::to_bytes;
use axum::extract::rejection::QueryRejection;
use axum::extract::{FromRequest, Path, Query, Request, State};
use axum::http::{HeaderMap, header};
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use nodarium_env::games::starduel::{BUILT_IN_CARDS, BUILT_IN_MAP};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tokio::time::timeout;

use crate::guard::guard;
use crate::session::{self, Session, Start, millis};
use crate::sessions::{Open, Viewer};
use crate::{Refusal, Server, page};

type Shared = State<Arc<Server>>;
type Answer = Result<Response, Refusal>;

/// Every address.
pub fn routes(server: Arc<Server>) -> Router {
    Router::new()
        .route("/", get(page::index))
        .route("/{file}", get(page::file))
        .route("/api/agents", get(agents))
        .route("/api/starduel", get(starduel))
        .route("/api/records", post(load))
        .route("/api/games", post(create))
        .route("/api/games/{id}", get(state).delete(close))
        .route("/api/games/{id}/play", post(play))
        .route("/api/games/{id}/advance", post(advance))
        .route("/api/games/{id}/undo", post(undo))
        .route("/api/games/{id}/think", post(think))
        .route("/api/games/{id}/record", get(record))
        .fallback(async || Refusal::Nowhere)
        .method_not_allowed_fallback(async || Refusal::Method)
        .layer(from_fn_with_state(server.clone(), guard))
        .with_state(server)
}

/// The body of a request as JSON, no larger than allowed.
struct Body<T>(T);

impl<T: DeserializeOwned> FromRequest<Arc<Server>> for Body<T> {
    type Rejection = Refusal;

    async fn from_request(request: Request, server: &Arc<Server>) -> Result<Self, Refusal> {
        let limit = server.limits.body;
        check_head(request.headers(), limit)?;
        let bytes = to_bytes(request.into_body(), limit).await.map_err(|_| Refusal::TooLarge(limit))?;
        let body = serde_json::from_slice(&bytes).map_err(|error| Refusal::Malformed(error.to_string()))?;
        Ok(Self(body))
    }
}

/// What can be told before the body has come.
fn check_head(headers: &HeaderMap, limit: usize) -> Result<(), Refusal> {
    let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
    let kind = text(header::CONTENT_TYPE).and_then(|kind| kind.split(';').next()).map(str::trim);
    if !kind.is_some_and(|kind| kind.eq_ignore_ascii_case("application/json")) {
        return Err(Refusal::NotJson);
    }
    let length = text(header::CONTENT_LENGTH).and_then(|length| length.parse::<usize>().ok());
    match length.is_some_and(|length| length > limit) {
        true => Err(Refusal::TooLarge(limit)),
        false => Ok(()),
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Look {
    key: String,
    ply: Option<usize>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Play {
    key: String,
    ply: usize,
    #[serde(rename = "move")]
    text: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Advance {
    key: String,
    ply: usize,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Undo {
    key: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Think {
    key: String,
    ply: usize,
    agent: usize,
    /// Whether the best moves come with how play might go on.
    #[serde(default)]
    lines: bool,
}

fn told(value: &Value) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], value.to_string()).into_response()
}

async fn agents(State(server): Shared) -> Response {
    told(&json!({"version": env!("CARGO_PKG_VERSION"), "agents": server.roster.told()}))
}

/// The cards and the links of Star Duel, which every player knows.
async fn starduel() -> Response {
    let body = format!("{{\"cards\":{BUILT_IN_CARDS},\"map\":{BUILT_IN_MAP}}}");
    ([(header::CONTENT_TYPE, "application/json")], body).into_response()
}

async fn create(State(server): Shared, Body(start): Body<Start>) -> Answer {
    let chance = u64::from(getrandom::u32().expect("the system has random numbers"));
    let maker = server.clone();
    let made = blocking(move || session::start(&start, &maker.roster, chance)).await?;
    open(&server, made).await
}

async fn load(State(server): Shared, Body(told): Body<Value>) -> Answer {
    // Read once as any JSON, so that what is no JSON at all is told apart from what is no record.
    let made = blocking(move || session::load(&told.to_string())).await?;
    open(&server, made).await
}

/// A new session with its keys and its first state.
async fn open(server: &Arc<Server>, session: Box<dyn Session>) -> Answer {
    let (id, open) = server.sessions.open(session)?;
    let keys: Vec<Value> = open
        .keys
        .iter()
        .map(|(viewer, key)| match viewer {
            Viewer::Seat(seat) => json!({"seat": seat.0, "key": key}),
            Viewer::All => json!({"seat": null, "key": key}),
        })
        .collect();
    let first = open.keys[0].0;
    let state = ask(server, &id, &open, move |session| session.state(first, None)).await?;
    Ok(told(&json!({"id": id, "keys": keys, "state": state})))
}

async fn state(
    State(server): Shared,
    Path(id): Path<String>,
    look: Result<Query<Look>, QueryRejection>,
) -> Answer {
    let Query(Look { key, ply }) =
        look.map_err(|_| Refusal::Malformed("expected ?key=KEY&ply=PLY".to_owned()))?;
    let (open, viewer) = server.sessions.get(&id, &key)?;
    Ok(told(&ask(&server, &id, &open, move |session| session.state(viewer, ply)).await?))
}

async fn play(State(server): Shared, Path(id): Path<String>, Body(play): Body<Play>) -> Answer {
    let (open, viewer) = server.sessions.get(&id, &play.key)?;
    let after = ask(&server, &id, &open, move |session| {
        session.play(viewer, play.ply, &play.text)?;
        session.state(viewer, None)
    });
    Ok(told(&after.await?))
}

async fn advance(State(server): Shared, Path(id): Path<String>, Body(advance): Body<Advance>) -> Answer {
    let (open, viewer) = server.sessions.get(&id, &advance.key)?;
    let after = think_and_ask(&server, &id, &open, move |session| {
        let time = session.advance(advance.ply)?;
        let mut state = session.state(viewer, None)?;
        state["time_ms"] = millis(time);
        Ok(state)
    });
    Ok(told(&after.await?))
}

async fn undo(State(server): Shared, Path(id): Path<String>, Body(undo): Body<Undo>) -> Answer {
    let (open, viewer) = server.sessions.get(&id, &undo.key)?;
    let after = ask(&server, &id, &open, move |session| {
        session.undo(viewer)?;
        session.state(viewer, None)
    });
    Ok(told(&after.await?))
}

async fn think(State(server): Shared, Path(id): Path<String>, Body(think): Body<Think>) -> Answer {
    let (open, viewer) = server.sessions.get(&id, &think.key)?;
    let agent = server.roster.get(think.agent).cloned();
    let agent =
        agent.ok_or_else(|| Refusal::Impossible(format!("there is no agent {} in the list", think.agent)))?;
    let thought = think_and_ask(&server, &id, &open, move |session| {
        session.think(viewer, think.ply, &agent, think.lines)
    })
    .await?;
    Ok(told(&thought))
}

async fn record(
    State(server): Shared,
    Path(id): Path<String>,
    look: Result<Query<Look>, QueryRejection>,
) -> Answer {
    let Query(Look { key, .. }) = look.map_err(|_| Refusal::Malformed("expected ?key=KEY".to_owned()))?;
    let (open, viewer) = server.sessions.get(&id, &key)?;
    let line = ask(&server, &id, &open, move |session| session.record(viewer)).await?;
    Ok(([(header::CONTENT_TYPE, "application/json")], line).into_response())
}

async fn close(
    State(server): Shared,
    Path(id): Path<String>,
    look: Result<Query<Look>, QueryRejection>,
) -> Answer {
    let Query(Look { key, .. }) = look.map_err(|_| Refusal::Malformed("expected ?key=KEY".to_owned()))?;
    server.sessions.get(&id, &key)?;
    server.sessions.close(&id);
    Ok(told(&json!({"closed": true})))
}

/// Asks a session when it is free.
async fn ask<T: Send + 'static>(
    server: &Arc<Server>,
    id: &str,
    open: &Open,
    work: impl FnOnce(&mut dyn Session) -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    let session = timeout(server.limits.wait, open.session.clone().lock_owned());
    let mut session = session.await.map_err(|_| Refusal::Busy)?;
    kept(server, id, blocking(move || work(&mut **session)).await)
}

/// Asks a session for an agent's thought when it is free and there is a thinking place.
async fn think_and_ask<T: Send + 'static>(
    server: &Arc<Server>,
    id: &str,
    open: &Open,
    work: impl FnOnce(&mut dyn Session) -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    let session = timeout(server.limits.wait, open.session.clone().lock_owned());
    let mut session = session.await.map_err(|_| Refusal::Busy)?;
    // The session first: who waits for a game keeps no place from others.
    let place = timeout(server.limits.wait, server.thinking.clone().acquire_owned());
    let place = place.await.map_err(|_| Refusal::Busy)?.map_err(|_| Refusal::Failed)?;
    let done = blocking(move || {
        let done = work(&mut **session);
        drop(place);
        done
    });
    kept(server, id, done.await)
}

/// A session that fails is closed: what it holds cannot be believed any more.
fn kept<T>(server: &Server, id: &str, done: Result<T, Refusal>) -> Result<T, Refusal> {
    if matches!(done, Err(Refusal::Failed)) {
        server.sessions.close(id);
    }
    done
}

/// Runs on a thread that may block.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    tokio::task::spawn_blocking(work).await.unwrap_or(Err(Refusal::Failed))
}
