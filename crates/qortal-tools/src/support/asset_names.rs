//! The names of assets beside their numbers in answers.

use std::collections::{BTreeSet, HashMap};

use futures_util::future::try_join_all;
use qortal_client::{ApiError, NodeError, api::transactions::Transaction};
use qortal_types::AssetId;
use serde_json::{Map, Value};

use crate::declare::{Context, NodeResult};

/// Maximum number of assets whose names are requested for one answer. Answers rarely have two.
const MOST: usize = 20;

/// The known names of assets by number.
#[derive(Debug, Default)]
pub(crate) struct AssetNames(HashMap<u64, String>);

impl AssetNames {
    /// Finds the names of all assets in transactions. Most are in the transactions themselves. Multi-payments have
    /// numbers only, so their names take requests. The names are an optional part of the answer.
    pub(crate) async fn of_transactions<'a>(
        cx: &Context,
        transactions: impl IntoIterator<Item = &'a Transaction>,
    ) -> Self {
        let mut known = Self::default();
        let mut nameless = BTreeSet::new();
        for it in transactions {
            known.learn(&it.details, &mut nameless);
            let payments = it.details.get("payments").and_then(Value::as_array);
            for payment in payments.into_iter().flatten().filter_map(Value::as_object) {
                known.learn(payment, &mut nameless);
            }
        }
        nameless.retain(|it| !known.0.contains_key(it));
        let found = requested(cx, nameless).await;
        let found = cx.part("The names of assets are", found);
        known.0.extend(found.into_iter().flatten());
        known
    }

    fn learn(&mut self, fields: &Map<String, Value>, nameless: &mut BTreeSet<u64>) {
        for asset in ["asset", "haveAsset", "wantAsset"] {
            let field = |part| fields.get(&format!("{asset}{part}"));
            let number = field("Id").and_then(Value::as_u64);
            let Some(number) = number.filter(|it| *it != 0) else {
                continue;
            };
            if let Some(name) = field("Name").and_then(Value::as_str) {
                self.0.insert(number, name.to_owned());
            } else {
                nameless.insert(number);
            }
        }
    }

    /// Returns the name of an asset other than QORT, if known.
    pub(crate) fn get(&self, asset: AssetId) -> Option<&str> {
        self.0.get(&asset.number()).map(String::as_str)
    }
}

async fn requested(cx: &Context, assets: BTreeSet<u64>) -> Result<Vec<(u64, String)>, NodeError> {
    let found = assets.into_iter().take(MOST).map(|number| async move {
        let asset = cx.node.asset(AssetId::new(number)).await;
        let asset = asset.none_if(ApiError::INVALID_ASSET_ID)?;
        Ok(asset.map(|it| (number, it.name)))
    });
    let found: Vec<Option<_>> = try_join_all(found).await?;
    Ok(found.into_iter().flatten().collect())
}
