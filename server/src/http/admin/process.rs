//! What the system says of this process, under the names that every dashboard knows. Linux alone tells
//! it in `/proc`; elsewhere these numbers are absent.

use metrics::{Unit, counter, describe_counter, describe_gauge, gauge};

/// Ticks of a second in `/proc/self/stat`: 100 on every Linux (`getconf CLK_TCK`).
const TICKS_PER_SECOND: u64 = 100;

/// Bytes of a page where it matters: x86-64 and most of arm64.
const PAGE_BYTES: f64 = 4096.0;

/// Takes the numbers of this moment.
pub(super) fn measure() {
    let Some(stat) = read_stat() else { return };
    describe_counter!(
        "process_cpu_seconds_total",
        Unit::Seconds,
        "User and system time, whole seconds"
    );
    describe_gauge!(
        "process_resident_memory_bytes",
        Unit::Bytes,
        "Resident memory"
    );
    describe_gauge!("process_threads", "Threads of the process");
    describe_gauge!("process_open_fds", "Open file descriptors");
    counter!("process_cpu_seconds_total").absolute(stat.cpu_ticks / TICKS_PER_SECOND);
    gauge!("process_resident_memory_bytes").set(stat.resident_pages * PAGE_BYTES);
    gauge!("process_threads").set(stat.threads);
    if let Ok(open) = std::fs::read_dir("/proc/self/fd") {
        gauge!("process_open_fds").set(open.count() as f64);
    }
}

struct Stat {
    cpu_ticks: u64,
    threads: f64,
    resident_pages: f64,
}

/// Fields of proc(5), counted after the name, which may hold spaces.
fn read_stat() -> Option<Stat> {
    let text = std::fs::read_to_string("/proc/self/stat").ok()?;
    let (_, fields) = text.rsplit_once(") ")?;
    let fields: Vec<u64> = fields
        .split_whitespace()
        .map(|field| field.parse().unwrap_or_default())
        .collect();
    Some(Stat {
        cpu_ticks: fields.get(11)? + fields.get(12)?,
        threads: *fields.get(17)? as f64,
        resident_pages: *fields.get(21)? as f64,
    })
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn this_process_has_threads_and_memory() {
        let stat = read_stat().unwrap();
        assert!(stat.threads >= 1.0);
        assert!(stat.resident_pages > 100.0);
    }
}
