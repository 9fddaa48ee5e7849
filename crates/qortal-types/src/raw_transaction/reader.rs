//! Reads fields from bytes. Allocates nothing before the bytes are known to be present.

use crate::{
    Address, Amount, RawTransactionError, RawValue, Signature, base58,
    raw_transaction::layout::{Kind, Member, POLL_NAME},
};

/// Most options of a poll (class `Poll`).
const MAX_OPTIONS: i32 = 100;
/// Most payments that a transaction makes (class `MultiPaymentTransaction`).
const MAX_PAYMENTS: i32 = 400;
/// Bytes of an address.
const ADDRESS: usize = 25;

type Result<T> = std::result::Result<T, RawTransactionError>;

pub(super) struct Reader<'a> {
    bytes: &'a [u8],
    /// How many of them have been read.
    position: usize,
}

impl<'a> Reader<'a> {
    pub(super) const fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, position: 0 }
    }

    fn rest(&self) -> &'a [u8] {
        self.bytes.get(self.position..).unwrap_or_default()
    }

    fn slice(&mut self, member: &'static str, length: usize) -> Result<&'a [u8]> {
        let Some(taken) = self.rest().get(..length) else {
            return Err(RawTransactionError::Truncated {
                member,
                found: self.bytes.len(),
            });
        };
        self.position += length;
        Ok(taken)
    }

    pub(super) fn array<const N: usize>(&mut self, member: &'static str) -> Result<[u8; N]> {
        let mut array = [0; N];
        array.copy_from_slice(self.slice(member, N)?);
        Ok(array)
    }

    pub(super) fn int(&mut self, member: &'static str) -> Result<i32> {
        self.array(member).map(i32::from_be_bytes)
    }

    pub(super) fn long(&mut self, member: &'static str) -> Result<i64> {
        self.array(member).map(i64::from_be_bytes)
    }

    /// Eight bytes; the Core accepts no transaction of a negative amount, fee or price.
    pub(super) fn amount(&mut self, member: &'static str) -> Result<Amount> {
        let position = self.position;
        let amount = Amount::from_units(self.long(member)?);
        if amount < Amount::ZERO {
            return Err(RawTransactionError::Invalid {
                member,
                position,
                problem: "is negative",
            });
        }
        Ok(amount)
    }

    /// Four bytes that count something, of which there are at most `most`.
    pub(super) fn count(&mut self, member: &'static str, most: i32) -> Result<u32> {
        let position = self.position;
        let count = self.int(member)?;
        let invalid = |problem| RawTransactionError::Invalid {
            member,
            position,
            problem,
        };
        if count > most {
            return Err(invalid("is larger than the Core allows"));
        }
        u32::try_from(count).map_err(|_| invalid("is negative"))
    }

    fn flag(&mut self, member: &'static str) -> Result<bool> {
        self.array(member).map(|[byte]| byte != 0)
    }

    fn address(&mut self, member: &'static str) -> Result<Address> {
        let position = self.position;
        let bytes: [u8; ADDRESS] = self.array(member)?;
        base58::encode(&bytes)
            .parse()
            .map_err(|_| RawTransactionError::Invalid {
                member,
                position,
                problem: "is not an address",
            })
    }

    fn data(&mut self, member: &'static str, most: i32) -> Result<Vec<u8>> {
        let length = self.count(member, most)?;
        // On a machine where the length does not fit, the bytes do not either.
        let length = usize::try_from(length).unwrap_or(usize::MAX);
        self.slice(member, length).map(<[u8]>::to_vec)
    }

    fn text(&mut self, member: &'static str, most: i32) -> Result<String> {
        let position = self.position;
        String::from_utf8(self.data(member, most)?).map_err(|_| RawTransactionError::Invalid {
            member,
            position,
            problem: "is not UTF-8",
        })
    }

    fn word(
        &mut self,
        member: &'static str,
        length: usize,
        words: &'static [(i32, &'static str)],
    ) -> Result<&'static str> {
        let position = self.position;
        let number = match length {
            1 => i32::from(u8::from_be_bytes(self.array(member)?)),
            _ => self.int(member)?,
        };
        let found = words.iter().find(|(it, _)| *it == number);
        found
            .map(|(_, word)| *word)
            .ok_or(RawTransactionError::Invalid {
                member,
                position,
                problem: "is not a number known to the Core",
            })
    }

    /// Reads members and adds those that are there.
    pub(super) fn members(
        &mut self,
        members: &'static [Member],
        read: &mut Vec<(&'static str, RawValue)>,
    ) -> Result<()> {
        for (member, kind) in members {
            let is_of_no_amount = matches!(read.last(), Some((_, RawValue::Amount(Amount::ZERO))));
            if let Some(value) = self.value(member, *kind, is_of_no_amount)? {
                read.push((member, value));
            }
        }
        Ok(())
    }

    fn value(
        &mut self,
        member: &'static str,
        kind: Kind,
        is_of_no_amount: bool,
    ) -> Result<Option<RawValue>> {
        let value = match kind {
            Kind::Address => RawValue::Address(self.address(member)?),
            Kind::OptionalAddress if !self.flag(member)? => return Ok(None),
            Kind::OptionalAddress => RawValue::Address(self.address(member)?),
            Kind::Text(most) => RawValue::Text(self.text(member, most)?),
            Kind::OptionalText(most) => match self.text(member, most)? {
                text if text.is_empty() => return Ok(None),
                text => RawValue::Text(text),
            },
            Kind::Bytes(length) => RawValue::Bytes(self.slice(member, length)?.to_vec()),
            Kind::Data(most) => RawValue::Bytes(self.data(member, most)?),
            Kind::OptionalData(most) => match self.data(member, most)? {
                data if data.is_empty() => return Ok(None),
                data => RawValue::Bytes(data),
            },
            Kind::OptionalReference if !self.flag(member)? => return Ok(None),
            Kind::OptionalReference => {
                RawValue::Bytes(self.slice(member, Signature::BYTES)?.to_vec())
            }
            Kind::Amount => RawValue::Amount(self.amount(member)?),
            Kind::AssetOfAmount if is_of_no_amount => return Ok(None),
            Kind::AssetOfAmount | Kind::Long => RawValue::Integer(self.long(member)?),
            Kind::Int => RawValue::Integer(self.int(member)?.into()),
            Kind::Byte => RawValue::Integer(i8::from_be_bytes(self.array(member)?).into()),
            Kind::Flag => RawValue::Flag(self.flag(member)?),
            Kind::Word(length, words) => {
                RawValue::Text(self.word(member, length, words)?.to_owned())
            }
            Kind::Percent => RawValue::Percent(self.long(member)?),
            Kind::Payments => RawValue::List(self.items(member, MAX_PAYMENTS, PAYMENT)?),
            Kind::Options => RawValue::List(self.items(member, MAX_OPTIONS, OPTION)?),
        };
        Ok(Some(value))
    }

    fn items(
        &mut self,
        member: &'static str,
        most: i32,
        members: &'static [Member],
    ) -> Result<Vec<Vec<(&'static str, RawValue)>>> {
        let count = self.count(member, most)?;
        (0..count)
            .map(|_| {
                let mut item = Vec::new();
                self.members(members, &mut item)?;
                Ok(item)
            })
            .collect()
    }

    /// The signature at the end, if there is one.
    pub(super) fn signature(&mut self) -> Result<Option<[u8; Signature::BYTES]>> {
        let found = self.rest().len();
        match found {
            0 => Ok(None),
            1..=Signature::BYTES => self.array("the signature").map(Some),
            _ => Err(RawTransactionError::Excess { found }),
        }
    }
}

/// A payment among others (class `PaymentTransformer`).
const PAYMENT: &[Member] = &[
    ("recipient", Kind::Address),
    ("assetId", Kind::Long),
    ("amount", Kind::Amount),
];
/// An option of a poll.
const OPTION: &[Member] = &[("optionName", Kind::Text(POLL_NAME))];
