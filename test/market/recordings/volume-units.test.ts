import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseText } from './parse-text.ts'

/* From where on the volumes of a recording may be in another unit: each of the next eight a multiple of each of the last. */

const firstMillis = Date.UTC(2025, 0, 1)
const minuteOf = (place: number): number => firstMillis + place * 60_000

function readWarnings(volumes: readonly number[]): readonly string[] {
  const rows = volumes.map((volume, place) => `${minuteOf(place)},10,11,9,10,${volume}`)
  const read = parseText(['ts_ms,open,high,low,close,volume', ...rows].join('\n'))
  if (!read.ok) throw new Error(read.problem.message)
  return read.explanation?.warnings.filter((text) => text.includes('in another unit')) ?? []
}

/** By the definition, with lists, at every candle in which something was traded. */
function expectWarnings(volumes: readonly number[]): readonly string[] {
  for (const [place, volume] of volumes.entries()) {
    const before = volumes
      .slice(0, place)
      .filter((one) => one > 0)
      .slice(-8)
    const after = volumes
      .slice(place)
      .filter((one) => one > 0)
      .slice(0, 8)
    if (volume === 0 || before.length === 0) continue
    const isUp = after.every((own) => before.every((other) => own >= 20 * other))
    const isDown = after.every((own) => before.every((other) => other >= 20 * own))
    const at = new Date(minuteOf(place)).toISOString()
    const change = isUp ? 'more than 20 times' : 'less than a 20th of'
    if (isUp || isDown)
      return [`From ${at} on, volumes are ${change} those before: they may be in another unit there.`]
  }
  return []
}

describe('a column beside the volume', () => {
  const read = (header: string, last: (volume: number) => string) =>
    parseText(
      [
        header,
        ...Array.from({ length: 12 }, (_, place) => `${minuteOf(place)},10,11,9,10,${last(place + 0.5)}`),
      ].join('\n'),
    )
  const volumesOf = (answer: ReturnType<typeof read>) =>
    answer.ok ? answer.candles.map(({ volume }) => volume) : answer.problem.message
  const own = Array.from({ length: 12 }, (_, place) => place + 0.5)

  it.each([
    ...[
      'buy',
      'sell',
      'em',
      'obv',
      'sma',
      'ma20',
      'ema50',
      'std',
      'delta',
      'vwap',
      '24h',
      'cmf',
      'zscore',
      'ratio',
    ],
  ])('volume_%s is no volume', (name) => {
    const both = read(
      `ts_ms,open,high,low,close,volume,volume_${name}`,
      (volume) => `${volume},${volume / 3}`,
    )
    expect(volumesOf(both)).toEqual(own)
    const before = read(
      `ts_ms,open,high,low,close,Volume ${name.toUpperCase()},Volume`,
      (volume) => `7.5,${volume}`,
    )
    expect(volumesOf(before)).toEqual(own)
    const alone = read(`ts_ms,open,high,low,close,volume_${name}`, String)
    expect(alone).toMatchObject({ ok: true, explanation: { volume: 'none' } })
  })

  it.each(['traded', 'total', 'contracts', 'lots'])('volume_%s does not say its unit', (name) => {
    const alone = read(`ts_ms,open,high,low,close,volume_${name}`, String)
    expect(alone).toMatchObject({ explanation: { volume: `volume_${name} in units of the asset` } })
    expect(alone.ok && alone.explanation?.assumed.join()).toContain('volumeIn: usd if not')
  })

  it.each(['125.63K', '1.5 BTC', '0x10', 'Infinity', '1e999'])(
    'that has %s in every row is asked for',
    (field) => {
      const text = (name: string) => read(`ts_ms,open,high,low,close,${name}`, () => field)
      expect(volumesOf(text('Vol.'))).toBe(
        `"${field}" of Vol. is no number; say columns: volume=NAME, or volume=none`,
      )
      expect(text('remark')).toMatchObject({ ok: true, explanation: { volume: 'none' } })
    },
  )

  it('of another unit that nothing proves is asked for', () => {
    const names = 'ts_ms,open,high,low,close,volume,volume_btc'
    expect(volumesOf(read(names, (volume) => `${volume * 100},${volume}`))).toBe(
      'volume and volume_btc may each be the volume; say columns: volume=NAME, or volume=none',
    )
    expect(volumesOf(read(names, (volume) => `${volume},${volume}`))).toEqual(own)
    expect(volumesOf(read(names, (volume) => `${volume * 10},${volume}`))).toEqual(own)
  })
})

it('is where the definition says, whatever the volumes are', () => {
  const volume = fc.constantFrom(0, 0, 1, 2, 19, 20, 21, 40, 400, 800)
  const steady = fc.record({
    calm: fc.array(fc.constantFrom(0, 1, 2), { minLength: 2, maxLength: 20 }),
    factor: fc.constantFrom(0.05, 0.5, 20, 40),
  })
  const stepped = steady.map(({ calm, factor }) => [...calm, ...calm.map((one) => 40 * one * factor)])
  let found = 0
  fc.assert(
    fc.property(fc.oneof(fc.array(volume, { minLength: 2, maxLength: 40 }), stepped), (volumes) => {
      const expected = expectWarnings(volumes)
      found += expected.length
      expect(readWarnings(volumes)).toEqual(expected)
    }),
    { seed: 7, numRuns: 400 },
  )
  expect(found).toBeGreaterThan(50)
})
