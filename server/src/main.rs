//! The program `rookery`: reads the command line and hands over.

mod cli;

fn main() -> std::process::ExitCode {
    cli::run()
}
