//! The process's one collector of numbers. What is counted is known to whoever counts it.

use std::sync::OnceLock;
use std::time::Duration;

use metrics::{describe_gauge, gauge};
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};

/// Bounds of histograms of times, in seconds: from a move refereed in memory to a timeout.
const SECONDS: [f64; 14] = [
    0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0, 15.0,
];

/// How often samples are put into their buckets between two scrapes, so that memory stays bounded.
const UPKEEP_EVERY: Duration = Duration::from_secs(5);

static RECORDER: OnceLock<PrometheusHandle> = OnceLock::new();

/// The numbers of this process. There is one collector a process, whoever starts it first.
#[derive(Clone)]
pub struct Recorder(PrometheusHandle);

impl Recorder {
    /// Starts collecting, unless it was started before.
    pub fn start() -> Recorder {
        let handle = RECORDER.get_or_init(|| {
            PrometheusBuilder::new()
                .set_buckets_for_metric(Matcher::Suffix("_seconds".to_owned()), &SECONDS)
                .expect("there are bounds")
                .install_recorder()
                .expect("nothing else collects in this process")
        });
        describe_gauge!(
            "rookery_build_info",
            "Always 1; the label says which version runs"
        );
        gauge!("rookery_build_info", "version" => env!("CARGO_PKG_VERSION")).set(1.0);
        Recorder(handle.clone())
    }

    /// Keeps the collector small, for as long as the server runs.
    pub async fn run(self) {
        let mut ticks = tokio::time::interval(UPKEEP_EVERY);
        ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            ticks.tick().await;
            self.0.run_upkeep();
        }
    }

    pub(super) fn render(&self) -> String {
        self.0.render()
    }
}
