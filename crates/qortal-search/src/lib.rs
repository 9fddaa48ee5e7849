#![doc = include_str!("../README.md")]

mod index;
mod requests;
mod terms;
mod vocabulary;
mod words;

pub use self::{
    index::{Field, Index},
    requests::{Request, request},
    words::Words,
};
