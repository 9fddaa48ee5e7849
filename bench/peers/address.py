"""Whether a text is an address of Qortal: Base58 of 25 bytes, of which the last four are a checksum."""

import hashlib

DIGITS = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
VALUES = {digit: value for value, digit in enumerate(DIGITS)}
LENGTH = 25


def is_valid(text: str) -> bool:
    number = 0
    for character in text:
        value = VALUES.get(character)
        if value is None:
            return False
        number = number * 58 + value
        if number >> (8 * LENGTH):
            return False
    bytes_ = number.to_bytes(LENGTH, "big")
    if bytes_[0] not in (58, 23):
        return False
    digest = hashlib.sha256(hashlib.sha256(bytes_[:-4]).digest()).digest()
    return digest[:4] == bytes_[-4:]
