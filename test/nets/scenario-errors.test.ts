import { expect, it } from 'vitest'
import { millis } from '../../src/numeric/units.ts'
import { listMistakes } from '../scenario/fixtures.ts'
import { expectGolden } from './golden-text.ts'
import { frame, type Piece, pieces, readBook } from './scenario-pieces.ts'
import { groupedByAnswer, shownValue } from './wrong-values.ts'

/*
 * What readers of scenario files are told, word by word and place by place: every key of every piece of the language
 * misspelt, left out, and with values that it can't have.
 */

const hour = 3_600_000
const readCandles = () => ({
  ok: true as const,
  candles: Array.from({ length: 48 }, (_, index) => ({
    atMillis: millis(Date.UTC(2026, 0, 1) + index * hour),
    spanMillis: millis(hour),
    open: 100 + index,
    high: 102 + index,
    low: 99 + index,
    close: 101 + index,
    volume: 5,
  })),
})

it('the pieces are right', () => {
  const wrong = Object.entries(pieces).flatMap(([name, piece]) =>
    complaintsOf(piece).map((text) => `${name}: ${text}`),
  )
  expect(wrong).toEqual([])
})

it('every key misspelt, left out, or with a wrong value', async () => {
  const told = new Set<string>()
  const isNew = (place: Place, piece: Piece) => {
    const shown = `${place.join('.')} ${JSON.stringify(place.reduce((value, key) => Object(value)[key], piece))}`
    return !told.has(shown) && told.add(shown) === told
  }
  const lines = Object.entries(pieces).flatMap(([name, piece]) => [
    `# ${name}`,
    ...placesIn(piece)
      .filter((place) => isNew(place, piece))
      .flatMap((place) => mistakesAt(piece, place)),
  ])
  await expectGolden('errors/scenario-keys.txt', lines.join('\n'))
})

/** Few for each kind of value: these thousands of files take most of this test's time. */
function wrongFor(value: unknown): readonly unknown[] {
  if (typeof value === 'number') return [undefined, 'nonsense', -1, 1e20]
  if (typeof value === 'string') return [undefined, 'nonsense', 7]
  return [undefined, 'nonsense', {}]
}

type Place = readonly (string | number)[]

function mistakesAt(piece: Piece, place: Place): readonly string[] {
  const key = place.at(-1)
  const right = place.reduce<unknown>((value, step) => Object(value)[step], piece)
  const cases = wrongFor(right).map(
    (value) => [shownValue(value), told(changed(piece, place, value))] as const,
  )
  // Keys of one mapping are looked for in one list.
  const isFirst =
    Object.keys(
      Object(place.slice(0, -1).reduce<unknown>((value, step) => Object(value)[step], piece)),
    )[0] === key
  const misspelt =
    isFirst && typeof key === 'string'
      ? ([['misspelt', told(renamed(piece, place, `${key}x`))]] as const)
      : []
  return groupedByAnswer(`${place.join('.')}:`, [...misspelt, ...cases])
}

const told = (piece: unknown): string => complaintsOf(piece).join('\n  ') || 'right'

const complaintsOf = (piece: unknown): readonly string[] =>
  listMistakes(JSON.stringify({ ...frame, ...Object(piece) }, null, 1), { readCandles, readBook })

/** Every key and item of a value, the outer ones first. */
function placesIn(value: unknown, outer: Place = []): readonly Place[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, member]) => {
    const place = [...outer, Array.isArray(value) ? Number(key) : key]
    return [place, ...placesIn(member, place)]
  })
}

function changed(value: unknown, [key, ...rest]: Place, put: unknown): unknown {
  if (key === undefined) return put
  if (Array.isArray(value))
    return value.flatMap((item: unknown, index) => {
      if (index !== key) return [item]
      const next = changed(item, rest, put)
      return next === undefined ? [] : [next]
    })
  return { ...Object(value), [key]: changed(Object(value)[key], rest, put) }
}

function renamed(value: unknown, [key, ...rest]: Place, name: string): unknown {
  if (Array.isArray(value))
    return value.map((item, index) => (index === key ? renamed(item, rest, name) : item))
  const entries: [string, unknown][] = Object.entries(Object(value))
  return Object.fromEntries(
    entries.map(([own, member]) => {
      if (own !== key) return [own, member]
      return rest.length === 0 ? [name, member] : [own, renamed(member, rest, name)]
    }),
  )
}
