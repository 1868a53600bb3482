import { expect, it } from 'vitest'
import { scenarioSchema } from '../../../src/scenario/compile/schema.ts'
import { Mistakes } from '../../../src/scenario/file/mistake.ts'
import { treeFromValue } from '../../../src/scenario/file/source.ts'
import { validate } from '../../../src/scenario/file/validate.ts'
import type { Shape } from '../../../src/shape/shape.ts'
import { isFullRun } from '../../support/full-run.ts'
import { contextsByName, isNumber, placesOf, problemsOf } from './schema-places.ts'

/*
 * Ranges of the schema are those of the engine. Each number with a bound is put, at its bound and just beyond, into
 * each right piece of a scenario that can have it: the schema refuses what is beyond, and all stages take the bound.
 */

function isRefusedBySchema(scenario: unknown): boolean {
  const problems = new Mistakes()
  const tree = treeFromValue(scenario)
  if (tree.ok) validate(scenarioSchema, tree.value, problems)
  return problems.count > 0
}

/** Texts and numbers of which nobody knows a range: a predicate compares with anything, a parameter is what it is for. */
const withoutRange = /^\.(seed|params|readings|matrix)\b|\.(when|that|always|never|eventually|from|to)\.\*/

const numbers = placesOf(scenarioSchema).filter(([, schema]) => isNumber(schema))
const lowest = ({ minimum, exclusiveMinimum }: Shape) => exclusiveMinimum ?? minimum

it('every number has a range', () => {
  const open = numbers.filter(([, part]) => lowest(part) === undefined || part.maximum === undefined)
  expect(open.map(([name]) => name).filter((name) => !withoutRange.test(name))).toEqual([])
})

const ranged = numbers.filter(([name]) => !withoutRange.test(name))

it('every range is looked at in a scenario', () => {
  expect(ranged.length).toBeGreaterThan(200)
  expect(ranged.map(([name]) => name).filter((name) => !contextsByName.has(name))).toEqual([])
})

/** The next number: enough for a text of it to differ. */
const stepFrom = (bound: number, { type }: Shape): number =>
  type === 'integer' ? 1 : bound === 0 ? 1e-12 : Math.abs(bound) * 1e-5

it('the schema refuses what is beyond', () => {
  const taken = ranged.flatMap(([name, part]) => {
    const { exclusiveMinimum, minimum, maximum } = part
    const beyond = [
      ...(exclusiveMinimum === undefined ? [] : [exclusiveMinimum]),
      ...(minimum === undefined ? [] : [minimum - stepFrom(minimum, part)]),
      ...(maximum === undefined ? [] : [maximum + stepFrom(maximum, part)]),
    ]
    return beyond
      .filter((value) =>
        (contextsByName.get(name) ?? []).some((one) => !isRefusedBySchema(one.scenario(value))),
      )
      .map((value) => [name, value])
  })
  expect(taken).toEqual([])
})

/** Why a bound is refused that would be taken beside other values. Nothing else may know a range of its own. */
const besides: readonly (readonly [why: string, RegExp])[] = [
  [
    'what an asset can count is up to its steps and decimals',
    /is not a multiple of|too (large|fine)|finer than/,
  ],
  ['the same of steps', /is worth more than|too many digits|a step is above 0|below the pair's least price/],
  ['amounts add up', /are worth about|is more than/],
  [
    'of two numbers one is the greater',
    /minQuantity is above|not all above the best bid|to be below|with alpha is/,
  ],
  ['a row of shares has the sum 1', /adds up to/],
  ['1 is an asset with itself', /the correlation -?1 is not from/],
  ['what an impact can be depends on the ladder', /impact\.permanent: is not from 0 to/],
  [
    'prices are relative to others, or to a recording',
    /is not a price from|a price that no market has|is not a price next to/,
  ],
  ['a recording ends', /the recording of BTC goes from/],
  [
    'a price moves in one way',
    /say where the price goes|say the noise by|is the noise between points|goes with/,
  ],
  ['a number is no change', /a shock is a change/],
  [
    'each of orders and quotes has its keys',
    /has no "|label says which|a market order has no price|orders or cancels/,
  ],
  [
    'attributes belong to types of faults',
    /does not belong to|must be at least 400 for|say what goes wrong|another name for/,
  ],
]

/** A short run puts the bounds of every second number. */
const looked = ranged.filter((_, place) => isFullRun || place % 2 === 0)

it('every stage accepts the bounds of the schema', () => {
  const refused = looked.flatMap(([name, part]) => {
    const { exclusiveMinimum = -1, minimum = -1, maximum } = part
    const bounds = [
      ...(minimum > exclusiveMinimum ? [minimum] : []),
      ...(maximum === undefined ? [] : [maximum]),
    ]
    return bounds.flatMap((bound) => {
      let refusal: string | undefined
      for (const { scenario } of contextsByName.get(name) ?? []) {
        const told = problemsOf(scenario(bound))
        if (told.length === 0) return []
        refusal ??= told.find((text) => !besides.some(([, reason]) => reason.test(text)))
      }
      return refusal === undefined ? [] : [[name, bound, refusal]]
    })
  })
  expect(refused).toEqual([])
})
