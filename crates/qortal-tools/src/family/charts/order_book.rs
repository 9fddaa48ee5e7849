//! The chart of the offers for one coin, by price.

use qortal_charts::{Canvas, Depth, Offer, Theme};
use qortal_client::api::crosschain::Trade;
use qortal_types::Blockchain;

use crate::{
    declare::{Context, ToolError},
    family::trade::{Offers, sum, symbol},
};

pub(super) async fn draw(
    cx: &Context,
    blockchain: &Blockchain,
    theme: Theme,
) -> Result<Canvas, ToolError> {
    let offers = Offers::of(cx, blockchain).await?;
    let symbol = symbol(blockchain);
    if offers.by_price.is_empty() {
        return Err(ToolError::not_found(
            "Nothing to draw.",
            format!("Nothing is offered for {symbol}. get_market_overview shows all coins."),
        ));
    }
    let prices = offers.by_price.iter().map(|(price, of_price)| {
        let amount = |it: &Trade| it.qort_amount;
        let online = of_price.iter().filter(|it| offers.is_online(it));
        Offer {
            price: price.units(),
            qort: sum(of_price.iter().map(amount)).units(),
            online: sum(online.map(amount)).units(),
        }
    });
    let prices: Vec<Offer> = prices.collect();
    let depth = Depth {
        symbol: &symbol,
        offers: &prices,
    };
    Ok(depth.draw(theme))
}
