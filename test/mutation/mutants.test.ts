import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { drawn, matching } from './choice.ts'
import { equivalentOf, keyOf, readEquivalents } from './equivalents.ts'
import { importsOfTests, killersFirst, textOf } from './killing-tests.ts'
import { changeOf, mutantsOf, mutated } from './mutants.ts'
import { scoreLine, scoresBy } from './report.ts'
import { TypeCheck } from './type-check.ts'

function changesOf(text: string): readonly string[] {
  return mutantsOf('src/engine/x.ts', text).map(changeOf)
}

describe('the mutants of a text', () => {
  it.each<[string, readonly string[]]>([
    ['x = a + b', ['a + b → a - b']],
    ['x = a - b * c', ['a - b * c → a + b * c', 'b * c → b / c']],
    ['x = a < b', ['a < b → a <= b', 'a < b → a >= b', 'a < b → true', 'a < b → false']],
    ['x = a === b', ['a === b → a !== b', 'a === b → true', 'a === b → false']],
    ['x = a && b', ['a && b → a || b']],
    ['x = a ?? b', ['a ?? b → a && b']],
    ['x = a >>> b', ['a >>> b → a << b']],
    ['x += a', ['x += a → x -= a']],
    ['x = !a', ['!a → a']],
    ['x = -a', ['-a → a']],
    ['x++', ['x++ → x--']],
    ['x = true', ['true → false']],
    ['x = a ? b : c', ['a → true', 'a → false']],
    ['if (a) b = c', ['a → true', 'a → false']],
    ['while (a) b = c', ['a → false']],
    ['for (; a; ) b = c', ['a → false']],
    ["x = 'text'", ["'text' → ''"]],
    ["x = ''", ["'' → 'mutated'"]],
    ["x = { 'a': b }", []],
    ['x = [a, b]', ['[a, b] → []']],
    ['x = []', []],
    ['function f() { a = b }', ['{ a = b } → {}']],
    ['f(a)', ['f(a) → ;']],
    ['x = Math.min(a, b)', ['Math.min(a, b) → Math.max(a, b)']],
    ['x = Math.abs(a)', ['Math.abs(a) → (a)']],
    ['x = a.sort()', ['a.sort() → a']],
  ])('of %j are %j', (text, changes) => {
    expect(changesOf(text)).toEqual(changes)
  })

  it.each([
    "import { a } from './a.ts'",
    "type A = 'a' | -1",
    "interface A { b: 'c' }",
    "x = new Error('a broken promise')",
    "x = missing('what must be there')",
    "x = 'a' + b",
  ])('has none of operators or texts in %j', (text) => {
    expect(changesOf(text).filter((change) => change !== "'a' → ''")).toEqual([])
  })

  it('change the condition of an invariant, not its text', () => {
    expect(changesOf("x = assert(a === b, 'the same')")).toHaveLength(3)
  })

  it('have a line and a function, and are applied at their place', () => {
    const text = 'function walk() {\n  return a + b\n}\n'
    const found = mutantsOf('src/engine/x.ts', text).find(({ original }) => original === 'a + b')
    expect(found).toMatchObject({ line: 2, within: 'walk' })
    expect(found && mutated(text, found)).toBe('function walk() {\n  return a - b\n}\n')
  })
})

describe('the choice', () => {
  const paths = ['src/engine/a.ts', 'src/engine/book/b.ts', 'src/market/c.ts']

  it.each<[string, readonly string[]]>([
    ['src/engine/*.ts', ['src/engine/a.ts']],
    ['src/engine/**', ['src/engine/a.ts', 'src/engine/book/b.ts']],
    ['src/**/*.ts', paths],
    ['src/{engine,market}/?.ts', []],
    ['src/{engine/a,market/c}.ts', ['src/engine/a.ts', 'src/market/c.ts']],
  ])('%s names %j', (pattern, named) => {
    expect(matching(paths, pattern)).toEqual(named)
  })

  it('draws the same order for the same seed, another for another, and each mutant once', () => {
    const mutants = mutantsOf('src/engine/x.ts', 'x = a + b + c + d + e * f * g - h')
    const first = drawn(mutants, '7')
    expect(drawn([...mutants].reverse(), '7')).toEqual(first)
    expect(drawn(mutants, '8')).not.toEqual(first)
    expect(new Set(first)).toEqual(new Set(mutants))
  })

  it('runs only tests that import the file, its own test and past killers first, golden digests last', () => {
    const importing = [...importsOfTests()]
      .filter(([, imported]) => imported.has('src/engine/series/mark-history.ts'))
      .map(([test]) => test)
    expect(importing).toContain('test/model/model-run.test.ts')
    expect(importing).not.toContain('test/numeric/sha256.test.ts')
    const path = 'src/engine/series/mark-history.ts'
    const killer = { millis: 9000, killsOf: { [path]: 200 }, provenBy: '' }
    const order = killersFirst(importing, path, new Map([['test/model/model-run.test.ts', killer]]))
    expect(order[0]).toBe('test/model/model-run.test.ts')
    expect(order[1]).toBe('test/engine/series/mark-history.test.ts')
    expect(order.at(-1)).toMatch(/^test\/golden\//)
    const [whole, far] = [
      'test/properties/differential.test.ts',
      'test/regressions/amend-keeps-time-in-force.test.ts',
    ]
    expect(killersFirst([far, whole], path, new Map())).toEqual([whole, far])
  })
})

describe('the list of equivalent mutants', () => {
  it('has file, function and change', () => {
    const text = '# Title\n\n## src/a.ts\n\n- `f` `a < b → true`: why\n'
    expect(readEquivalents(text)).toEqual([{ path: 'src/a.ts', within: 'f', change: 'a < b → true' }])
  })

  it.each(['## src/a.ts\n- `f` `a → b`', '- `f` `a → b`: why', '## src/a.ts\n- f a'])(
    'refuses %j',
    (text) => {
      expect(() => readEquivalents(text)).toThrow(/line \d of the equivalent mutants/)
    },
  )

  it('of this repository names existing mutants', () => {
    const items = readEquivalents(readFileSync(new URL('./equivalent.md', import.meta.url), 'utf8'))
    const known = new Set(
      [...new Set(items.map(({ path }) => path))]
        .flatMap((path) => mutantsOf(path, textOf(path)))
        .map((mutant) => keyOf(equivalentOf(mutant))),
    )
    expect(items.map(keyOf).filter((key) => !known.has(key))).toEqual([])
  })
})

describe('the score', () => {
  it('counts timeouts as killed', () => {
    const [mutant] = mutantsOf('src/engine/x.ts', 'x = a + b')
    if (mutant === undefined) throw new Error('a sum has a mutant')
    const verdict = (name: string, outcome: 'killed' | 'late' | 'survived') =>
      ({
        mutant: { ...mutant, path: `src/${name}.ts` },
        outcome,
        test: 'test/golden/a.test.ts',
        asked: 1,
        importing: 2,
      }) as const
    const scores = scoresBy(
      [verdict('a', 'killed'), verdict('a', 'late'), verdict('b', 'survived')],
      (path) => path,
    )
    expect(scores.map(({ name, score }) => [name, Math.round(score)])).toEqual([
      ['src/a.ts', 100],
      ['src/b.ts', 0],
      ['all', 67],
    ])
    expect(scores.map(scoreLine)[0]).toMatch(/^100\.0 src\/a\.ts: 2 mutants, 1 killed \(2 by/)
  })
})

describe('the types', () => {
  it('refuse a mutant that no compiler would take', () => {
    const check = new TypeCheck(['src/numeric'])
    const path = 'src/numeric/assert.ts'
    const text = readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
    expect(check.fits(path, text)).toBe(true)
    expect(check.fits(path, text.replace(/super\(.*\)/, 'super(-1)'))).toBe(false)
    expect(check.fits(path, text.replace(/throw new InvariantError\(`unreachable.*/, ';'))).toBe(false)
    expect(check.fits(path, text)).toBe(true)
  })
})
