/*
 * Twenty-four common mistakes, each planted in a valid file by replacing one piece of it. The problem has to point at
 * that piece, whose line and column are computed from the text.
 */
export const sound = `version: 1
name: sound
seed: 7
params: { size: 1 }
matrix: { seed: 1..3 }
clock: { start: 2026-01-05T00:00:00Z, end: 1h, grid: 1s }
market:
  flow: { kind: none }
  assets:
    BTC: { price: 50000, model: { kind: constant } }
    ETH: { price: 3000, model: { kind: gbm, vol: 0.7 } }
accounts:
  - { id: alice, balances: { USD: 1000000, BTC: 10 }, keys: [{ key: k1, secret: s1, scopes: [READ, TRADE] }] }
agents:
  - { id: crowd, kind: noise, account: alice, asset: BTC }
timeline:
  - at: +1m
    id: first
    order: { as: bid, account: alice, side: buy, asset: BTC, quantity: "\${size}", price: 49000 }
  - { at: first+5s, amend: { order: bid, price: 49500 } }
  - { at: first+10s, id: news, path: { asset: BTC, waypoints: [[+0s, -0%], [+3m, -4%]] } }
  - { when: price.BTC.mid < 49000, halt: { asset: BTC, mode: reject, for: 90s } }
  - { every: { each: 5m, from: news, to: end }, agent: { id: crowd, stop: true } }
  - { at: news, id: lost, fault: { match: { method: POST, path: /api/sdk/orders }, type: http_error, attributes: { status: 500 } } }
  - { at: +2m, id: q, await: { request: { method: POST, path: /api/sdk/quotes, key: k1 }, bind: Q, timeout: 10s } }
expect:
  - { by: news+12m, that: { "order[bid].status": { eq: filled } } }
  - { within: [q, 2s], that: "quote[Q].status == 'active'" }
  - { always: "account[alice].balance.USD.available >= 0" }
  - { leadsTo: { from: "market.BTC.halted", to: "not market.BTC.halted", within: 90s } }
  - { at: end, that: { "metrics[alice].pnl": { gte: -3 } }, aggregate: { over: seed, stat: median } }
`

type Mistake = readonly [found: string, put: string, says: RegExp, pointsAt: string]

/** The piece of the file, its replacement, what the problem says, and the piece that it points at. */
export const mistakes: readonly Mistake[] = [
  ['version: 1', 'version: 2', /expected 1, found number 2/, '2'],
  ['end: 1h', 'endd: 1h', /unknown key "endd". Did you mean "end"\?/, 'endd'],
  ['price: 3000', 'price: "3,000"', /expected a price/, '"3,000"'],
  ['kind: gbm', 'kind: gmb', /unknown kind "gmb".*Did you mean "gbm"\?/, 'gmb'],
  ['scopes: [READ, TRADE]', 'scopes: [READ, TRAED]', /found "TRAED". Did you mean "TRADE"\?/, 'TRAED'],
  ['kind: noise', 'kind: nosie', /unknown kind "nosie".*Did you mean "noise"\?/, 'nosie'],
  ['{size}"', '{sise}"', /unknown parameter "sise".*Did you mean "size"\?/, '"\u0024{sise}"'],
  ['side: buy', 'side: by', /expected one of buy, sell.*Did you mean "buy"\?/, 'by,'],
  [
    'account: alice, side',
    'account: alcie, side',
    /unknown account "alcie". Did you mean "alice"\?/,
    'alcie',
  ],
  ['at: first+5s', 'at: frist+5s', /no action above has the id "frist". Did you mean "first"\?/, 'frist+5s'],
  ['order: bid', 'order: bdi', /no order is called "bdi".*Did you mean "bid"\?/, 'bdi'],
  ['[+3m, -4%]', '[+3m, -4]', /must be above 0/, '-4]'],
  ['price.BTC.mid <', 'price.BTC.mdi <', /unknown field "mdi". Did you mean "mid"\?/, 'mdi <'],
  ['mode: reject', 'mode: refuse', /expected one of reject, rest/, 'refuse'],
  ['id: crowd, stop', 'id: crwod, stop', /no agent is called "crwod". Did you mean "crowd"\?/, 'crwod'],
  ['type: http_error', 'type: http_eror', /found "http_eror". Did you mean "http_error"\?/, 'http_eror'],
  ['key: k1 }', 'key: k2 }', /no account has the key "k2".*Did you mean "k1"\?/, 'k2 }'],
  [
    'order[bid].status": { eq: filled',
    'order[bid].status": { eq: 5',
    /a text cannot be compared with a number/,
    '5 } }',
  ],
  ['[q, 2s]', '[q, 2 s]', /expected a duration/, '2 s]'],
  ['>= 0"', '= 0"', /"=" is not known here. Did you mean "=="\?/, '= 0"'],
  ['within: 90s } }', 'whithin: 90s } }', /unknown key "whithin". Did you mean "within"\?/, 'whithin'],
  [
    'metrics[alice].pnl',
    'metrics[alice].pln',
    /unknown figure "pln". Did you mean "pnl"\?/,
    '"metrics[alice].pln',
  ],
  ['id: news,', 'id: first,', /two actions have the id "first"/, 'first, path'],
  ['seed: 1..3', 'seed: 3..1', /3\.\.1 is not a span/, '3..1'],
]

/** What is wrong with one value makes another wrong: without the id "news", whatever counts from it. */
const withFollowers = ['id: news,']

export const independent: readonly Mistake[] = mistakes.filter(([found]) => !withFollowers.includes(found))

export const planted = (some: readonly Mistake[]): string =>
  some.reduce((file, [found, put]) => file.replace(found, () => put), sound)

/** Where the mistake stands in the text, as messages say it: `file:line:column `. */
export function placeIn(text: string, [, put, , pointsAt]: Mistake, file: string): string {
  const offset = text.indexOf(pointsAt, Math.max(0, text.indexOf(put) - 200))
  const before = text.slice(0, offset)
  return `${file}:${before.split('\n').length}:${offset - before.lastIndexOf('\n')} `
}
