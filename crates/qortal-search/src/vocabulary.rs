//! Synonyms and stop words.

/// Stop words in English, German, Spanish, French and Russian, without accents.
pub(crate) const SILENT: &str = "a an the of is are was were am be been to in on at by for from with and or my mine me i im \
    it its this that these those you your we our do does did has have had can could will would should what which when \
    how why where whom whose there here please tell show give want know about any some all just get getting into \
    as if so many much out still ever not dont doesnt cant qortal \
    der die das den dem des ein eine einen einer ist sind war ich mir mich mein meine meinen du wie was wo warum \
    gegen wann welche welcher und oder mit fur von auf zu im nicht hat habe man \
    el la los las un una es son de del en mi mis me yo que cual cuales como donde cuando por para con y o se no lo tengo \
    hay mas \
    le l d il elle ils ce cet cette ces sont mon ma quel quelle quels quelles quoi comment quand combien pourquoi et pour dans sur \
    avec je tu nous vous y t passe plus \
    и в во на не что как где когда какои какая какие какое сколько мои моя мое мои моего моеи моих у с со к по о об от до за из для \
    ли это этот эта есть был была было мне меня я ты мы вы он она они неи нет все";

/// Synonyms, one word a line: slang of the community, abbreviations, German, Spanish, French, Russian and Chinese.
pub(crate) const SAME: &str = "account: konto cuenta 账户 账号 帳戶 acct user аккаунт счет compte comptes
address: addr adresse direccion 地址 адрес
admin: administrator moderator administrador 管理员 админ администратор
app: apps qapp qapps anwendung aplicacion 应用 приложение
approval: approve genehmigung aprobacion 批准
asset: token tokens activo 资产 代币 актив токен
balance: saldo kontostand guthaben funds money coins holdings 余额 dinero bal баланс остаток solde soldes остатки
ban: banned gesperrt baneado 封禁 бан забанен
best: beste mejores mejor rated popular лучшии лучшие
bitcoin: btc 比特币 биткоин
block: bloque bloques blocke 区块 块 bloc блок
buy: bought purchase kaufen gekauft comprar comprado 买 购买 acheter achat купить купил покупка
chart: graph diagramm grafico plot picture 图表 图 график graphique диаграмма
chat: chats qchat messages message msg dm dms talk conversation nachricht nachrichten mensaje mensajes 聊天 消息 чат сообщение
cheap: cheapest lowest billig gunstig barato barata 便宜 billigste billigsten gunstigste gunstigsten cher дешево дешевле дешевыи
clock: uhr reloj ntp часы
convert: conversion umrechnen convertir 换算
cost: costs kostet kosten cuesta costo coste charge
data: daten datos 数据 данные
date: january february march april june july august september october november december januar februar marz juni juli oktober dezember enero febrero marzo abril junio julio agosto septiembre octubre noviembre diciembre
day: daily tag dia 天 jour день дня
digibyte: dgb
doge: dogecoin догикоин
down: offline broken kaputt
fee: gebuhr gebuhren comision comisiones tarifa 手续费 费用 frais комиссия
file: datei archivo fichero document 文件 fichier фаил
fork: forked split diverge abspaltung bifurcacion 分叉 форк
free: available frei freie libre disponible 可用 свободен свободно доступно
glossary: terms dictionary meaning definition jargon
group: gruppe gruppen grupo grupos 群 群组 组 groupe группа
happen: passiert geschieht pasa происходит
height: hohe altura 高度 высота
history: verlauf historial historia 历史 记录 historique история
hold: holder owner besitzer 持有 dueno владелец
invite: invitation einladung invitacion invitado 邀请 приглашение
join: beitreten unirse 加入 rejoindre вступить вступление
last: latest recent recently newest letzte letzten ultimo ultimos ultima ultimas 最近 最新 dernier derniere последнии последняя
level: tier tiers lvl stufe nivel niveau 等级 级别 niveaux уровень уровня
litecoin: ltc 莱特币 лаиткоин
load: loading laden ladt ladet cargar carga 加载 打不开 загружается загрузка
member: mitglied mitglieder miembro miembros 成员 membre участник
mint: minting mining mine forge minte mintet mintear minteando acunar 挖矿 铸造 минтинг минтить маининг минтер
name: names username nombre nombres namen 名字 名称 nom имя имена
node: core knoten nodo 节点 noeud узел узла нода
nothing: nichts nada rien ничего
online: connected 在线 онлаин
offer: angebot angebote oferta ofertas offre offres предложение ордер
open: offen abierto ouvert открыт
pay: paid pago pagos pague zahlen zahlung zahlungen bezahlt transfer send sent geschickt gesendet uberweisung enviado 转账 支付 付款 paiement payer платеж перевод заплатил
peer: peers neighbor verbindung conexion connection connections 连接 пир соединение
picture: image photo bild foto imagen
pirate: arrr piratechain
poll: polls survey umfrage umfragen encuesta encuestas 投票 sondage опрос голосование
price: vale prices worth value rate kurs preis wert precio cotizacion 价格 币价 цена курс стоит стоимость vaut prix cours
publish: publication publications upload posted veroffentlicht veroffentlichen publicar publicado 发布 публикация опубликовать
ravencoin: rvn
register: registration registrieren registrar claim 注册 регистрация зарегистрировать
refund: zuruck erstattet reembolso remboursement возврат вернут
reward: rewardshare rewardshares selfshare rewards earn earning income belohnung recompensa recompensas 奖励 награда вознаграждение
sale: selling verkauf venta ventas forsale 出售 vente продаются продажа
search: find lookup look suche suchen finden buscar 查找 搜索 chercher trouver наити поиск
sell: sold verkaufen vender 卖 verkauft vende vendre vend продать
share: rewardshare rewardshares selfshare
sponsor: sponsorship sponsored sponsee sponsees patrocinador 赞助 спонсор
stuck: hang hanging frozen stalled hangt atascado 卡住 bloque bloquee зависла завис застрял застряла
supply: circulation circulating umlauf menge suministro 供应 流通 эмиссия
synchronize: sync synced syncing synchron synchronisiert synchronisieren sincroniza sincronizar sincronizado 同步 синхронизирован синхронизация синхронизируется
tax: taxes steuer steuern impuesto impuestos 税 impot impots налог
trade: trades trading deal swap handel intercambio 交易 echange echanges сделка сделок обмен
transaction: transactions tx txs txid txn transaktion transaktionen transaccion transacciones транзакция
unconfirmed: unbestatigt 未确认 неподтвержденныи
version: versions release версия
video: videos tube qtube 视频 видео
vote: votes abstimmung wahl votar голос голосовать
wallet: billetera cartera 钱包 portefeuille кошелек кошелька
who: wer quien 谁 qui кто
website: site sites webseite webseiten web sitio 网站 саит";
