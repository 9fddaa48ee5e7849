//! The words that people use: which mean the same, and which mean nothing.

/// Words that say nothing about what is asked for, in English, German and Spanish, without accents.
pub(super) const SILENT: &str = "a an the of is are was were am be been to in on at by for from with and or my mine me i im \
    it its this that these those you your we our do does did has have had can could will would should what which when \
    how why where whom whose there here please tell show give want know about any some all just get getting into \
    as if so many much out still ever not dont doesnt cant qortal \
    der die das den dem des ein eine einen einer ist sind war ich mir mich mein meine meinen du wie was wo warum \
    wann welche welcher und oder mit fur von auf zu im nicht hat habe man \
    el la los las un una es son de del en mi mis me yo que cual cuales como donde cuando por para con y o se no lo tengo \
    hay";

/// Words with which a request to change something begins, in English, German and Spanish, without accents.
pub(super) const CHANGING: &str = "send transfer pay donate withdraw deposit buy purchase sell swap vote register post publish \
    upload create join leave invite ban kick approve sign broadcast deploy issue cancel rename delete \
    sende schicke uberweise zahle kaufe verkaufe registriere veroffentliche stimme \
    envia enviar transfiere transferir paga pagar compra comprar vende vender vota votar registra registrar publica publicar";

/// What follows such a word where it is a noun: "vote results", "sell orders".
pub(super) const NOUNS: &str = "order orders offer offers history result results price prices fee fees cost costs list count \
    status stuck by about of from in request requests transaction transactions chat member members";

/// What may come before it, besides silent words.
pub(super) const POLITE: &str = "please help need like lets let id try mochte will quiero bitte";

/// In each line a word, and others that mean it: slang of the community, short forms, German, Spanish and Chinese.
pub(super) const SAME: &str = "account: konto cuenta 账户 账号 帳戶 acct user
address: addr adresse direccion 地址
admin: administrator moderator administrador 管理员
app: apps qapp qapps anwendung aplicacion 应用
approval: approve genehmigung aprobacion 批准
asset: token tokens activo 资产 代币
balance: saldo kontostand guthaben funds money coins holdings 余额 dinero bal баланс остаток
ban: banned gesperrt baneado 封禁
best: beste mejores mejor rated popular
bitcoin: btc 比特币
block: bloque bloques blocke 区块 块
buy: bought purchase kaufen gekauft comprar comprado 买 购买
chart: graph diagramm grafico plot picture 图表 图
chat: chats qchat messages message msg dm dms talk conversation nachricht nachrichten mensaje mensajes 聊天 消息
cheap: cheapest lowest billig gunstig barato barata 便宜
clock: uhr reloj ntp
convert: conversion umrechnen convertir 换算
cost: costs kostet kosten cuesta costo coste charge
data: daten datos 数据
day: daily tag dia 天
digibyte: dgb
doge: dogecoin
down: offline broken kaputt
fee: gebuhr gebuhren comision comisiones tarifa 手续费 费用
file: datei archivo fichero document 文件
fork: forked split diverge abspaltung bifurcacion 分叉
free: available frei freie libre disponible 可用
glossary: terms dictionary meaning definition jargon
group: gruppe gruppen grupo grupos 群 群组 组
height: hohe altura 高度
history: verlauf historial historia 历史 记录
hold: holder owner besitzer 持有
invite: invitation einladung invitacion invitado 邀请
join: beitreten unirse 加入
last: latest recent recently newest letzte letzten ultimo ultimos ultima ultimas 最近 最新
level: tier tiers lvl stufe nivel niveau 等级 级别
litecoin: ltc 莱特币
load: loading laden ladt ladet cargar carga 加载 打不开
member: mitglied mitglieder miembro miembros 成员
mint: minting mining mine forge minte mintet mintear minteando acunar 挖矿 铸造
name: names username nombre nombres namen 名字 名称
node: core knoten nodo 节点
online: connected 在线
open: offen abierto
pay: paid pago pagos pague zahlen zahlung zahlungen bezahlt transfer send sent geschickt gesendet uberweisung enviado 转账 支付 付款
peer: peers neighbor verbindung conexion connection connections 连接
picture: image photo bild foto imagen
pirate: arrr piratechain
poll: polls survey umfrage umfragen encuesta encuestas 投票
price: prices worth value rate kurs preis wert precio cotizacion 价格 币价 цена курс стоит стоимость
publish: publication publications upload posted veroffentlicht veroffentlichen publicar publicado 发布
ravencoin: rvn
register: registration registrieren registrar claim 注册
reward: rewardshare rewardshares selfshare rewards earn earning income belohnung recompensa recompensas 奖励
sale: selling verkauf venta ventas forsale 出售
search: find lookup look suche suchen finden buscar 查找 搜索
sell: sold verkaufen vender 卖
share: rewardshare rewardshares selfshare
sponsor: sponsorship sponsored sponsee sponsees patrocinador 赞助
stuck: hang hanging frozen stalled hangt atascado 卡住
supply: circulation circulating umlauf menge suministro 供应 流通
synchronize: sync synced syncing synchron synchronisiert synchronisieren sincroniza sincronizar sincronizado 同步
tax: taxes steuer steuern impuesto impuestos 税
trade: trades trading deal swap handel intercambio 交易
transaction: transactions tx txs txid txn transaktion transaktionen transaccion transacciones
unconfirmed: unbestatigt 未确认
version: versions release
video: videos tube qtube 视频
vote: votes abstimmung wahl votar
wallet: billetera cartera 钱包
who: wer quien 谁
website: site sites webseite webseiten web sitio 网站";
