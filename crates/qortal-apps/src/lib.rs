#![doc = include_str!("../README.md")]

pub mod chat;
pub mod ciphertext;
pub mod embed;
pub mod text;
