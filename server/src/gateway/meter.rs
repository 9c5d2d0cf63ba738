//! What the gateway's numbers mean. Names and units are part of the interface: dashboards and alerts are
//! written against them.

use metrics::{describe_counter, describe_gauge};

pub(super) fn describe() {
    describe_counter!(
        "rookery_connections_refused_total",
        "TCP connections turned away because a bound was reached, by bound"
    );
    describe_counter!("rookery_ws_opened_total", "WebSockets opened");
    describe_counter!(
        "rookery_ws_closed_total",
        "WebSockets closed, by close code"
    );
    describe_gauge!("rookery_ws_connections", "WebSockets that are open");
    describe_counter!("rookery_messages_total", "Messages, by direction and type");
    describe_counter!(
        "rookery_message_errors_total",
        "Requests refused, by the code of the error"
    );
    describe_counter!(
        "rookery_slow_consumers_total",
        "WebSockets closed because their reader was too slow"
    );
}
