import { describe, expect, it } from 'vitest'
import { listMistakes } from '../fixtures.ts'

/*
 * Files of a hostile or hurried user: each is wrong in one way, and its one problem has to point at the place and say
 * what would be right. `%` marks the place and is not part of the file.
 */
const head = 'version: 1\nname: x\nclock: { start: 2026-01-05T00:00:00Z, end: 10m }\n'
const market = 'market: { assets: { BTC: { price: 50000, model: { kind: constant } } } }\n'
const accounts = 'accounts: [{ id: bot, balances: { USD: 1000 } }]\n'
const whole = head + market + accounts
const acting = (entry: string): string => `${whole}timeline: [{ at: +5s, ${entry} }]\n`
const asset = (text: string): string => `${head}market: { assets: { BTC: ${text} } }\n`

const files: readonly (readonly [name: string, text: string, says: RegExp])[] = [
  ['nothing at all', '%', /expected an otcsim scenario, found nothing/],
  [
    'a colon without a space',
    `${whole.replace('\nname: x', '\n%name:x')}`,
    /expected "key: value", with a space/,
  ],
  [
    'a line without a colon',
    `${head}fees:\n  %makerBps 0\n  takerBps: 1\n`,
    /expected "key: value", with a space/,
  ],
  ['a key further in', `${head}fees:\n  makerBps: %0\n   takerBps: 1\n`, /begin in the same column/],
  [
    'a colon in a text',
    `${whole}description: %a crash: with a halt\n`,
    /a text with ": " in it needs quotes/,
  ],
  ['commas in a number', whole.replace('1000 }', '1,%000,000 }'), /without commas, as in 1000000/],
  [
    'too much',
    acting('order: { account: bot, side: buy, asset: BTC, quantity: %1e300, price: 1 }'),
    /must be at most 9000000000000000/,
  ],
  ['no seed', `${whole}seed: %""\n`, /must not be empty/],
  ['a list', '%- a\n', /expected an otcsim scenario, found a list/],
  ['two documents', `${whole}%---\n${whole}`, /remove the second "---"/],
  ['a tab', `${head}market:\n%\tassets: {}\n`, /Tabs are not allowed/],
  ['lines of Windows', `${whole.replaceAll('\n', '\r\n')}%timelin: []\r\n`, /Did you mean "timeline"/],
  ['a key twice', `${whole}%name: y\n`, /name: the key is there twice, first in line 2/],
  ['an alias', `${head}market: { assets: { BTC: &a { price: 1 }, ETH: %*a } }\n`, /write the value again/],
  ['a tag', `${whole}description: %!!js/function "x"\n`, /tags are not allowed/],
  ['deep nesting', `${whole}description: ${'['.repeat(31)}%${'['.repeat(900)}`, /nested deeper than 32/],
  ['no number', asset('{ price: %.nan }'), /is not a plain decimal number/],
  ['a number in another base', asset('{ price: %0x10 }'), /is not a plain decimal number/],
  ['a number beyond the range of prices', asset('{ price: %1e300 }'), /must be at most 10000000000/],
  [
    'a word as a model',
    asset('{ price: 5, model: %gbm }'),
    /a mapping such as \{kind: constant\}, of the kinds/,
  ],
  ['an empty model', asset('{ price: 5, model: %}'), /a mapping such as \{kind: constant\}/],
  ['fees of a pair', asset('{ price: 5, fees: %{ makerBps: 1 } }'), /fees are those of the venue/],
  ['no such day', head.replace('2026-01-05', '%2026-02-30') + market, /is not an instant/],
  [
    'no such day, on which all depends',
    `${acting('note: x').replace('2026-01-05', '%2026-02-30')}expect: [{ at: 2026-03-01T00:00:00Z, that: clock > 0 }]\n`,
    /is not an instant/,
  ],
  [
    'an end that is no time, on which all depends',
    `${whole.replace('10m', '%10 minutes')}expect: [{ at: end, that: clock > 0 }]\n`,
    /is neither a duration nor an instant/,
  ],
  [
    'an end before the start',
    head.replace('10m', '%2025-01-01T00:00:00Z') + market,
    /must be after the start/,
  ],
  ['a number as a duration', head.replace('10m', '%600') + market, /expected a duration/],
  [
    'an empty span',
    `%matrix: { seed: [] }\n${whole}`.replace('%matrix: { seed: ', 'matrix: { seed: %'),
    /expected at least one value/,
  ],
  ['a span of three', `matrix: { seed: %1..2..3 }\n${whole}`, /is not a span; write 1\.\.100/],
  [
    'too many runs',
    `matrix: { seed: 1..1000, a: %1..11 }\nparams: { a: 1 }\n${whole}`,
    /more than 10000 runs/,
  ],
  ['parameters of parameters', `params: { p: %"\u0024{q}", q: 1 }\n${whole}`, /cannot be made of others/],
  [
    'a parameter with more than a default',
    `params: { p: %{ default: 1 } }\n${whole}`,
    /a parameter is its default alone, as in params: \{ p: 1 \}/,
  ],
  ['a fault without a kind', acting('fault: %{}'), /say what goes wrong/],
  ['an invalid path', acting('await: { request: { path: %api } }'), /a path that begins with "\/"/],
  ['a price as a shock', acting('path: { asset: BTC, shock: %10 }'), /where to go is "price"/],
  ['a shock below 0', acting('path: { asset: BTC, shock: %-150% }'), /leaves no price/],
  [
    'waypoints without points',
    acting('path: { asset: BTC, model: %{ kind: waypoints } }'),
    /missing "points"/,
  ],
  [
    'waypoints that go back in time',
    acting('path: { asset: BTC, model: { kind: waypoints, points: [[+5m, 1], [%+1m, 2]] } }'),
    /offsets never fall/,
  ],
  [
    'a model without variance',
    acting('path: { asset: BTC, model: { kind: garch, alpha: 0.9, beta: %0.9 } }'),
    /variance has no mean/,
  ],
  [
    'a recording that cannot be read',
    acting('path: { asset: BTC, model: { kind: replay, data: %a.csv } }'),
    /"a.csv" is not read here/,
  ],
  [
    'a model beside a shock',
    acting('path: %{ asset: BTC, shock: -5%, model: { kind: heston } }').replace('-5%', '-500bps'),
    /say where the price goes by one of/,
  ],
  [
    'noise of a model',
    acting('path: { asset: BTC, noiseVol: %1, model: { kind: heston } }'),
    /noise between points, and "model" has none/,
  ],
  [
    'a limit of an unknown asset',
    acting('limits: { account: bot, set: { maxOrderSize: { %BTCC: 1 } } }'),
    /unknown asset "BTCC".*Did you mean "BTC"/,
  ],
  [
    'a limit of an account for an unknown asset',
    `${head}${market}accounts: [{ id: a, limits: { maxExposurePerAsset: { %ETH: 1, default: 5 } } }]\n`,
    /unknown asset "ETH"/,
  ],
  [
    'a pace of recovery without liquidity',
    acting('liquidity: { asset: BTC, refreshX: %2 }').replace(
      'kind: constant }',
      'kind: constant }, liquidity: { kind: none }',
    ),
    /whole again at each step/,
  ],
  [
    'an order of an unknown account',
    acting('order: { account: %bob, side: buy, asset: BTC, quantity: 1, price: 5 }'),
    /Did you mean "bot"/,
  ],
  [
    'a limit order without a price',
    acting('order: %{ account: bot, side: buy, asset: BTC, quantity: 1 }'),
    /needs a "price"/,
  ],
  ['division', `${whole}expect: [{ always: "price.BTC.mid %/ 2 > 1" }]\n`, /no division/],
  ['one sign for equality', `${whole}expect: [{ always: "price.BTC.mid %= 5" }]\n`, /Did you mean "=="/],
  [
    'an unfinished predicate',
    `${whole}expect: [{ always: "price.BTC.mid > 1 and%" }]\n`,
    /a value is missing at the end/,
  ],
  [
    'a predicate too long',
    `${whole}expect: [{ always: %"${'('.repeat(3000)}" }]\n`,
    /longer than 2000 characters/,
  ],
]

describe('a scenario file with', () => {
  it.each(files)('%s', (_, marked, says) => {
    const at = marked.indexOf('%')
    const before = marked.slice(0, at)
    const line = before.split('\n').length
    const column = at - before.lastIndexOf('\n')
    const found = listMistakes(before + marked.slice(at + 1))
    expect(found).toHaveLength(1)
    expect(found[0]).toMatch(says)
    expect(found[0]).toContain(`:${line}:${column} `)
  })
})
