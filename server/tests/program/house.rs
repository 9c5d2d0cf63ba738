//! A server in a folder of its own, run as a process, and the commands run beside it.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

use tempfile::TempDir;

const PROGRAM: &str = env!("CARGO_BIN_EXE_rookery");

/// What a program said before it ended.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

/// Runs the program to its end. Variables of ours from outside do not reach it.
pub(crate) fn rookery(args: &[&str], stdin: &str) -> Ended {
    let mut child = command(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A program that reads nothing closes the pipe.
    let _ = child.stdin.take().unwrap().write_all(stdin.as_bytes());
    let ended = child.wait_with_output().unwrap();
    Ended {
        code: ended.status.code().unwrap_or(-1),
        out: String::from_utf8(ended.stdout).unwrap(),
        err: String::from_utf8(ended.stderr).unwrap(),
    }
}

fn command(args: &[&str]) -> Command {
    let mut command = Command::new(PROGRAM);
    command.args(args).env_clear();
    // Hashes as cheap as they come: what is tested is not how slow they are.
    command.env("ROOKERY_ACCOUNTS__HASH_MEMORY_KIB", "8");
    command.env("ROOKERY_ACCOUNTS__HASH_PASSES", "1");
    command
}

pub(crate) struct House {
    folder: Option<TempDir>,
    server: Child,
    address: String,
    admin_address: String,
}

impl House {
    pub(crate) fn serve(args: &[&str]) -> House {
        House::serve_on(tempfile::tempdir().unwrap(), args)
    }

    pub(crate) fn serve_on(folder: TempDir, args: &[&str]) -> House {
        let data = folder.path().join("data");
        let own = [
            "serve",
            "--listen",
            "127.0.0.1:0",
            "--admin-listen",
            "127.0.0.1:0",
            "--data",
        ];
        let mut server = command(&own)
            .arg(&data)
            .args(args)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(File::create(folder.path().join("log")).unwrap())
            .spawn()
            .unwrap();
        let out = BufReader::new(server.stdout.take().unwrap());
        let mut addresses = out
            .lines()
            .map_while(Result::ok)
            .filter_map(|line| Some(line.split_once("http://")?.1.split(' ').next()?.to_owned()));
        let address = addresses.next().expect("the server says where it is");
        let admin_address = addresses
            .next()
            .expect("the server says where operators look");
        House {
            folder: Some(folder),
            server,
            address,
            admin_address,
        }
    }

    /// Runs a command on the server's folder.
    pub(crate) fn run(&self, args: &[&str]) -> Ended {
        self.run_with(args, "")
    }

    pub(crate) fn run_with(&self, args: &[&str], stdin: &str) -> Ended {
        let data = self.folder().path().join("data");
        let args = [args, &["--data", data.to_str().unwrap()]].concat();
        rookery(&args, stdin)
    }

    pub(crate) fn get(&self, path: &str) -> String {
        self.get_with(path, "accept: */*")
    }

    pub(crate) fn get_with(&self, path: &str, header: &str) -> String {
        ask(
            &self.address,
            &format!("GET {path} HTTP/1.1\r\n{header}"),
            "",
        )
    }

    pub(crate) fn get_admin(&self, path: &str) -> String {
        ask(&self.admin_address, &format!("GET {path} HTTP/1.1"), "")
    }

    pub(crate) fn log_in(&self, name: &str, password: &str) -> String {
        let body = format!("{{\"name\":\"{name}\",\"password\":\"{password}\"}}");
        let head = "POST /api/v1/login HTTP/1.1\r\ncontent-type: application/json";
        ask(&self.address, head, &body)
    }

    /// Asks for a graceful stop.
    pub(crate) fn terminate(&self) {
        let pid = self.server.id().to_string();
        let sent = Command::new("kill").args(["-TERM", &pid]).status().unwrap();
        assert!(sent.success());
    }

    /// Waits for the end, and gives the exit code.
    pub(crate) fn wait(&mut self) -> i32 {
        self.server.wait().unwrap().code().unwrap_or(-1)
    }

    pub(crate) fn log(&self) -> String {
        std::fs::read_to_string(self.folder().path().join("log")).unwrap()
    }

    pub(crate) fn into_folder(mut self) -> TempDir {
        self.folder.take().expect("it is taken once")
    }

    fn folder(&self) -> &TempDir {
        self.folder.as_ref().expect("it is taken with the house")
    }
}

impl Drop for House {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

fn ask(address: &str, head: &str, body: &str) -> String {
    let mut socket = TcpStream::connect(address).unwrap();
    let length = body.len();
    let request =
        format!("{head}\r\nhost: x\r\nconnection: close\r\ncontent-length: {length}\r\n\r\n{body}");
    socket.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    socket.read_to_string(&mut answer).unwrap();
    answer
}
