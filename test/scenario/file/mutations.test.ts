import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Venue } from '../../../src/engine/venue.ts'
import { millis } from '../../../src/numeric/units.ts'
import type { CompiledScenario } from '../../../src/scenario/compile/compiled.ts'
import { formatMistake } from '../../../src/scenario/file/mistake.ts'
import { parseDocument } from '../../../src/scenario/file/parse-document.ts'
import { toPlain } from '../../../src/scenario/file/tree.ts'
import { loadScenarioValue } from '../../../src/scenario/load-tree.ts'
import { evaluatePredicate } from '../../../src/scenario/predicates/evaluate-predicate.ts'
import { Script } from '../../../src/scenario/run/script.ts'

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

function readShipped(name: string): Json {
  const file = new URL(`../../../scenarios/${name}.yaml`, import.meta.url)
  const parsed = parseDocument(readFileSync(file, 'utf8'), name)
  if (!parsed.ok) throw new Error(parsed.problems.map(formatMistake).join('\n'))
  const value: Json = JSON.parse(JSON.stringify(toPlain(parsed.value)))
  return value
}

const originals = [
  ...['calm', 'flash-crash', 'quote-expiry', 'limit-breach'],
  ...['flash-crash-resting-bid', 'mm-quote-lifecycle', 'thin-book'],
].map(readShipped)

/** The value with one part replaced or removed. Steps wrap around, so every list of them leads to some part. */
function mutate(value: Json, steps: readonly number[], replacement: Json | undefined): Json {
  const [step, ...rest] = steps
  if (step === undefined || typeof value !== 'object' || value === null) return replacement ?? null
  if (isList(value)) {
    const place = value.length === 0 ? 0 : step % value.length
    if (rest.length === 0 && replacement === undefined) return value.filter((_, index) => index !== place)
    return value.map((item, index) => (index === place ? mutate(item, rest, replacement) : item))
  }
  const keys = Object.keys(value)
  const key = keys[step % Math.max(1, keys.length)]
  if (key === undefined) return replacement ?? null
  const { [key]: old = null, ...others } = value
  return rest.length === 0 && replacement === undefined
    ? others
    : { ...others, [key]: mutate(old, rest, replacement) }
}

const isList = (value: Json): value is readonly Json[] => Array.isArray(value)

const odd = fc.constantFrom<Json | undefined>(
  undefined,
  null,
  true,
  0,
  -1,
  1,
  0.1,
  1e-12,
  1e15,
  1e300,
  '',
  ' ',
  'x',
  '*',
  'default',
  'BTC',
  'USD',
  '+5m',
  '-5%',
  '-100%',
  '1e5',
  '1h',
  '-1h',
  'end',
  '2026-13-01',
  'price.BTC.mid',
  'price.BTC.mid > 1',
  '$' + '{x}',
  [],
  [[]],
  [1, 2],
  {},
  { kind: 'gbm' },
  { a: { b: 1 } },
)

/** Runs the script for this many grid steps; refused actions are not failures. */
function playFor(steps: number, scenario: CompiledScenario, venue: Venue): void {
  const script = new Script(scenario)
  const at = millis(venue.now + steps * scenario.venue.gridMillis)
  script.runTo(venue, at, () => {})
  const source = script.createSource(venue.state)
  for (const { predicate } of scenario.expectations) evaluatePredicate(predicate, source)
  expect(venue.now).toBe(at)
}

it('answers every damaged scenario with problems or with a world that opens, and never throws', () => {
  const cases = fc.tuple(
    fc.nat({ max: originals.length - 1 }),
    fc.array(fc.nat({ max: 40 }), { minLength: 1, maxLength: 7 }),
    odd,
  )
  let refused = 0
  let opened = 0
  fc.assert(
    fc.property(cases, ([original, steps, replacement]) => {
      const loaded = loadScenarioValue(mutate(originals[original] ?? null, steps, replacement))
      if (loaded.ok) {
        opened += 1
        const venue = Venue.open(loaded.value.venue, { emit: () => {} })
        expect(venue.now).toBe(loaded.value.venue.startMillis)
        if (opened % 8 === 0) playFor(60, loaded.value, venue)
      } else {
        refused += 1
        expect(loaded.problems.length).toBeGreaterThan(0)
        for (const problem of loaded.problems)
          expect(formatMistake(problem)).not.toMatch(/undefined|\[object/)
      }
    }),
    { seed: 7, numRuns: 1000 },
  )
  // Both outcomes must occur.
  expect(refused).toBeGreaterThan(300)
  expect(opened).toBeGreaterThan(50)
})
