/** A scenario of ten runs, with two expectations over all of them, one of which fails. */
export const matrix = `version: 1
name: many
matrix: {seed: 1..5, size: [1, 2]}
params: {size: 1}
clock: {end: 30s}
market: {flow: {kind: none}, assets: {BTC: {price: 50000, model: {kind: gbm, vol: 2}}}}
timeline:
  - {at: +1s, order: {as: o, account: trader, side: buy, asset: BTC, quantity: "\${size}", orderType: market, timeInForce: IOC}}
expect:
  - {at: end, that: {"order[o].filledQuantity": {gte: 1}}, aggregate: {over: seed, stat: median}}
  - {at: end, that: {"order[o].filledQuantity": {lte: 1}}, aggregate: {over: seed, stat: max}, message: no more than one}
`
