//! What a proxy in front of us says about a client's address: PROXY protocol version 2 (binary) and
//! `X-Forwarded-For`. Believed only from trusted peers; who those are is not decided here.

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use axum::http::HeaderMap;
use ipnet::IpNet;
use tokio::io::{AsyncRead, AsyncReadExt};

/// The first twelve bytes of a version 2 header. Neither HTTP nor TLS begins with a carriage return.
pub(super) const SIGNATURE: &[u8; 12] = b"\r\n\r\n\0\r\nQUIT\n";

/// The longest header read; with every known extension one has under 536 bytes.
const MAX_BYTES: u16 = 2048;

/// Reads a version 2 header and nothing behind it. None when the proxy speaks for itself (a health
/// check) or of an address family without addresses of ours: the peer's own address stands then.
pub(super) async fn read_header(io: &mut (impl AsyncRead + Unpin)) -> io::Result<Option<IpAddr>> {
    let mut head = [0; 16];
    io.read_exact(&mut head).await?;
    let length = u16::from_be_bytes([head[14], head[15]]);
    if head[..12] != *SIGNATURE || head[12] >> 4 != 2 || length > MAX_BYTES {
        return Err(io::Error::new(
            io::ErrorKind::InvalidData,
            "no PROXY v2 header",
        ));
    }
    let mut body = vec![0; usize::from(length)];
    io.read_exact(&mut body).await?;
    match head[12] & 0x0F {
        0 => Ok(None),
        1 => source(head[13] >> 4, &body),
        _ => Err(io::Error::new(
            io::ErrorKind::InvalidData,
            "unknown PROXY command",
        )),
    }
}

fn source(family: u8, body: &[u8]) -> io::Result<Option<IpAddr>> {
    let short = || io::Error::new(io::ErrorKind::InvalidData, "PROXY addresses cut short");
    match family {
        1 => {
            let bytes: [u8; 4] = body.get(..12).ok_or_else(short)?[..4]
                .try_into()
                .map_err(|_| short())?;
            Ok(Some(Ipv4Addr::from(bytes).into()))
        }
        2 => {
            let bytes: [u8; 16] = body.get(..36).ok_or_else(short)?[..16]
                .try_into()
                .map_err(|_| short())?;
            Ok(Some(Ipv6Addr::from(bytes).to_canonical()))
        }
        _ => Ok(None),
    }
}

/// The client behind `peer` by `X-Forwarded-For`: the last address in it that is not a trusted proxy's
/// own. What stands before that anyone may have written.
pub(super) fn forwarded_for(headers: &HeaderMap, peer: IpAddr, trusted: &[IpNet]) -> IpAddr {
    let mut client = peer;
    let lines: Vec<&str> = headers
        .get_all("x-forwarded-for")
        .iter()
        .filter_map(|line| line.to_str().ok())
        .collect();
    for entry in lines.iter().rev().flat_map(|line| line.rsplit(',')) {
        if !is_trusted(client, trusted) {
            break;
        }
        let Some(address) = address(entry.trim()) else {
            break;
        };
        client = address;
    }
    client
}

/// Whether `address` is one of ours in front.
pub(super) fn is_trusted(address: IpAddr, trusted: &[IpNet]) -> bool {
    trusted.iter().any(|net| net.contains(&address))
}

fn address(text: &str) -> Option<IpAddr> {
    let bare = text
        .strip_prefix('[')
        .and_then(|text| text.split_once(']'))
        .map_or(text, |(inside, _)| inside);
    let ip: Option<IpAddr> = bare.parse().ok();
    ip.or_else(|| {
        bare.parse::<std::net::SocketAddr>()
            .ok()
            .map(|address| address.ip())
    })
    .map(|ip| ip.to_canonical())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(version_command: u8, family: u8, body: &[u8]) -> Vec<u8> {
        let mut bytes = SIGNATURE.to_vec();
        bytes.extend([version_command, family]);
        bytes.extend((body.len() as u16).to_be_bytes());
        bytes.extend(body);
        bytes.extend(b"GET / HTTP/1.1");
        bytes
    }

    async fn read(bytes: &[u8]) -> (io::Result<Option<IpAddr>>, usize) {
        let mut rest = bytes;
        let found = read_header(&mut rest).await;
        (found, rest.len())
    }

    #[tokio::test]
    async fn a_header_is_read_and_nothing_behind_it() {
        let v4 = [192, 0, 2, 7, 10, 0, 0, 1, 1, 2, 3, 4];
        let (found, left) = read(&header(0x21, 0x11, &v4)).await;
        assert_eq!(found.unwrap(), Some("192.0.2.7".parse().unwrap()));
        assert_eq!(left, b"GET / HTTP/1.1".len());

        let mut v6 = [0; 36];
        v6[..4].copy_from_slice(&[0x20, 0x01, 0x0d, 0xb8]);
        v6[15] = 9;
        let (found, left) = read(&header(0x21, 0x21, &v6)).await;
        assert_eq!(found.unwrap(), Some("2001:db8::9".parse().unwrap()));
        assert_eq!(left, b"GET / HTTP/1.1".len());
    }

    #[tokio::test]
    async fn a_health_check_and_an_unknown_family_name_nobody() {
        assert_eq!(read(&header(0x20, 0x00, &[])).await.0.unwrap(), None);
        assert_eq!(read(&header(0x21, 0x31, &[0; 216])).await.0.unwrap(), None);
    }

    #[tokio::test]
    async fn what_is_no_header_is_refused() {
        let mut other_version = header(0x11, 0x11, &[0; 12]);
        assert!(read(&other_version).await.0.is_err());
        other_version[0] = b'G';
        assert!(read(&other_version).await.0.is_err());
        assert!(read(&header(0x21, 0x11, &[0; 11])).await.0.is_err());
        assert!(read(&header(0x22, 0x11, &[0; 12])).await.0.is_err());
        assert!(read(&header(0x21, 0x11, &[0; 3000])).await.0.is_err());
        assert!(read(&SIGNATURE[..8]).await.0.is_err());
    }

    #[test]
    fn the_last_address_that_is_not_a_proxy_of_ours_is_the_client() {
        let trusted: Vec<IpNet> = vec!["10.0.0.0/8".parse().unwrap()];
        let client = |lines: &[&str], peer: &str| {
            let mut headers = HeaderMap::new();
            for line in lines {
                headers.append("x-forwarded-for", line.parse().unwrap());
            }
            forwarded_for(&headers, peer.parse().unwrap(), &trusted).to_string()
        };
        assert_eq!(client(&[], "10.0.0.1"), "10.0.0.1");
        assert_eq!(client(&["203.0.113.5"], "10.0.0.1"), "203.0.113.5");
        assert_eq!(
            client(&["1.1.1.1, 203.0.113.5, 10.0.0.2"], "10.0.0.1"),
            "203.0.113.5"
        );
        assert_eq!(
            client(&["1.1.1.1", "203.0.113.5"], "10.0.0.1"),
            "203.0.113.5"
        );
        assert_eq!(client(&["[2001:db8::1]:443"], "10.0.0.1"), "2001:db8::1");
        assert_eq!(client(&["203.0.113.5, nonsense"], "10.0.0.1"), "10.0.0.1");
        assert_eq!(client(&["203.0.113.5"], "198.51.100.1"), "198.51.100.1");
    }
}
