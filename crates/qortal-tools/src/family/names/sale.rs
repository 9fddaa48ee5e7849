//! Whether a name can be offered for sale or bought.

use qortal_client::{ApiError, PageRequest};
use qortal_types::{Address, Amount, AssetId, Name, TransactionType};

use crate::{
    declare::{Account, AccountRef, Context, NodeResult, Reply, Tool, ToolError, given},
    family::{names::former, verdict::Verdict},
    support::untrusted::Untrusted,
};

params! {
    pub(super) struct CheckNameSale {
        /// Name.
        name: Name,
        /// Prospective buyer.
        buyer: Option<AccountRef>
    }
}

record! {
    pub(super) struct NameSaleCheck {
        /// The name as it was registered.
        name: Untrusted,
        /// The owner's address.
        owner: Address,
        /// Whether it is for sale.
        is_for_sale: bool,
        /// The price in QORT, if it is.
        sale_price: Option<Amount>,
        /// The prospective buyer.
        buyer: Option<Account>,
        /// Whether its owner can put it up for sale, by the Core's SellNameTransaction.
        sell: Verdict,
        /// Whether it can be bought, by BuyNameTransaction.
        buy: Verdict
    }
}

impl Tool for CheckNameSale {
    const NAME: &str = "check_name_sale";
    const TITLE: &str = "Name sale check";
    const DESCRIPTION: &str = "Can the owner of a name sell it, and can an account buy it, by the Core's rules? All for sale: list_names_for_sale.";
    const EXAMPLE: &str = r#"{"name":"chloe"}"#;
    const KEYWORDS: &str = "can I sell name, sell primary name, can I buy name, may I buy this name, why can I not sell my name";
    type Output = Reply<NameSaleCheck>;

    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        let name = former::registered(cx, self.name.as_str()).await?;
        let buyer = given(self.buyer, |it| cx.account("buyer", it)).await?;
        let owned = cx.node.names_of(&name.owner, PageRequest::first(2));
        let primary = cx.node.primary_name(&name.owner);
        let of_buyer = async {
            match &buyer {
                Some(buyer) => Ok(Some(Buyer::of(cx, buyer.address).await?)),
                None => Ok::<_, ToolError>(None),
            }
        };
        let (owned, primary, of_buyer) = tokio::try_join!(
            async { Ok(owned.await?) },
            async { Ok(primary.await?) },
            of_buyer
        )?;
        let is_primary = primary.as_deref() == Some(&*name.name);
        let price = name.asked_price();
        let sell = if is_primary && owned.len() > 1 {
            Verdict::rejected(
                "NOT_SUPPORTED",
                "It is the primary name of its owner, who owns others too. An account sells its primary name only as its last one.",
            )
        } else if name.is_for_sale {
            Verdict::rejected(
                "NAME_ALREADY_FOR_SALE",
                "It is for sale already. Its owner can take it back with CANCEL_SELL_NAME.",
            )
        } else {
            Verdict::possible("Its owner can put it up for sale at any price above 0.")
        };
        let buy = match (&of_buyer, price) {
            (Some(it), _) if it.sells_its_primary_name => {
                Verdict::rejected("NOT_SUPPORTED", "The buyer's own primary name is for sale.")
            }
            (_, None) => Verdict::rejected("NAME_NOT_FOR_SALE", "It is not for sale."),
            (Some(it), _) if it.address == name.owner => {
                Verdict::rejected("BUYER_ALREADY_OWNER", "The buyer owns it already.")
            }
            (Some(it), Some(price)) if it.lacks(price) => Verdict::rejected(
                "NO_BALANCE",
                format!(
                    "The buyer has {} QORT, and it costs {price} QORT with a fee of {} QORT.",
                    it.balance, it.fee
                ),
            ),
            (Some(_), Some(price)) => Verdict::possible(format!(
                "The buyer pays {price} QORT to its owner, and owns it with the next block."
            )),
            (None, Some(price)) => Verdict::possible(format!(
                "Anyone but its owner pays {price} QORT and owns it with the next block. Who has a primary name for sale cannot."
            )),
        };
        Ok(Reply::new(NameSaleCheck {
            owner: name.owner,
            is_for_sale: name.is_for_sale,
            sale_price: price,
            buyer,
            sell,
            buy,
            name: name.name.into(),
        })
        .note("As Core 6.1.8 checks transactions."))
    }
}

/// The facts that decide whether an account can buy.
struct Buyer {
    address: Address,
    balance: Amount,
    fee: Amount,
    sells_its_primary_name: bool,
}

impl Buyer {
    async fn of(cx: &Context, address: Address) -> Result<Self, ToolError> {
        let primary = async {
            let Some(primary) = cx.node.primary_name(&address).await? else {
                return Ok(None);
            };
            cx.node.name(&primary).await.none_if(ApiError::NAME_UNKNOWN)
        };
        let (balance, fee, primary) = tokio::try_join!(
            cx.node.balance(&address, AssetId::QORT),
            cx.node.unit_fee(&TransactionType::BuyName, None),
            primary,
        )?;
        Ok(Self {
            address,
            balance,
            fee,
            sells_its_primary_name: primary.is_some_and(|it| it.is_for_sale),
        })
    }

    fn lacks(&self, price: Amount) -> bool {
        let needed = price.checked_add(self.fee).unwrap_or(Amount::MAX);
        self.balance < needed
    }
}
