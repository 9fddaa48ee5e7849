//! Q-Shop (Qortal/q-shop 0738e27: src/wrappers/GlobalWrapper.tsx, src/pages/ProductManager).

use serde_json::Value;

use crate::qdn::{
    json::{items, text},
    sheet::Sheet,
};

/// The most products that are listed.
const PRODUCTS: usize = 500;

/// `{title, description, location, shipsTo, created, shortStoreId, logo, foreignCoins, supportedCoins}`.
pub(in crate::qdn) fn store(document: &Value, sheet: &mut Sheet) -> Option<()> {
    document
        .get("shipsTo")
        .or_else(|| document.get("shortStoreId"))?;
    document.get("title")?;
    sheet.title(document, "title");
    sheet.first_text(document, &["description"]);
    sheet.member("Location", document, "location");
    sheet.member("Ships to", document, "shipsTo");
    let coins = items(document, "supportedCoins").iter();
    let coins: Vec<_> = coins.filter_map(Value::as_str).take(20).collect();
    sheet.fact("Coins", &coins.join(", "));
    sheet.picture(document.get("logo"), Some("(logo)"));
    Some(())
}

/// `{storeId, shortStoreId, owner, products: {id: {created, priceQort, category, catalogueId, …}}}`, or a catalogue
/// `{id, products: {id: PRODUCT}}`.
pub(in crate::qdn) fn products(document: &Value, sheet: &mut Sheet) -> Option<()> {
    let products = document.get("products")?.as_object()?;
    sheet.fact("Products", &products.len().to_string());
    for (id, product) in products.iter().take(PRODUCTS) {
        let title = text(product, "title").unwrap_or(id);
        let price = price(product);
        let category = text(product, "category").unwrap_or_default();
        let parts = [title, &price, category];
        let parts: Vec<_> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        sheet.line(format!("- {}", parts.join(", ")));
    }
    Some(())
}

/// `{title, description, images, mainImageIndex, type, price: [{currency, value}], storeId, category, status, user}`.
pub(in crate::qdn) fn product(document: &Value, sheet: &mut Sheet) -> Option<()> {
    document.get("price")?;
    document.get("title")?;
    sheet.title(document, "title");
    sheet.first_text(document, &["description"]);
    sheet.fact("Price", &price(document));
    sheet.member("Category", document, "category");
    sheet.member("Type", document, "type");
    sheet.member("Status", document, "status");
    sheet.picture(document.get("images"), None);
    Some(())
}

/// The prices of a product, in each coin.
fn price(product: &Value) -> String {
    let prices = items(product, "price").iter().take(20).filter_map(|price| {
        let value = price.get("value").filter(|value| !value.is_object())?;
        let value = value
            .as_str()
            .map_or_else(|| value.to_string(), str::to_owned);
        let coin = text(price, "currency").unwrap_or("qort");
        Some(format!("{value} {}", coin.to_uppercase()))
    });
    let prices: Vec<_> = prices.collect();
    match product.get("priceQort").and_then(Value::as_f64) {
        Some(qort) if prices.is_empty() => format!("{qort} QORT"),
        _ => prices.join(" or "),
    }
}
