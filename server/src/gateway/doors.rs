//! What a node lets in, and how many: connections, connections and sockets of one address, handshakes under way.
//! An IPv6 address counts as its /64, which one customer usually has whole.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::Arc;

use parking_lot::Mutex;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::GatewayConfig;

/// The limits of one node and its counters.
#[derive(Debug)]
pub struct Doors {
    config: GatewayConfig,
    connections: Arc<Semaphore>,
    handshakes: Arc<Semaphore>,
    connections_by_address: ByAddress,
    sockets_by_address: ByAddress,
}

/// Which bound was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Full {
    /// All connections, or all handshakes.
    Node,
    /// Those of this address.
    Address,
}

/// A place taken; given back when dropped.
#[derive(Debug)]
pub(super) struct Place {
    _connection: OwnedSemaphorePermit,
}

impl Doors {
    /// Nobody is in.
    pub fn new(config: GatewayConfig) -> Doors {
        Doors {
            connections: Arc::new(Semaphore::new(config.max_connections)),
            handshakes: Arc::new(Semaphore::new(config.max_handshakes)),
            connections_by_address: ByAddress::new(config.max_connections_per_address),
            sockets_by_address: ByAddress::new(config.max_sockets_per_address),
            config,
        }
    }

    /// The limits.
    pub fn config(&self) -> &GatewayConfig {
        &self.config
    }

    /// A place for a connection, and one for its handshake.
    pub(super) fn connection(&self) -> Result<(Place, OwnedSemaphorePermit), Full> {
        let connection = self.connections.clone().try_acquire_owned();
        let handshake = self.handshakes.clone().try_acquire_owned();
        match (connection, handshake) {
            (Ok(connection), Ok(handshake)) => Ok((
                Place {
                    _connection: connection,
                },
                handshake,
            )),
            _ => Err(Full::Node),
        }
    }

    /// A place among the connections of an address.
    pub(super) fn connection_from(&self, address: IpAddr) -> Result<AddressPlace, Full> {
        self.connections_by_address.take(address)
    }

    /// A place among the sockets of an address.
    pub(super) fn socket_from(&self, address: IpAddr) -> Result<AddressPlace, Full> {
        self.sockets_by_address.take(address)
    }
}

/// A bounded count for each address that has one; bounded itself by the connections there are.
#[derive(Clone, Debug)]
struct ByAddress {
    most: usize,
    counts: Arc<Mutex<HashMap<IpAddr, usize>>>,
}

/// A place among those of an address; given back when dropped.
#[derive(Debug)]
pub(super) struct AddressPlace {
    of: ByAddress,
    address: IpAddr,
}

impl ByAddress {
    fn new(most: usize) -> ByAddress {
        ByAddress {
            most,
            counts: Arc::default(),
        }
    }

    fn take(&self, address: IpAddr) -> Result<AddressPlace, Full> {
        let address = customer(address);
        let mut counts = self.counts.lock();
        let count = counts.entry(address).or_default();
        if *count >= self.most {
            return Err(Full::Address);
        }
        *count += 1;
        Ok(AddressPlace {
            of: self.clone(),
            address,
        })
    }
}

impl Drop for AddressPlace {
    fn drop(&mut self) {
        let mut counts = self.of.counts.lock();
        if let Some(count) = counts.get_mut(&self.address) {
            *count -= 1;
            if *count == 0 {
                counts.remove(&self.address);
            }
        }
    }
}

/// The bits of an address below the /64 are the customer's own to choose.
const CUSTOMER_MASK: u128 = !(u64::MAX as u128);

fn customer(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(v6) => Ipv6Addr::from_bits(v6.to_bits() & CUSTOMER_MASK).into(),
        v4 @ IpAddr::V4(_) => v4,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn doors() -> Doors {
        Doors::new(GatewayConfig {
            max_connections: 2,
            max_handshakes: 1,
            max_sockets_per_address: 1,
            ..GatewayConfig::default()
        })
    }

    #[test]
    fn a_place_is_given_back_when_dropped() {
        let doors = doors();
        let (first, handshake) = doors.connection().unwrap();
        assert_eq!(doors.connection().unwrap_err(), Full::Node);
        drop(handshake);
        let (_second, handshake) = doors.connection().unwrap();
        drop(handshake);
        assert_eq!(doors.connection().unwrap_err(), Full::Node);
        drop(first);
        assert!(doors.connection().is_ok());
    }

    #[test]
    fn a_whole_64_is_one_customer_and_a_mapped_address_is_the_old_one() {
        let doors = doors();
        let take = |address: &str| doors.socket_from(address.parse().unwrap());
        let held = take("2001:db8::1").unwrap();
        assert_eq!(take("2001:db8::ffff:1").unwrap_err(), Full::Address);
        let _next_door = take("2001:db8:0:1::1").unwrap();
        drop(held);
        let _again = take("2001:db8::2").unwrap();
        let _v4 = take("192.0.2.1").unwrap();
        assert_eq!(take("::ffff:192.0.2.1").unwrap_err(), Full::Address);
    }
}
