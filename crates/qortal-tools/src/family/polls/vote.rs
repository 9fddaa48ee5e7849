//! Whether an account can vote for an option of a poll.

use tool_schema::BoundedString;

use super::{check_name, existing, index_of};
use crate::{
    declare::{Account, AccountRef, Context, Reply, Tool, ToolError},
    family::verdict::Verdict,
    support::untrusted::Untrusted,
};

params! {
    pub(super) struct CheckVote {
        /// The poll's exact name. Case matters.
        poll_name: BoundedString<1, 400>,
        /// Option name, or its number from 1.
        option: BoundedString<1, 400>,
        /// Account.
        address: AccountRef
    }
}

record! {
    pub(super) struct VoteCheck {
        /// The poll's name.
        poll_name: Untrusted,
        /// The option.
        option: Option<Untrusted>,
        /// The account's address.
        address: Account,
        /// The account's current option.
        voted_for: Option<Untrusted>,
        /// Whether it can vote for the option, by the Core's VoteOnPollTransaction.
        vote: Verdict
    }
}

impl Tool for CheckVote {
    const NAME: &str = "check_vote";
    const TITLE: &str = "Vote check";
    const DESCRIPTION: &str = "Check whether an account can vote for an option of a poll, and its vote so far. All votes: get_poll.";
    const EXAMPLE: &str = r#"{"poll_name":"Favourite colour","option":"Blue","address":"chloe"}"#;
    const KEYWORDS: &str =
        "can I vote, may I vote, change my vote, vote again, what did I vote for, my vote";
    type Output = Reply<VoteCheck>;

    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        let name = self.poll_name.as_str();
        check_name(name)?;
        let account = cx.account("address", self.address).await?;
        let (poll, votes) = tokio::join!(cx.node.poll(name), cx.node.poll_votes(name));
        let poll = existing(cx, name, poll).await?;
        let option = index_of(self.option.as_str(), &poll)?;
        let votes = votes?.votes.unwrap_or_default();
        let mut votes = votes.iter();
        let voted = votes.find(|it| it.voter_public_key.address() == account.address);
        let voted = voted.map(|it| it.option_index);
        let text = |index: usize| {
            let option = poll.poll_options.get(index);
            option.map(|it| Untrusted(it.option_name.clone()))
        };
        let vote = match voted {
            Some(voted) if voted == option => Verdict::rejected(
                "ALREADY_VOTED_FOR_THAT_OPTION",
                "The account has voted for this option. It can vote for another one.",
            ),
            Some(_) => Verdict::possible("It takes the place of the account's earlier vote."),
            None => Verdict::possible(
                "It is the account's first vote in this poll. Polls have no end, and a vote can be changed.",
            ),
        };
        Ok(Reply::new(VoteCheck {
            option: text(option),
            address: account,
            voted_for: voted.and_then(text),
            vote,
            poll_name: poll.poll_name.clone().into(),
        })
        .note("As Core 6.1.8 checks transactions. A vote costs the fee (get_fee), without which it is NO_BALANCE."))
    }
}
