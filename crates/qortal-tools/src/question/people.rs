//! What members and admins of groups, chatters and voters ask.

use super::{Question, questions};

pub(super) static QUESTIONS: &[Question] = questions! {
    Core {
        "What is this group, and is it open?":
            get_group {"group_id": "open-lounge"} => {
                "/groupId": 3,
                "/isOpen": true
            }
        "What was said last in this group?":
            get_chat_messages {"tx_group_id": "3", "limit": 1} => {
                "/messages/0/senderName": "rita-trades",
                "/messages/0/text": "Message number 11"
            }
        "And in the closed group?":
            get_chat_messages {"tx_group_id": "4"} => {
                "/messages/0/isEncrypted": true,
                "/messages/0/text": null,
                "/truncated": false
            }
    }
    Standard {
        "Which groups are there about this?":
            list_groups {"query": "lounge"} => {
                "/groups/0/groupName": "open-lounge",
                "/groups/0/groupId": 3,
                "/total": 1
            }
        "Who is in this group?":
            get_group_members {"group_id": "open-lounge", "limit": 1} => {
                "/groupId": 3,
                "/memberCount": 8
            }
        "Who joined this group lately?":
            get_group_members {"group_id": "open-lounge", "after": "180d"} => {
                "/members/0/primaryName": "new-name",
                "/members/0/joinedIso": "2026-11-20T22:49:23.761Z"
            }
        "Which groups am I in, and which invite me?":
            get_groups_by_member {"address": "rita-trades"},
            get_group_requests {"address": "rita-trades"} => {
                "/inviteCount": 0
            }
        "Who wants to join the groups I administer?":
            list_pending_approvals {"address": "trent"} => {
                "/joinRequestCount": 2,
                "/joinRequests/0/groupName": "closed-council",
                "/transactionCount": 0
            }
        "What waits for my approval?":
            list_pending_approvals {"address": "Alice Test"} => {
                "/transactions/0/name": "pending-name",
                "/transactionCount": 1
            }
        "Who wrote to me?":
            get_active_chats {"address": "rita-trades"} => {
                "/groups/0/groupName": "open-lounge",
                "/direct/0/name": "new-name"
            }
        "How do groups and approvals work?":
            explain_topic {"topic": "groups"} => {
                "/title": "Groups and approvals"
            }
        "May any admin kick a member?":
            explain_topic {"topic": "groups"} => {
                "/title": "Groups and approvals"
            }
        "Does an invitation still admit after its end?":
            get_group_requests {"group_id": "closed-council"} => {
                "/invites/0/isExpired": true,
                "/notes/1": "An invitation whose end has passed still admits the account: the Core does not check the end on joining, and removes the invitation only on joining, on a ban or when an admin cancels it. The Core computes terms in 32 bits: one of more than 24.8 days ends at a wrong time, often before it began."
            }
        "Which poll was about colours?":
            list_polls {"query": "colour"} => {
                "/polls/0/pollName": "Favourite colour"
            }
        "How did the vote end?":
            get_poll {"poll_name": "Favourite colour"} => {
                "/totalVotes": 6,
                "/options/2/option": "Blue",
                "/options/2/votes": 4
            }
        "Which apps are best rated?":
            get_app_ratings {} => {
                "/ratings/0/appName": "Q-Demo",
                "/ratings/0/totalVotes": 3,
                "/ratings/0/average": "4.67"
            }
    }
    Full {
        "How much was said in the chat since yesterday?":
            get_chat_activity {"tx_group_id": 3} => {
                "/messageCount": 18
            }
        "Who talks most in the lounge?":
            get_chat_activity {"tx_group_id": "open-lounge"} => {
                "/messageCount": 18,
                "/senders/0/senderName": "rita-trades",
                "/senders/0/messageCount": 6,
                "/total": 7
            }
        "Which group waits with an approval?":
            list_pending_transactions {} => {
                "/transactions/0/txGroupName": "approval-desk"
            }
        "Which groups are the largest?":
            list_groups {"order": "largest", "limit": 2} => {
                "/groups/0/groupName": "minters",
                "/groups/0/memberCount": 11
            }
        "Which group is the newest?":
            list_groups {"order": "newest", "limit": 1} => {
                "/groups/0/groupName": "approval-desk"
            }
        "Who asks to join this group, and who is invited?":
            get_group_requests {"group_id": "closed-council"} => {
                "/joinRequestCount": 2,
                "/joinRequests/1/joinerName": "chloe",
                "/inviteCount": 3,
                "/invites/0/inviterName": "trent",
                "/invites/0/invitedIso": "2026-11-20T22:53:46.670Z"
            }
        "Which of my requests to join are open?":
            get_group_requests {"address": "chloe"} => {
                "/joinRequests/0/groupName": "closed-council"
            }
        "Can this account join the group, and who may kick it?":
            check_membership {"group_id": "closed-council", "address": "chloe"} => {
                "/join/error": "JOIN_REQUEST_EXISTS",
                "/kick/isPossible": true
            }
        "Can I vote for this option?":
            check_vote {"poll_name": "Favourite colour", "option": "Blue", "address": "trent"} => {
                "/vote/isPossible": true
            }
        "How did I vote?":
            check_vote {"poll_name": "Favourite colour", "option": "Blue", "address": "Bób-Name"} => {
                "/votedFor": "Blue"
            }
        "Who left this group?":
            get_group_history {"group_id": "open-lounge", "kinds": ["leave"]} => {
                "/events/0/kind": "leave",
                "/events/0/actorName": "zebra",
                "/total": 1
            }
        "Who lifted a ban in this group?":
            get_group_history {"group_id": "open-lounge", "kinds": ["unban"]} => {
                "/events/0/actorName": "trent",
                "/events/0/memberName": "il1o0|mix",
                "/total": 1
            }
        "Who was removed from this group, and why?":
            get_group_history {"group_id": "open-lounge", "kinds": ["kick"]} => {
                "/events/0/memberName": "spam-name",
                "/events/0/actorName": "trent",
                "/events/0/reason": "off-topic advertising"
            }
        "Who are former admins of this group?":
            get_group_history {"group_id": "2", "kinds": ["remove_admin"]} => {
                "/events/0/member": "Qf294hGwcwJonANTn448cKkraHcSKs8to9",
                "/events/0/actorName": "Alice Test",
                "/total": 1
            }
        "Who is banned from this group, and until when?":
            get_group_bans {"group_id": "open-lounge"} => {
                "/bans/0/reason": "cooling off",
                "/bans/0/expiryIso": "2026-11-27T22:52:43.243Z",
                "/total": 2
            }
        "Who joined most groups in a year?":
            get_group_rankings {"by": "joins", "year": 2026} => {
                "/accounts/0/name": "Alice Test",
                "/accounts/0/count": 3
            }
        "What was this vote for?":
            explain_transaction {"signature": "5pmN2YXFg3Ca2J8AAJ33GEAp2hLV1fbGdE4toPsBickZrMstRjJ4t6admDwkYb2tdoqLzQJoH8rPRGvrHj1JA9JK"} => {
                "/text": "\"Bób-Name\" (QixPbJUwsaHsVEofJdozU9zgVqkK6aYhrK) votes for option number 3 (\"Blue\") of the poll \"Favourite colour\"."
            }
        "Why was I kicked, and out of which group?":
            list_group_kicks {"address": "spam-name"} => {
                "/kicks/0/groupName": "open-lounge",
                "/kicks/0/reason": "off-topic advertising"
            }
        "Who was kicked out of this group, and by whom?":
            list_group_kicks {"group_id": 3} => {
                "/kicks/0/memberName": "spam-name",
                "/kicks/0/adminName": "trent"
            }
    }
};
