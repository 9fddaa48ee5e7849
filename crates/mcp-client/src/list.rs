//! Complete lists, read page by page.

use std::{collections::HashSet, fmt};

use mcp_protocol::{
    Tool,
    read::{ListItem, Page},
};

use crate::{Client, ClientError};

/// An error while reading a list, with the entries of the pages before it. `?` converts it to its [`ClientError`].
///
/// ```no_run
/// use mcp_client::{Client, ClientError, mcp_protocol::Tool};
///
/// /// The tools that could be read, with a warning if there may be more.
/// async fn tools(client: &Client) -> Vec<Tool> {
///     client.list_all().await.unwrap_or_else(|unfinished| {
///         eprintln!("{unfinished}");
///         unfinished.items
///     })
/// }
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub struct ListError<T> {
    /// The entries of the pages that were read.
    pub items: Vec<T>,
    /// The error that ended the list.
    pub error: ClientError,
}

impl<T> fmt::Display for ListError<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let read = self.items.len();
        write!(f, "{}, after {read} entries of the list", self.error)
    }
}

impl<T: fmt::Debug> std::error::Error for ListError<T> {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.error)
    }
}

impl<T> From<ListError<T>> for ClientError {
    fn from(unfinished: ListError<T>) -> Self {
        unfinished.error
    }
}

impl Client {
    /// Returns one page of a list of [`Tool`], [`Prompt`](mcp_protocol::Prompt), [`Resource`](mcp_protocol::Resource) or
    /// [`ResourceTemplate`](mcp_protocol::ResourceTemplate). Pass the cursor of the previous page, or `None` for the first page.
    ///
    /// # Errors
    /// Fails as [`Client::request`] does.
    pub async fn list_page<T: ListItem>(
        &self,
        cursor: Option<&str>,
    ) -> Result<Page<T>, ClientError> {
        let params = cursor.map(|it| ("cursor".to_owned(), it.into()));
        let mut result = self
            .request(T::METHOD.as_str(), params.into_iter().collect())
            .await?;
        if T::METHOD == Tool::METHOD && self.repeats_parameters() {
            self.learn_parameters(&mut result, cursor.is_none());
        }
        Ok(serde_json::from_value(result)?)
    }

    /// Reads all pages of a list. Entries that cannot be decoded are left out.
    ///
    /// # Errors
    /// Fails as [`Client::request`] does. Also returns [`ClientError::Cursor`] if a cursor is empty or repeated, and
    /// [`ClientError::TooMany`] beyond [`ClientLimits::list_pages`](crate::ClientLimits::list_pages). The error
    /// contains the entries that were read before it.
    pub async fn list_all<T: ListItem>(&self) -> Result<Vec<T>, ListError<T>> {
        let mut items = Vec::new();
        match self.append_pages(&mut items).await {
            Ok(()) => Ok(items),
            Err(error) => Err(ListError { items, error }),
        }
    }

    async fn append_pages<T: ListItem>(&self, items: &mut Vec<T>) -> Result<(), ClientError> {
        let limit = self.limits().list_pages;
        let (mut seen, mut cursor) = (HashSet::new(), None);
        for _ in 0..limit {
            let page = self.list_page::<T>(cursor.as_deref()).await?;
            items.extend(page.items);
            let Some(next) = page.next_cursor else {
                return Ok(());
            };
            if next.is_empty() || !seen.insert(next.clone()) {
                return Err(ClientError::Cursor(next));
            }
            cursor = Some(next);
        }
        let what = "pages";
        Err(ClientError::TooMany { what, limit })
    }
}
