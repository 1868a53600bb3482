import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { countedFiles, formFigures } from './form.ts'
import { ownWords, unknownWords } from './glossary.ts'
import { reasons, withoutReason } from './reasons.ts'
import { parseSource, readSources, readTexts } from './source.ts'

/*
 * The form of the sources only gets better: no figure of `npm run form` may be above its ratchet in `ratchets.json`.
 * Choice: some have a little room, up to three in a hundred, while features are under way beside the change of form.
 * `npm run form -- --tighten` lowers the ratchets to what is there; raise one by hand, in a commit that says why. What is
 * told twice has no ratchet: each place of those figures has a written reason in `reasons.ts`, or fails.
 */

const ratchets: Record<string, number> = JSON.parse(
  readFileSync(new URL('ratchets.json', import.meta.url), 'utf8'),
)
const figures = formFigures(readSources('src'), readTexts('src', countedFiles))

const falling = figures.filter(({ name }) => !Object.hasOwn(reasons, name))

it.each(falling.map(({ name, count }) => [name, count] as const))('%s: %i, and not more', (name, count) => {
  expect(count).toBeLessThanOrEqual(ratchets[name] ?? -1)
})

it('what is told twice, every crumb, every cast in disguise and every unknown word has a reason', () => {
  expect(withoutReason(figures)).toEqual([])
})

describe('the figures count', () => {
  const sources = Object.entries({
    'engine/a.ts': [
      '// A comment',
      "import { b } from './b.ts'",
      "import { deep } from './deep/c.ts'",
      'export interface Row { id: string; at: number; price: number; size: number }',
      '/**',
      ' * Two more',
      ' */',
      'export const priceOf = (rows: number[]) => Number(rows[0])',
      "const schema = { type: 'object', properties: {}, required: [], additionalProperties: false }",
    ].join('\n'),
    'engine/b.ts': [
      'export type Row = string',
      'export class LongQux {}',
      'export const b = { size: 1, price: 2, at: 3, id: 4 }',
      "const other = { type: 'x', properties: {}, required: [], additionalProperties: true }",
      'function textOf() {}',
      "response.emit('close')",
      'const part = { ...b, size: 1, price: 2, at: 3, id: 4 }',
    ].join('\n'),
    'engine/deep/c.ts': `export const deep = record({ size: 1, price: 2, at: 3, id: 4 })\n${'\n'.repeat(30)}`,
  }).map(([path, text]) => parseSource(`src/${path}`, text))
  const found = new Map(formFigures(sources).map((figure) => [figure.name, figure]))

  it.each<[string, number, readonly string[]]>([
    ['lines of comments', 4, []],
    [
      'files with one importer',
      2,
      ['src/engine/b.ts < src/engine/a.ts', 'src/engine/deep/c.ts < src/engine/a.ts'],
    ],
    ['files with one importer, in their own folder', 1, ['src/engine/b.ts < src/engine/a.ts']],
    ['files under 25 lines with one importer, in their own folder', 1, ['src/engine/b.ts < src/engine/a.ts']],
    ['names of exported types that several files declare', 1, ['Row: src/engine/a.ts, src/engine/b.ts']],
    [
      'sets of at least 4 fields that several files tell',
      1,
      ['at id price size: src/engine/a.ts, src/engine/b.ts, src/engine/deep/c.ts'],
    ],
    [
      'shapes of at least 4 fields that are declared twice',
      1,
      ['at id price size: src/engine/a.ts:4, src/engine/deep/c.ts:1'],
    ],
    ['Number(x[i]) outside tables and numeric', 1, ['src/engine/a.ts:8 Number(rows[']],
    ['words of exported types that the glossary lacks', 1, ['Qux: engine, LongQux']],
    ['functions called ...Of', 2, ['src/engine/a.ts:8 priceOf', 'src/engine/b.ts:5 textOf']],
    ['functions whose name says nothing', 1, ['src/engine/b.ts:5 function textOf']],
    ['places that reach into Node or a library', 1, ["src/engine/b.ts:6 .emit('close'"]],
  ])('%s', (name, count, places) => {
    expect(found.get(name)).toEqual({ name, count, places })
  })
})

describe('a figure that is to be empty', () => {
  const twice = (path: string, text: string) => parseSource(`src/${path}`, text)
  const sources = [
    twice(
      'engine/a.ts',
      "import { b } from './b.ts'\nexport interface Order { id: string; at: number; side: 1; size: 1 }",
    ),
    twice('engine/b.ts', 'export const b = Number(rows[0])'),
    twice('world/c.ts', 'export type Order = { size: 1; side: 1; at: number; id: string }'),
    twice('market/models/d.ts', 'export const d = 1'),
    twice('market/models/e.ts', "import { d } from './d.ts'"),
  ]
  const crumbs = 'files under 25 lines with one importer, in their own folder'

  it.each([
    [
      'shapes of at least 4 fields that are declared twice',
      'at id side size: src/engine/a.ts:2, src/world/c.ts:1',
    ],
    ['names of exported types that several files declare', 'Order: src/engine/a.ts, src/world/c.ts'],
    [crumbs, 'src/engine/b.ts < src/engine/a.ts'],
    ['Number(x[i]) outside tables and numeric', 'src/engine/b.ts:1 Number(rows['],
  ])('of %s fails for a place without a reason', (name, place) => {
    expect(withoutReason(formFigures(sources), { [name]: {} })).toEqual([`${name}: ${place}`])
  })

  it('passes a place with a reason, and fails for a reason without a place', () => {
    const given = { [crumbs]: { 'src/engine/b.ts': 'an entry', 'src/engine/gone.ts': 'was one' } }
    expect(withoutReason(formFigures(sources), given)).toEqual([
      'no longer needs a reason: src/engine/gone.ts',
    ])
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
