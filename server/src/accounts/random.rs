//! Chance, from the system: ids, keys, tokens.

use getrandom::fill;

/// The system gives no random numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the system gives no random numbers")]
pub struct NoChance;

const ALPHABET: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// The largest multiple of 62 in a byte: what is above it would favour the first letters.
const FAIR: u8 = 248;

/// A text of that many characters of `[0-9A-Za-z]`, each 5.95 bits.
pub fn random_text(chars: usize) -> Result<String, NoChance> {
    let mut text = String::with_capacity(chars);
    while text.len() < chars {
        let fair = random_bytes::<32>()?
            .into_iter()
            .filter(|byte| *byte < FAIR);
        let letters = fair.map(|byte| char::from(ALPHABET[usize::from(byte) % ALPHABET.len()]));
        text.extend(letters.take(chars - text.len()));
    }
    Ok(text)
}

pub(super) fn random_bytes<const N: usize>() -> Result<[u8; N], NoChance> {
    let mut bytes = [0; N];
    fill(&mut bytes).map_err(|_| NoChance)?;
    Ok(bytes)
}

pub(super) fn random_u64() -> Result<u64, NoChance> {
    random_bytes().map(u64::from_le_bytes)
}

/// A number to call something by, at random: as many bits as a JSON number keeps.
pub fn random_id() -> Result<i64, NoChance> {
    let bits = random_u64()? >> 11;
    Ok(i64::try_from(bits).expect("53 bits are no negative number"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_has_its_length_and_all_letters_occur() {
        let text = random_text(5000).unwrap();
        assert_eq!(text.len(), 5000);
        assert!(
            ALPHABET
                .iter()
                .all(|letter| text.contains(char::from(*letter)))
        );
    }

    #[test]
    fn an_id_is_a_positive_json_number() {
        for _ in 0..1000 {
            assert!((0..1 << 53).contains(&random_id().unwrap()));
        }
    }
}
