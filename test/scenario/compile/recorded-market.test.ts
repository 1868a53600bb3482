import { expect, it } from 'vitest'
import { toAssetVolumes } from '../../../src/market/recordings/recording.ts'
import type { RecordingRequest } from '../../../src/scenario/file/source.ts'
import { listMistakes, load } from '../fixtures.ts'

const candles = [0, 1, 2].map((index) => ({
  atMillis: 1_600_000_000_000 + index * 3_600_000,
  spanMillis: 3_600_000,
  open: 100 + index,
  high: 110,
  low: 90,
  close: 101 + index,
  volume: 5,
}))

it('starts and ends with the recording of a replay, at its first price', () => {
  const read: [string, boolean][] = []
  const options = {
    params: new Map([['data', 'x.csv.gz']]),
    readCandles: ({ name, isParameter }: RecordingRequest) => {
      read.push([name, isParameter])
      return { ok: true, candles } as const
    },
  }
  const text = `version: 1
name: replay
params: {data: }
market:
  assets:
    BTC: {model: {kind: replay, data: "\${data}", gaps: halt}}
    ETH: {model: {kind: replay, data: "eth.csv"}}
`
  const scenario = load(text, options)
  expect(read).toEqual([
    ['x.csv.gz', true],
    ['eth.csv', false],
  ])
  expect(scenario.venue.startMillis).toBe(1_600_000_000_000)
  expect(scenario.clock.endMillis).toBe(1_600_010_800_000)
  expect(scenario.venue.market.assets[0]).toMatchObject({
    price: 100,
    model: { kind: 'replay', gaps: 'halt', candles },
  })
  expect(listMistakes(text, { readCandles: options.readCandles })).toEqual([
    's.yaml:3:10 params.data: the parameter has no default; give it with --param data=VALUE',
  ])
})

it('accepts volumes in USD, and refuses those that cannot be quantities', () => {
  const text = (volumeIn: string) =>
    `version: 1\nname: x\nmarket: {assets: {BTC: {model: {kind: replay, data: x, volumeIn: ${volumeIn}}}}}`
  const large = candles.map((candle) => ({ ...candle, volume: 1e12 }))
  const readCandles = ({ options }: RecordingRequest) =>
    ({ ok: true, candles: options.volumeIn === 'usd' ? toAssetVolumes(large) : large }) as const
  expect(load(text('usd'), { readCandles }).venue.market.assets[0]?.model).toMatchObject({
    candles: { volume: Float64Array.of(2e12 / 201, 2e12 / 203, 2e12 / 205) },
  })
  expect(listMistakes(text('asset'), { readCandles })).toEqual([
    's.yaml:3:53 market.assets.BTC.model.data: the candle of 2020-09-13T12:26:40.000Z traded about 110000000 million USD, and at most 10000000 million fit; if the file has its volumes in USD, say volumeIn: usd',
  ])
})

it('refuses a clock that leaves its recording', () => {
  const readCandles = () => ({ ok: true, candles }) as const
  const clocks = [
    '{start: 2020-01-01}',
    '{start: 2021-01-01}',
    '{start: data, end: 4h}',
    '{start: data, end: 2020-09-12}',
  ]
  for (const clock of clocks) {
    const text = `version: 1\nname: x\nclock: ${clock}\nmarket: {assets: {BTC: {model: {kind: replay, data: x}}}}`
    expect(listMistakes(text, { readCandles })).toEqual([
      expect.stringMatching(/^s\.yaml:3:\d+ clock\.(start|end): /),
    ])
  }
})
