import { describe, expect, it } from 'vitest'
import { type Figure, formFigures } from './form.ts'
import { ownWords, unknownWords } from './glossary.ts'
import { breaches } from './reasons.ts'
import { parseSource } from './source.ts'

/* What the figures of the form count, on small samples; `repository.test.ts` holds those of the sources. */

describe('the figures count', () => {
  const sources = Object.entries({
    'engine/a.ts': [
      "import { b } from './b.ts'",
      "const late = () => import('./c.ts')",
      'export interface Row { id: string; at: number; price: number; size: number }',
      'export const priceOf = (rows: number[]) => Number(rows[0])',
      'const sumOf = (rows: number[]) => rows.map((row) => row + 1)',
      '/** The same for sells. */',
      'export function answered() {}',
      '/** Signed. */',
      'const signedHeaders = () => 1',
    ],
    'engine/b.ts': [
      'export type Row = string',
      'export class LongQux {}',
      'export const b = { size: 1, price: 2, at: 3, id: 4 }',
      'function textOf() {}',
      "response.emit('close')",
      'const changedOnItsWay = () => 2',
      '/** Which decides whether a taker is informed. */',
      'const isInformed = () => true',
    ],
    'engine/c.ts': [
      "import { priceOf } from './a.ts'",
      '/** Prices are in ticks, and a list of them is in order. */',
      'export const deep = record({ size: 1, price: 2, at: 3, id: 4 })',
      '\n'.repeat(300),
    ],
  }).map(([path, text]) => parseSource(`src/${path}`, text.join('\n')))
  const found = new Map(formFigures(sources).map((figure) => [figure.name, figure.places]))

  it.each<[string, readonly string[]]>([
    ['files with one importer next door, of 300 lines together', ['src/engine/b.ts < src/engine/a.ts']],
    [
      'circles of imports, late ones counted',
      [
        'src/engine/a.ts imports itself: src/engine/a.ts > src/engine/c.ts > src/engine/a.ts',
        'src/engine/a.ts imports itself: src/engine/a.ts > src/engine/c.ts > src/engine/a.ts',
      ],
    ],
    ['names of exported types that several files declare', ['Row: src/engine/a.ts, src/engine/b.ts']],
    [
      'shapes of at least 4 fields that are declared twice',
      ['at id price size: src/engine/a.ts:3, src/engine/c.ts:3'],
    ],
    ['Number(x[i]) outside tables and numeric', ['src/engine/a.ts:4 Number(rows[']],
    ['words of exported types that the glossary lacks', ['Qux: engine, LongQux']],
    ['functions called ...Of that compute', ['src/engine/a.ts:5 sumOf']],
    ['functions called by a participle', ['src/engine/a.ts:7 answered', 'src/engine/b.ts:6 changedOnItsWay']],
    ['functions whose name says nothing', ['src/engine/b.ts:4 function textOf']],
    ['places that reach into Node or a library', ["src/engine/b.ts:5 .emit('close'"]],
    ['doc comments that lean on another one', ['src/engine/a.ts:6 The same for sells.']],
    [
      'doc comments that are fragments',
      ['src/engine/a.ts:8 Signed.', 'src/engine/b.ts:7 Which decides whether a taker is informed.'],
    ],
  ])('%s', (name, places) => {
    expect(found.get(name)).toEqual(places)
  })
})

describe('a figure', () => {
  const figure: Figure = {
    name: 'bent nails',
    count: 2,
    places: ['src/engine/a.ts:2 nail', 'src/world/c.ts:1 nail'],
    limit: 0,
    remedy: 'straighten it',
  }

  it('names each place without a reason, and the remedy', () => {
    expect(breaches(figure, { 'bent nails': { 'src/world/c.ts': 'it holds a picture' } })).toEqual([
      'bent nails: src/engine/a.ts:2 nail: straighten it',
    ])
  })

  it('fails for a reason without a place', () => {
    const given = { 'bent nails': { 'src/engine/gone.ts': 'was one' } }
    expect(breaches({ ...figure, places: [] }, given)).toEqual([
      'no longer needs a reason: src/engine/gone.ts',
    ])
  })

  it.each([
    [2, []],
    [null, []],
  ])('passes up to a limit of %s', (limit, expected) => {
    expect(breaches({ ...figure, limit }, {})).toEqual(expected)
  })
})

describe('the glossary', () => {
  const own = ownWords('| Zug | market, world | a train |\n| Bork | market | |\n| Zap | world | what hits |')
  const uses = (path: string, name: string) =>
    unknownWords([parseSource(`src/${path}`, `export interface ${name} {}`)], own).filter(
      (line) => !line.endsWith('of no type'),
    )

  it('has words with their rooms and a meaning', () => {
    expect(own).toEqual([
      { word: 'Zug', rooms: ['market', 'world'] },
      { word: 'Zap', rooms: ['world'] },
    ])
  })

  it.each([
    ['market/a.ts', 'NightZug'],
    ['market/a.ts', 'NightZugs'],
    ['engine/a.ts', 'RestingOrder'],
    ['engine/a.ts', 'OrderEntries'],
  ])('passes in %s a %s', (path, name) => {
    expect(uses(path, name)).toEqual([])
  })

  it.each([
    ['engine/a.ts', 'NightZug', 'Zug: engine, NightZug'],
    ['market/a.ts', 'BigBork', 'Bork: market, BigBork'],
  ])('fails in %s for a %s', (path, name, place) => {
    expect(uses(path, name)).toEqual([place])
  })

  it('fails for a word in which no type of its rooms ends', () => {
    const source = parseSource('src/market/a.ts', 'export class NightZug {}')
    expect(unknownWords([source], own)).toEqual(['Zap: of no type'])
  })
})
