//! The words by which people look for each tool.

/// Phrases for each tool beside its name, description and questions, with commas between them.
pub(super) const KEYWORDS: &[(&str, &str)] = &[
    // node
    (
        "get_node_status",
        "node status, percent, synchronize percent, peers count, blocks behind",
    ),
    (
        "get_node_info",
        "version, core version, build, which version do I run, test network, memory of node, cpu of node",
    ),
    (
        "get_node_summary",
        "chain activity, day summary, all time, statistics",
    ),
    (
        "get_node_uptime",
        "uptime, running since, restart, how long",
    ),
    (
        "get_node_health",
        "health, node ok, stuck, stuck core, synchronize, synchronize problem, behind, wrong clock, diagnose, is my node up, problem",
    ),
    (
        "compare_nodes",
        "fork, am I on a fork, wrong chain, different chain, compare, other node, consensus",
    ),
    (
        "list_peers",
        "peers, connections, version of others, who is connected, inbound, outbound",
    ),
    (
        "get_network_stats",
        "network, supply, total supply, qort exist, how many qort exist, qort in all, circulating supply, market cap, minter online, activity, transactions per day, last 24h, 24h, users",
    ),
    (
        "get_node_settings",
        "settings, storage policy, storage limit, relay, auto update, disk limit, configuration, api key, api access",
    ),
    (
        "get_node_lists",
        "follow, block list, blocked name, followed name, blocked user",
    ),
    ("get_engine_stats", "engine, requests served, load by peers"),
    (
        "get_server_config",
        "server, configuration, settings of this server, api key, mcp",
    ),
    // accounts
    (
        "get_account_overview",
        "account, wallet, balance, public key, level, asset",
    ),
    (
        "get_balance",
        "balance, balance of address, how much qort, wallet, funds",
    ),
    (
        "validate_address",
        "address valid, check address, checksum, address typo, verify",
    ),
    (
        "resolve_identity",
        "public key, whose address, address of name, name to address, who is, identity",
    ),
    (
        "get_account_report",
        "everything about an account, account summary, wallet, portfolio, profile, account created, account age",
    ),
    (
        "get_account_activity",
        "account activity, last transaction of account, what did account do, history, timeline",
    ),
    (
        "find_payments",
        "payment, pay, who paid, send, received, incoming, outgoing, payment history, transfer",
    ),
    // minting
    (
        "get_minting_status",
        "mint, level, next level, level up, why not minting, founder, blocks until level, block left, eta, mint status, key, reward per day",
    ),
    (
        "list_online_minters",
        "minter online, online minter, who is minting now, how many minter, mint right now",
    ),
    (
        "list_reward_shares",
        "reward share, rewardshare, who mints for whom, self share, share key, percent",
    ),
    ("get_sponsorship", "sponsor, who sponsors"),
    (
        "list_accounts_by_level",
        "account by level, how many level, level distribution",
    ),
    (
        "list_minting_accounts",
        "mint key on node, account of my node mint, own mint account",
    ),
    (
        "list_penalties",
        "penalty, penalized, self sponsor, block taken away, punish",
    ),
    (
        "list_blocks_by_minter",
        "block minted by account, last block I minted, did I mint a block",
    ),
    (
        "get_chain_params",
        "block reward, reward schedule, halving, emission, inflation, level threshold, block time, constants, blockchain.json, reward per block",
    ),
    // names
    (
        "get_name_info",
        "name owner, who owns name, who bought name, name data, name taken, name sold",
    ),
    (
        "get_primary_name",
        "primary name, name of address, main name",
    ),
    (
        "search_names",
        "search name, find name, name contains, similar name",
    ),
    (
        "list_names",
        "new name, all name, last registered name, name list",
    ),
    (
        "list_names_for_sale",
        "name for sale, cheap name, buy name, names I can buy, name market, sale",
    ),
    (
        "get_names_by_address",
        "my names, names, name of account, own name",
    ),
    (
        "check_name",
        "name free, name taken, register name, name cost, register, rename, allowed name",
    ),
    // trade
    (
        "list_trade_offers",
        "offer, buy qort, sell order, open offer, trade portal",
    ),
    (
        "list_hidden_trade_offers",
        "hidden offer, hidden trade, failed trade",
    ),
    (
        "get_trade_detail",
        "trade detail, atomic swap, hash, htlc, contract of trade",
    ),
    (
        "list_completed_trades",
        "completed trade, last trade, last sale, sold qort, who bought qort, trade history",
    ),
    (
        "get_trade_ledger",
        "tax, tax report, export trade, csv, bookkeeping, my trade, ledger",
    ),
    (
        "get_trade_price",
        "price, average price, qort ltc, qort in coin, qort in bitcoin, qort in litecoin, qort in doge",
    ),
    (
        "get_market_overview",
        "price, market, qort worth, what costs qort, cost qort, volume, exchange rate, market cap, ticker, trade portal, coin",
    ),
    (
        "get_trade_order_book",
        "order book, orderbook, cheap offer, best ask, depth, sell order, buy qort, offer",
    ),
    (
        "get_price_history",
        "price history, candle, ohlc, volume, price last week, high, low, trend",
    ),
    (
        "get_price_chart",
        "chart, price chart, candlestick, draw, graph",
    ),
    // pictures
    (
        "get_picture",
        "picture, image, draw, diagram, visual, depth chart, order book picture, level bar, minting progress picture, balance chart, balance changes picture, minters chart",
    ),
    (
        "explain_trade",
        "trade stuck, stuck trade, trade pending, trade pending for hours, my trade, trade waiting, refund, trade not completing, trade failed, money back, get ltc back, atomic swap, trade status, redeem, swap stuck",
    ),
    (
        "get_foreign_chain_status",
        "electrum, electrum server, coin server, foreign chain, wallet not synchronize, coin down, litecoin, bitcoin, doge, pirate, ravencoin, digibyte",
    ),
    // QDN
    (
        "search_qdn",
        "publish transaction, arbitrary transaction, qdn transaction",
    ),
    (
        "search_qdn_resources",
        "qdn, find app, app, website, video, blog, post, qmail, mail, publication, new website, resource, search data, image, podcast, shop",
    ),
    (
        "get_qdn_resource_status",
        "not load, not show, not showing, picture not show, app not load, website not load, video not load, missing data, file complete, download, downloading, percent, seed, seeding, chunk, publish, did it publish, build failed, who hosts",
    ),
    (
        "get_qdn_resource",
        "read, open file, content, thumbnail, avatar, picture, blog post, document, text, view, mail",
    ),
    (
        "get_qdn_metadata",
        "title, tag, description, category, file list, metadata",
    ),
    (
        "list_hosted_qdn",
        "storage, storage used, disk, disk space, space, data my node host, hosted, size, how big, fill",
    ),
    ("search_hosted_qdn", "host, does my node host, hosted data"),
    // groups
    ("list_groups", "group, find group, all group, group about"),
    (
        "get_groups_by_owner",
        "group I own, owned group, group owner",
    ),
    (
        "get_groups_by_member",
        "my group, group I am in, member of, joined",
    ),
    (
        "get_group",
        "group, group info, about group, open or closed, approval threshold",
    ),
    (
        "get_group_members",
        "member, who is in group, group member, admin, group admin",
    ),
    (
        "get_group_invites_by_address",
        "invite, my invite, was I invited",
    ),
    (
        "get_group_invites_by_group",
        "invite, who is invited, group invite",
    ),
    (
        "get_group_join_requests",
        "join request, request to join, wants to join, group join",
    ),
    ("get_group_bans", "ban, banned member, banned, kicked"),
    (
        "list_group_kicks",
        "kick, kicked, why kicked, removed from group",
    ),
    (
        "list_pending_approvals",
        "pending approval, waits for me, approve, wants to join my group, join request, admin tasks",
    ),
    // chat
    (
        "get_chat_messages",
        "chat, message, read chat, last chat, said, they say, people say in group, said in group, said today, conversation",
    ),
    (
        "count_chat_messages",
        "count chat, how many messages, number of chat",
    ),
    (
        "get_chat_message_by_signature",
        "one message, whole message, message by signature",
    ),
    (
        "get_active_chats",
        "chat, inbox, unread, direct message, who wrote to me, private",
    ),
    ("get_chat_stats", "chat memory, spam, chat bytes, spammer"),
    (
        "get_chat_activity",
        "active in chat, most active, who talks most, chatter, spam, spammer",
    ),
    // blocks
    (
        "get_block_at_timestamp",
        "block at date, block on day, block at time, height at time, height on day, date to height, new year, christmas, yesterday",
    ),
    (
        "get_block_height",
        "height, current height, chain height, block count",
    ),
    (
        "get_block_by_height",
        "block, block by number, block number, who minted block",
    ),
    (
        "list_block_summaries",
        "block list, short block, block heads, block took, time between block, how long block take",
    ),
    (
        "list_block_range",
        "block range, several block, consecutive block",
    ),
    ("get_block_by_signature", "block by signature, block hash"),
    (
        "get_block_height_by_signature",
        "height of signature, height by hash",
    ),
    ("get_first_block", "genesis, first block, start of chain"),
    (
        "get_last_block",
        "last block, tip, newest block, who minted last block",
    ),
    (
        "get_block_minting_info",
        "who minted block, distance, how block was won, mint info",
    ),
    (
        "list_block_signers",
        "signer, who minted most, block count by key",
    ),
    // transactions
    (
        "search_transactions",
        "search transaction, transaction type, last transaction of account, transaction by height, all transaction",
    ),
    (
        "get_transaction_by_signature",
        "transaction by signature, transaction search, txid, raw fields, transaction detail",
    ),
    (
        "get_transaction_by_reference",
        "reference, next transaction, transaction by reference",
    ),
    (
        "list_transactions_by_block",
        "transaction in block, block content",
    ),
    (
        "list_transactions_by_address",
        "transaction of address, transaction of account, address history",
    ),
    (
        "list_transactions_by_creator",
        "transaction by public key, creator",
    ),
    (
        "list_unconfirmed_transactions",
        "unconfirmed, unconfirmed transaction, unconfirmed transaction of node, mempool, waiting transaction, pending transaction, transaction stuck",
    ),
    (
        "list_pending_transactions",
        "pending approval, group approval, transaction waiting for approval",
    ),
    (
        "explain_transaction",
        "unconfirmed, transaction stuck, why unconfirmed, what happened to transaction, explain transaction, transaction status, failed, confirm, confirmation, final",
    ),
    (
        "decode_transaction",
        "decode, raw transaction, raw bytes, unsigned, base58 transaction",
    ),
    (
        "get_fee",
        "fee, transaction fee, cost of transaction, cost to send, unit fee, cost to pay",
    ),
    // polls
    (
        "list_polls",
        "poll, all poll, open poll, poll about, voted on now, voted on at the moment, current vote",
    ),
    (
        "get_poll",
        "vote, vote result, poll result, who voted, result, winner, poll",
    ),
    (
        "get_app_ratings",
        "rating, app rating, star, best app, top app, review, popular app",
    ),
    // assets
    ("list_assets", "asset, all asset, asset on chain"),
    (
        "get_asset_info",
        "asset, asset detail, issuer, asset quantity",
    ),
    (
        "get_asset_balances",
        "rich, rich list, who holds most, richest, whale, top holder, top account, top wallet, biggest account, holder, distribution",
    ),
    (
        "get_asset_market",
        "asset market, asset price, asset trade, asset order, exchange asset",
    ),
    (
        "list_asset_orders",
        "asset order, my asset order, open order",
    ),
    (
        "list_asset_transfers",
        "asset transfer, who got asset, asset sent",
    ),
    (
        "get_at",
        "automated transaction, smart contract, at, contract",
    ),
    // offline
    (
        "inspect_identifier",
        "what is this string, what is this, unknown string, identify, checksum, kind of text, string, address valid",
    ),
    (
        "convert_units",
        "convert, base58, base64, hex, unix time, timestamp, date, what day, satoshi, unit, decimal, milliseconds",
    ),
    (
        "explain_topic",
        "explain, how does it work, work, help, guide, tutorial, glossary, what does mean, mean, become minter, bootstrap, register name, buy qort, sell qort, publish, level threshold, halving, fee, rules, states, node not synchronize, stuck core, group join, faq",
    ),
    // hosts
    ("search", "search, search everything, anything"),
    ("fetch", "fetch, result of search"),
];
