import { expect, it } from 'vitest'
import { formatMistake } from '../../../src/scenario/file/mistake.ts'
import { loadScenario } from '../../../src/scenario/load.ts'
import { runScenario } from '../../../src/scenario/run/run-scenario.ts'
import { listMistakes, load, scenarioWith } from '../fixtures.ts'

it.each([
  ['sed: 7', 's.yaml:6:1 sed: unknown key "sed". Did you mean "seed"?'],
  ['fees: {takerBp: 1}', 's.yaml:6:8 fees.takerBp: unknown key "takerBp". Did you mean "takerBps"?'],
  ['fees: {takerBps: ten}', 's.yaml:6:18 fees.takerBps: expected a rate in basis points, found "ten"'],
  ['fees: {takerBps: 0.001}', 's.yaml:6:18 fees.takerBps: 0.001 has more than 2 decimals'],
  [
    'selfTrade: cancel_takr',
    's.yaml:6:12 selfTrade: expected one of cancel_taker, cancel_maker, cancel_both, allow, found "cancel_takr". Did you mean "cancel_taker"?',
  ],
  [
    'readings: {envelop: bare}',
    's.yaml:6:12 readings.envelop: is not a known reading. Did you mean "envelope"?',
  ],
  [
    'readings: {envelope: wraped}',
    's.yaml:6:22 readings.envelope: must be one of bare, wrapped. Did you mean "wrapped"?',
  ],
  ['include: [x.yaml]', 's.yaml:6:11 include[0]: other files can only be read from scenario files, not here'],
  [
    'timeline: [{at: +1m, fault: {}}]',
    's.yaml:6:29 timeline[0].fault: say what goes wrong by one of "type", "status", "latency" and "commitThenDrop"',
  ],
  [
    'timeline: [{every: 1m, at: +1s, note: x}]',
    's.yaml:6:12 timeline[0]: only one of these keys can be there: at, every',
  ],
  [
    'timeline: [{every: 0s, note: x}]',
    's.yaml:6:20 timeline[0].every: expected a duration above 0, such as 250ms, 5s, 2m, 1h or 3d, found "0s"',
  ],
  [
    'timeline: [{at: +1s, limits: {account: alice, set: {}}}]',
    's.yaml:6:52 timeline[0].limits.set: expected at least 1 key, found 0 keys',
  ],
  [
    'timeline: [{at: +1s, halt: {asset: BTC, for: 0s}}]',
    's.yaml:6:46 timeline[0].halt.for: expected a duration above 0, such as 250ms, 5s, 2m, 1h or 3d, found "0s"',
  ],
  [
    'expect: [{at: +1m, that: "price.BTC.mid between [5, 1]"}]',
    's.yaml:6:41 expect[0].that: nothing is between 5 and 1; the lower bound comes first',
  ],
  [
    'expect: [{at: +1m, that: {price.BTC.mid: {between: [5, 1]}}}]',
    's.yaml:6:52 expect[0].that."price.BTC.mid".between: nothing is between 5 and 1; the lower bound comes first',
  ],
  ['timeline: [{note: x}]', 's.yaml:6:12 timeline[0]: one of these keys must be there: at, every, when'],
  [
    'timeline: [{at: +1m}]',
    's.yaml:6:12 timeline[0]: one of these keys must be there: path, liquidity, halt, resume, pair, order, amend, cancel, quote, agentOrder, deposit, withdraw, settle, limits, agent, key, rateLimit, fault, clock, snapshot, note, await',
  ],
  [
    'timeline: [{at: +1m, note: x, resume: {asset: BTC}}]',
    's.yaml:6:12 timeline[0]: only one of these keys can be there: resume, note',
  ],
  [
    'timeline: [{at: 5 minutes, note: x}]',
    's.yaml:6:17 timeline[0].at: "5 minutes" is not a moment; write +5m, an instant, or label+10s',
  ],
  [
    'timeline: [{at: 30s, note: x}]',
    's.yaml:6:17 timeline[0].at: "30s" is not a moment; write +5m, an instant, or label+10s. Did you mean "+30s"?',
  ],
  [
    'expect: [{at: +1m, that: {order[a].status: {eq: filled}}}]',
    's.yaml:6:32 cannot be read: Missing , or : between flow map items (texts with [ ] { } , in them need quotes here)',
  ],
  [
    'timeline: [{at: +5min, note: x}]',
    's.yaml:6:17 timeline[0].at: "5min" is not a duration, such as 250ms, 5s, 2m, 1h or 3d',
  ],
  ['timeline: [{at: +2h, note: x}]', 's.yaml:6:17 timeline[0].at: after the end of the clock'],
  [
    'timeline: [{at: 2025-01-01T00:00:00Z, note: x}]',
    's.yaml:6:17 timeline[0].at: before the start of the clock',
  ],
  [
    'timeline: [{at: nws, note: x}, {at: +1s, id: news, note: x}]',
    's.yaml:6:17 timeline[0].at: no action above has the id "nws"',
  ],
  [
    'timeline: [{at: +1s, id: news, note: x}, {at: nws+1s, note: x}]',
    's.yaml:6:47 timeline[1].at: no action above has the id "nws". Did you mean "news"?',
  ],
  [
    'timeline: [{at: +1s, id: a, note: x}, {at: +1s, id: a, note: x}]',
    's.yaml:6:53 timeline[1].id: two actions have the id "a"',
  ],
  [
    'timeline: [{at: +1s, order: {account: alise, side: buy, asset: BTC, quantity: 1, price: 1}}]',
    's.yaml:6:39 timeline[0].order.account: unknown account "alise". Did you mean "alice"?',
  ],
  [
    'timeline: [{at: +1s, order: {account: alice, side: buy, asset: BCT, quantity: 1, price: 1}}]',
    's.yaml:6:64 timeline[0].order.asset: unknown asset "BCT". Did you mean "BTC"?',
  ],
  [
    'timeline: [{at: +1s, order: {account: alice, side: buy, asset: BTC, quantity: 1}}]',
    's.yaml:6:29 timeline[0].order: a limit order needs a "price"',
  ],
  [
    'timeline: [{at: +1s, order: {account: alice, side: buy, asset: BTC, quantity: 0.00005, price: 1}}]',
    's.yaml:6:79 timeline[0].order.quantity: 0.00005 is not a multiple of the quantity step 0.0001',
  ],
  [
    'timeline: [{at: +1s, order: {account: alice, side: buy, asset: BTC, quantity: 1, price: 1.001}}]',
    's.yaml:6:89 timeline[0].order.price: 1.001 is not a multiple of the price step 0.01',
  ],
  [
    'timeline: [{at: +1s, order: {account: alice, side: buy, asset: BTC, quantity: 1, price: -100%}}]',
    's.yaml:6:89 timeline[0].order.price: a fall of 100 % or more leaves no price',
  ],
  [
    'timeline: [{at: +1s, amend: {order: x, price: 1}}]',
    's.yaml:6:37 timeline[0].amend.order: no order is called "x"; an action\'s "as" gives it its name',
  ],
  [
    'timeline: [{at: +1s, path: {asset: BTC}}]',
    's.yaml:6:28 timeline[0].path: say where the price goes by one of "waypoints", "price", "shock" and "betaTo", or how by "volX" and "drift" or "model"',
  ],
  [
    'timeline: [{at: +1s, path: {asset: BTC, waypoints: [[+5m, 1], [+1m, 2]]}}]',
    's.yaml:6:64 timeline[0].path.waypoints[1][0]: offsets never fall',
  ],
  [
    'timeline: [{at: +1s, deposit: {account: alice, asset: USD, quantity: 0.0000001}}]',
    's.yaml:6:70 timeline[0].deposit.quantity: 0.0000001 has more than 6 decimals',
  ],
  [
    'timeline: [{at: +1s, path: {asset: BTC, betaTo: BTX}}]',
    's.yaml:6:49 timeline[0].path.betaTo: unknown asset "BTX". Did you mean "BTC"?',
  ],
  [
    'matrix: {sed: 1..3}',
    's.yaml:6:10 matrix.sed: the scenario has no parameter "sed". Did you mean "seed"?',
  ],
  [
    'params: {x: alice}\nexpect: [{at: end, that: {"account[\u0024{x}].fills": 0}}]',
    's.yaml:7:27 expect[0].that."account[\u0024{x}].fills": parameters stand in values, not in keys',
  ],
  [
    'expect: [{always: price.BTC.mdi > 1}]',
    's.yaml:6:29 expect[0].always: unknown field "mdi". Did you mean "mid"?',
  ],
  ['expect: [{at: end}]', 's.yaml:6:10 expect[0]: "at" says when; "that" must say what'],
  [
    'expect: [{always: clock > 0, that: clock > 0}]',
    's.yaml:6:36 expect[0].that: "always" is complete; "that" goes with "at", "by" and "within"',
  ],
  [
    'expect: [{at: end, that: {price.BTC.mid: {gt: x}}}]',
    's.yaml:6:47 expect[0].that."price.BTC.mid".gt: a number cannot be compared with a text',
  ],
  [
    'expect: [{at: end, that: {price.BTC.mid: {above: 1}}}]',
    's.yaml:6:43 expect[0].that."price.BTC.mid".above: unknown key "above"; the keys here are eq, ne, lt, lte, gt, gte, between, in',
  ],
  [
    'expect: [{eventually: clock > 0, at: end}]',
    's.yaml:6:10 expect[0]: only one of these keys can be there: at, eventually',
  ],
  [
    'timeline: [{at: +1s, halt: {assets: BTC}}]',
    's.yaml:6:29 timeline[0].halt.assets: unknown key "assets". Did you mean "asset"?',
  ],
  [
    'expect: [{at: end, that: clock > 0, ta: 1}]',
    's.yaml:6:37 expect[0].ta: unknown key "ta"; the keys here are at, by, within, always, never, eventually, leadsTo, journalDigest, that, message, tol, ifReached, mayBeUnjudged, recorded, aggregate',
  ],
  [
    'description: "\\e[31m\\0"\nfees: "\\e[31m\\0"',
    's.yaml:7:7 fees: expected a mapping, found "\\u001b[31m\\u0000"',
  ],
])('%s: %s', (line, complaint) => {
  expect(listMistakes(scenarioWith(line))).toEqual([complaint])
})

it.each([
  [
    'a misspelt model',
    'BTC: {price: 1, model: {kind: gmb}}',
    's.yaml:3:49 market.assets.BTC.model.kind: unknown kind "gmb", expected one of constant, waypoints, gbm, ou, replay, merton, heston, garch, regimes, hawkes, bootstrap, market. Did you mean "gbm"?',
  ],
  [
    'a word for a mapping or one other word',
    'BTC: {price: 1, impact: off}',
    's.yaml:3:43 market.assets.BTC.impact: expected "none", or a mapping of impact figures, found "off"',
  ],
  ['no price', 'BTC: {model: {kind: gbm}}', 's.yaml:3:24 market.assets.BTC: missing "price"'],
  ['a price of 0', 'BTC: {price: 0}', 's.yaml:3:32 market.assets.BTC.price: must be above 0'],
  [
    'a lower-case symbol',
    'btc: {price: 1}',
    's.yaml:3:19 market.assets.btc: the key must be an asset symbol, such as BTC',
  ],
  [
    'cash as an asset',
    'USD: {price: 1}',
    's.yaml:3:24 market.assets.USD: USD is the cash that all assets trade against',
  ],
  [
    'takers of an unknown asset',
    'BTC: {price: 1, flow: {kind: hawkes, ratePerMinute: {BTX: 1}}}',
    's.yaml:3:72 market.assets.BTC.flow.ratePerMinute.BTX: unknown asset "BTX". Did you mean "BTC"?',
  ],
  ['no assets', '', 's.yaml:3:18 market.assets: expected 1 to 200 keys, found 0 keys'],
  [
    'a recording without a reader',
    'BTC: {model: {kind: replay, data: x.csv}}',
    's.yaml:3:53 market.assets.BTC.model.data: "x.csv" is not read here, only for a scenario file: give that to otcsim serve --scenario, or in code to loadScenario',
  ],
  [
    'a crossed ladder',
    'BTC: {price: 1, liquidity: {kind: ladder, bids: [[2, 1]], asks: [[1, 1]]}}',
    /^s\.yaml:3:\d+ market\.assets\.BTC\.liquidity/,
  ],
])('refuses %s', (_, assets, complaint) => {
  const found = listMistakes(`version: 1\nname: x\nmarket: {assets: {${assets}}}`)
  expect(found[0]).toEqual(typeof complaint === 'string' ? complaint : expect.stringMatching(complaint))
})

it.each([
  [
    '{medianUs: 3}',
    ':47 timeline[0].agent.set.medianUs: unknown parameter "medianUs". Did you mean "medianUsd"?',
  ],
  ['{ratePerMinute: 0}', ':62 timeline[0].agent.set.ratePerMinute: expected a number from 0.001 to 6000'],
  ['{lifetime: 5 minutes}', ':57 timeline[0].agent.set.lifetime: expected a duration from 1ms to 36500d'],
])('refuses to set %s of an agent', (set, complaint) => {
  const agents = 'agents: [{id: crowd, kind: noise, account: alice, asset: BTC}]'
  const timeline = `timeline: [{at: +1s, agent: {id: crowd, set: ${set}}}]`
  expect(listMistakes(scenarioWith(`${agents}\n${timeline}`))).toEqual([`s.yaml:7${complaint}`])
})

it('says what an unknown asset of a correlation may mean, at its key', () => {
  const market =
    'market: {correlation: {matrix: {BTX: {ETH: 0.5}}}, assets: {BTC: {price: 1}, ETH: {price: 1}}}'
  expect(listMistakes(`version: 1\nname: x\n${market}`)).toEqual([
    's.yaml:3:33 market.correlation.matrix.BTX: unknown asset "BTX". Did you mean "BTC"?',
  ])
})

it('does not count what balances are worth at a price that is none', () => {
  const lines = 'market: {assets: {BTC: {price: 1e400}}}\naccounts: [{id: a, balances: {BTC: 1}}]'
  expect(listMistakes(`version: 1\nname: x\n${lines}`)).toEqual([
    's.yaml:3:32 market.assets.BTC.price: must be at most 10000000000',
  ])
})

it.each([
  ['{price: 5000000000}', ''],
  [
    '{price: 2, model: {kind: waypoints, points: [[+0s, 5000000000]]}}',
    'accounts: [{id: a, balances: {BTC: 10}}]',
  ],
  [
    '{price: 2, model: {kind: waypoints, points: [[+0s, 50000]], asReturnsFrom: 0.00005}}',
    'accounts: [{id: a, balances: {BTC: 10}}]',
  ],
])('refuses what no account could hold, or gives none of it: %s', (asset, accounts) => {
  const text = `version: 1\nname: x\nmarket: {flow: {kind: none}, assets: {BTC: ${asset}}}\n${accounts}`
  const found = listMistakes(text)
  if (accounts !== '')
    expect(found).toEqual([expect.stringMatching(/balances: are worth about \d+ million USD/)])
  else expect(runScenario(load(text)).failures).toEqual([])
})

it.each([
  ['a block', '  that: |\n    clock > 0\n    and prise.BTC.mid > 0', 's.yaml:10:9'],
  ['a folded block', '  that: >-\n\n      clock > 0 and\n\n      prise.BTC.mid > 0', 's.yaml:12:7'],
  ['quotes', '  that: "clock > 0\n    and prise.BTC.mid > 0"', 's.yaml:9:9'],
  ['a plain text', '  that: clock > 0\n    and prise.BTC.mid > 0', 's.yaml:9:9'],
  ['a text with escapes, at its start', '  that: "clock \\u003e 0\n    and prise.BTC.mid > 0"', 's.yaml:8:9'],
])('points at the word of a predicate in %s over several lines', (_, that, place) => {
  const reason = 'expect[0].that: unknown read-out "prise". Did you mean "price"?'
  expect(listMistakes(scenarioWith(`expect:\n- at: end\n${that}`))).toEqual([`${place} ${reason}`])
})

it('points behind a predicate that breaks off', () => {
  const that = '  that: |\n    clock > 0\n    and clock <\n\n'
  expect(listMistakes(scenarioWith(`expect:\n- at: end\n${that}`))).toEqual([
    's.yaml:10:16 expect[0].that: a value is missing at the end',
  ])
})

it('points at a misspelt kind', () => {
  const agents = 'agents: [{id: a, knd: noise, account: alice, asset: BTC}]'
  expect(listMistakes(scenarioWith(agents))).toEqual([
    's.yaml:6:18 agents[0].knd: unknown key "knd". Did you mean "kind"?',
  ])
})

it('reports all problems at once, up to a limit', () => {
  expect(listMistakes(scenarioWith('sed: 1\nfees: {takerBp: 1}\nacounts: []'))).toHaveLength(3)
  const many = Array.from({ length: 500 }, () => '{at: 1}').join(', ')
  const told = listMistakes(scenarioWith(`timeline: [${many}]`))
  expect(told).toHaveLength(51)
  expect(told.at(-1)).toBe('s.yaml has 950 more mistakes, not listed')
})

it('names the file even where the text is broken', () => {
  const broken = loadScenario('a: [1', 'dir/x.yaml')
  expect(broken.ok ? [] : broken.problems.map(formatMistake)).toEqual([
    expect.stringMatching(/^dir\/x\.yaml:1:\d+ cannot be read: /),
  ])
})
