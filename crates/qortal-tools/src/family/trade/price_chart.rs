//! Prices over time, as a picture.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use qortal_types::Blockchain;
use tool_schema::Bounded;

use super::{
    candles::{Interval, Prices},
    chart::Chart,
    history::{HistoryQuery, PriceHistory, history},
};
use crate::{
    context::Context,
    declare::{Attachment, Moment, Reply, Tool},
    error::ToolError,
    resource::Body,
};

pub(super) struct GetPriceChart;

params! {
    pub(super) struct GetPriceChartParams {
        /// The coin.
        blockchain: Blockchain,
        /// How long a candle is, in UTC.
        interval: Interval = Interval::Day,
        /// From when on. If omitted, as many intervals back as limit.
        after: Option<Moment>,
        /// How many candles to draw.
        limit: Bounded<1, 100> = Bounded::new(24),
        #[flatten]
        prices: Prices
    }
}

impl Tool for GetPriceChart {
    const NAME: &'static str = "get_price_chart";
    const TITLE: &'static str = "Price chart";
    const DESCRIPTION: &'static str = "Draw a candlestick chart (PNG) of the trades for one coin, with the numbers. Only numbers: get_price_history.";
    const EXAMPLE: &'static str = r#"{"blockchain":"LITECOIN","interval":"hour"}"#;
    const PICTURES: bool = true;
    type Params = GetPriceChartParams;
    type Output = Reply<PriceHistory>;

    async fn call(cx: &Context, params: Self::Params) -> Result<Self::Output, ToolError> {
        let interval = params.interval;
        let query = HistoryQuery {
            blockchain: params.blockchain,
            interval,
            of: params.prices.of(),
            since: cx.optional_moment("after", params.after).await?,
            limit: params.limit.value(),
        };
        let mut reply = history(cx, query).await?;
        let record = &reply.record;
        if record.candles.items.is_empty() {
            return Err(ToolError::not_found(
                "Nothing to draw.",
                format!(
                    "Nothing was traded for {} since {}. An earlier `after` may show more, get_market_overview shows all coins.",
                    record.coin.0.symbol, record.since
                ),
            ));
        }
        let title = format!("{}, by {}", record.unit, record.interval);
        let chart = Chart {
            title: &title,
            candles: &record.candles.items,
            interval,
        };
        let failed = |err| ToolError::Declaration(format!("get_price_chart: {err}"));
        let png = chart.png().map_err(failed)?;
        let svg = chart.svg().map_err(failed)?;
        reply.attachments = vec![
            Attachment {
                body: Body::Base64(STANDARD.encode(&png)),
                mime_type: "image/png".to_owned(),
            },
            Attachment {
                body: Body::Text(svg),
                mime_type: "image/svg+xml".to_owned(),
            },
        ];
        Ok(reply.note(
            "The picture shows the same candles: time to the right, price upwards, green where the price rose or stayed, red where it fell.",
        ))
    }
}
