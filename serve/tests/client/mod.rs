//! A client without a socket: requests go straight into the router.

use std::future::Future;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{Request, StatusCode};
use nodarium_serve::{Limits, Roster, router};
use serde_json::{Value, json};
use tower::ServiceExt as _;

/// Runs a test's requests on two threads, as a server would.
pub fn block_on<T>(work: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    runtime.expect("the system has threads").block_on(work)
}

#[derive(Clone)]
pub struct Client {
    router: Router,
    host: String,
    origin: Option<String>,
}

#[allow(dead_code)]
impl Client {
    pub fn new() -> Self {
        Self::with(Roster::bots(), Limits::default())
    }

    pub fn with(roster: Roster, limits: Limits) -> Self {
        Self { router: router(roster, limits, "127.0.0.1"), host: "localhost".to_owned(), origin: None }
    }

    pub fn host(&self, host: &str) -> Self {
        Self { host: host.to_owned(), ..self.clone() }
    }

    pub fn origin(&self, origin: &str) -> Self {
        Self { origin: Some(origin.to_owned()), ..self.clone() }
    }

    async fn answer(&self, method: &str, path: &str, kind: Option<&str>, body: Body) -> (StatusCode, String) {
        let mut request = Request::builder().method(method).uri(path).header("host", &self.host);
        if let Some(kind) = kind {
            request = request.header("content-type", kind);
        }
        if let Some(origin) = &self.origin {
            request = request.header("origin", origin);
        }
        self.ask(request.body(body)).await
    }

    async fn ask(&self, request: axum::http::Result<Request<Body>>) -> (StatusCode, String) {
        let request = request.expect("the request is well made");
        let response = self.router.clone().oneshot(request).await.expect("a router always answers");
        let status = response.status();
        let bytes = to_bytes(response.into_body(), usize::MAX).await.expect("the answer is whole");
        (status, String::from_utf8(bytes.to_vec()).expect("answers are text"))
    }

    pub async fn send(
        &self,
        method: &str,
        path: &str,
        kind: Option<&str>,
        body: &str,
    ) -> (StatusCode, Value) {
        let (status, text) = self.answer(method, path, kind, Body::from(body.to_owned())).await;
        (status, serde_json::from_str(&text).unwrap_or(Value::String(text)))
    }

    /// Sends a body with its length told beforehand, or not.
    pub async fn send_sized(&self, path: &str, body: &str, told_length: bool) -> (StatusCode, Value) {
        let mut request =
            Request::post(path).header("host", &self.host).header("content-type", "application/json");
        if told_length {
            request = request.header("content-length", body.len());
        }
        let (status, text) = self.ask(request.body(Body::from(body.to_owned()))).await;
        (status, serde_json::from_str(&text).expect("refusals are JSON"))
    }

    pub async fn get(&self, path: &str) -> (StatusCode, Value) {
        self.send("GET", path, None, "").await
    }

    pub async fn text(&self, path: &str) -> (StatusCode, String) {
        self.answer("GET", path, None, Body::empty()).await
    }

    pub async fn post(&self, path: &str, body: &Value) -> (StatusCode, Value) {
        self.send("POST", path, Some("application/json"), &body.to_string()).await
    }

    /// Opens a game that must open; seen with the first key.
    pub async fn create(&self, body: Value) -> Game {
        let (status, told) = self.post("/api/games", &body).await;
        assert_eq!(status, StatusCode::OK, "{told}");
        Game {
            client: self.clone(),
            id: told["id"].as_str().expect("a game has an id").to_owned(),
            key: told["keys"][0]["key"].as_str().expect("a game has a key").to_owned(),
            keys: told["keys"].clone(),
            state: told["state"].clone(),
        }
    }
}

#[allow(dead_code)]
pub struct Game {
    client: Client,
    id: String,
    pub key: String,
    pub keys: Value,
    pub state: Value,
}

#[allow(dead_code)]
impl Game {
    pub fn path(&self, end: &str) -> String {
        format!("/api/games/{}{end}", self.id)
    }

    pub fn address(&self, end: &str, more: &str) -> String {
        format!("{}?key={}{more}", self.path(end), self.key)
    }

    /// Plays the first legal move of the list.
    pub async fn play_first(&mut self) {
        let text = self.state["legal"][0]["moves"][0].clone();
        let body = json!({"key": self.key, "ply": self.state["plies"], "move": text});
        self.go("/play", &body).await;
    }

    /// Lets the agent play.
    pub async fn advance(&mut self) {
        let body = json!({"key": self.key, "ply": self.state["plies"]});
        self.go("/advance", &body).await;
    }

    async fn go(&mut self, end: &str, body: &Value) {
        let (status, told) = self.client.post(&self.path(end), body).await;
        assert_eq!(status, StatusCode::OK, "{told}");
        self.state = told;
    }
}
