//! TLS from two PEM files. Knows no socket.

use std::path::Path;
use std::sync::Arc;

use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::pki_types::pem::{self, PemObject};
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::{self, ServerConfig};

/// Why TLS cannot be offered.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// The certificates.
    #[error("cannot read the certificates: {0}")]
    Certificates(pem::Error),
    /// The key.
    #[error("cannot read the private key: {0}")]
    Key(pem::Error),
    /// They do not fit.
    #[error("certificate and key are not usable: {0}")]
    Unusable(#[from] rustls::Error),
}

/// What turns connections into TLS ones: the chain of certificates in one PEM file, its key in another.
pub fn acceptor(certificates: &Path, key: &Path) -> Result<TlsAcceptor, TlsError> {
    let chain = CertificateDer::pem_file_iter(certificates)
        .and_then(Iterator::collect)
        .map_err(TlsError::Certificates)?;
    let key = PrivateKeyDer::from_pem_file(key).map_err(TlsError::Key)?;
    acceptor_of(chain, key)
}

pub(super) fn acceptor_of(
    chain: Vec<CertificateDer<'static>>,
    key: PrivateKeyDer<'static>,
) -> Result<TlsAcceptor, TlsError> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()?
        .with_no_client_auth()
        .with_single_cert(chain, key)?;
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(TlsAcceptor::from(Arc::new(config)))
}
