//! The plain page at the root: what this is and where the rest is.

use axum::response::Html;

const PAGE: &str = concat!(
    r#"<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Rookery</title>
<h1>Rookery</h1>
<p>A rated online chess server that is a true arbiter. This is version "#,
    env!("CARGO_PKG_VERSION"),
    r#".
<ul>
<li>Games are played over the WebSocket at <code>/ws</code>, subprotocol <code>rookery.v1</code>; <code>protocol/PROTOCOL.md</code> of the sources describes it.
<li>Accounts, finished games and the lobby are under <code>/api/v1</code>; <a href="/api/v1/openapi.json">the OpenAPI document</a> describes it.
<li><a href="/api/v1/games/live">Games being played now</a>, and <a href="/api/v1/lobby">open seeks and pools</a>.
</ul>
</html>
"#
);

pub(super) async fn page() -> Html<&'static str> {
    Html(PAGE)
}
