#![doc = include_str!("../README.md")]

pub mod chat;
pub mod ciphertext;
pub mod embed;
pub mod identifier;
pub mod link;
pub mod marker;
pub mod qdn;
pub mod rating;
pub mod text;
