//! The chart of prices over time.

use qortal_charts::Theme;
use qortal_types::Blockchain;
use tool_schema::CappedInt;

use super::{
    candles::{Candle, Interval, PriceOf, Prices},
    history::{HistoryQuery, PriceHistory, history, nothing_traded},
};
use crate::{
    declare::{Context, File, Range, Reply, Tool, ToolError},
    family::charts::{DRAWING, attachments},
};

params! {
    pub(super) struct GetPriceChart {
        /// Coin.
        blockchain: Blockchain,
        /// Candle length (UTC).
        interval: Interval = Interval::Day,
        #[flatten]
        range: Range,
        /// Candles.
        limit: CappedInt<1, 100> = CappedInt::from_const(24),
        #[flatten]
        prices: Prices,
        /// Background.
        theme: Theme = Theme::Light
    }
}

impl Tool for GetPriceChart {
    const NAME: &str = "get_price_chart";
    const TITLE: &str = "Price chart";
    const DESCRIPTION: &str = "Draw a candlestick chart (PNG) of the trades for one coin, with the numbers. Only numbers: get_price_history.";
    const EXAMPLE: &str = r#"{"blockchain":"LITECOIN","interval":"hour"}"#;
    const KEYWORDS: &str = "chart, price chart, candlestick, draw, graph";
    const IMAGES: bool = true;
    const FILES: &[File] = &[
        File::of("qortal://chart/price/{blockchain}.png", "image/png"),
        File::of("qortal://chart/price/{blockchain}.svg", "image/svg+xml"),
    ];
    const CALLS: u32 = DRAWING;
    type Output = Reply<PriceHistory>;

    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        let interval = self.interval;
        let of = self.prices.of();
        let query = HistoryQuery {
            blockchain: self.blockchain,
            interval,
            of,
            period: self.range.period(cx).await?,
            limit: self.limit.value(),
        };
        let mut reply = history(cx, query).await?;
        let record = &reply.record;
        if record.candles.0.is_empty() {
            return Err(ToolError::not_found(
                "Nothing to draw.",
                format!(
                    "{} for {} since {}. An earlier `after` may show more, get_market_overview shows all coins.",
                    nothing_traded(cx),
                    record.coin.0.symbol,
                    record.since
                ),
            ));
        }
        let symbol = &record.coin.0.symbol;
        let pair = match of {
            PriceOf::Qort => format!("QORT / {symbol}"),
            PriceOf::Coin => format!("{symbol} / QORT"),
        };
        let candles: Vec<_> = record.candles.0.iter().map(candle).collect();
        let chart = qortal_charts::Prices {
            pair: &pair,
            unit: &record.unit,
            interval: (record.interval, interval.millis()),
            candles: &candles,
        };
        let canvas = chart.draw(self.theme);
        let note = format!("The chart: {}", canvas.description());
        reply.attachments = attachments(cx, canvas, Self::NAME).await?;
        Ok(reply.note(note))
    }
}

fn candle(it: &Candle) -> qortal_charts::Candle {
    qortal_charts::Candle {
        start: it.start.millis(),
        open: it.open.units(),
        high: it.high.units(),
        low: it.low.units(),
        close: it.close.units(),
        volume: it.volume_qort.units(),
        trades: it.trades,
    }
}
