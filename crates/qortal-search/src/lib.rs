#![doc = include_str!("../README.md")]

mod index;
mod requests;
mod terms;
mod vocabulary;

pub use self::{
    index::{Field, Index},
    requests::{Request, request},
};
