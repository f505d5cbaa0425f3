//! Who may ask at all.

use std::net::IpAddr;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::header::{self, HeaderName};
use axum::http::{HeaderValue, Method};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};

use crate::{Refusal, Server};

/// What the page may load: scripts, pictures and answers of this server. Nothing may frame it.
pub const CONTENT_POLICY: &str = "default-src 'none'; script-src 'self'; img-src 'self' data:; connect-src 'self'; \
                                  base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Headers of every answer: nothing from elsewhere is loaded, nothing is framed, nothing is guessed.
const HEADERS: [(HeaderName, &str); 4] = [
    (header::CONTENT_SECURITY_POLICY, CONTENT_POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::CACHE_CONTROL, "no-store"),
];

/// Refuses calls under a foreign name, by which a site could reach a loopback server through its visitors' browsers,
/// and changes that another site asks for.
pub async fn guard(State(server): State<Arc<Server>>, request: Request, next: Next) -> Response {
    let mut response = match check(&server.host, &request) {
        Ok(()) => next.run(request).await,
        Err(refusal) => refusal.into_response(),
    };
    for (name, value) in HEADERS {
        response.headers_mut().entry(name).or_insert(HeaderValue::from_static(value));
    }
    response
}

fn check(own: &str, request: &Request) -> Result<(), Refusal> {
    let text = |name: HeaderName| request.headers().get(name).and_then(|value| value.to_str().ok());
    let host = text(header::HOST).ok_or(Refusal::WrongHost)?;
    if !is_ours(own, host) {
        return Err(Refusal::WrongHost);
    }
    let harmless = matches!(*request.method(), Method::GET | Method::HEAD);
    match request.headers().get(header::ORIGIN) {
        None => Ok(()),
        Some(_) if harmless => Ok(()),
        Some(origin) if origin.to_str().is_ok_and(|origin| origin == format!("http://{host}")) => Ok(()),
        Some(_) => Err(Refusal::OtherSite),
    }
}

/// Whether a Host header names this server. A number is never somebody else's name, so where the server listens to the
/// network, every numeric address will do.
fn is_ours(own: &str, host: &str) -> bool {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    };
    let bare = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name);
    let address = bare.parse::<IpAddr>();
    let loopback =
        |name: &str| name == "localhost" || name.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback());
    loopback(bare) || bare.eq_ignore_ascii_case(own) || !loopback(own) && address.is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_loopback_server_answers_to_loopback_names_only() {
        for host in ["localhost", "localhost:8017", "127.0.0.1:8017", "[::1]:8017", "127.0.0.1"] {
            assert!(is_ours("127.0.0.1", host), "{host}");
        }
        for host in [
            "",
            "evil.example",
            "evil.example:8017",
            "192.168.1.5:8017",
            "localhost.evil.example",
            "127.0.0.1.evil",
        ] {
            assert!(!is_ours("127.0.0.1", host), "{host}");
        }
    }

    #[test]
    fn a_server_for_the_network_answers_to_numbers_and_its_own_name() {
        for host in ["192.168.1.5:8017", "localhost:8017", "0.0.0.0:8017"] {
            assert!(is_ours("0.0.0.0", host), "{host}");
        }
        assert!(!is_ours("0.0.0.0", "evil.example"));
        assert!(is_ours("box.local", "BOX.local:8017"));
    }
}
