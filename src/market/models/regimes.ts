import { element } from '../../numeric/columns.ts'
import type { RandomStream } from '../../numeric/random.ts'
import { ownValue } from '../../shape/in-file.ts'
import { kind, list, number, type RecordOf, record } from '../../shape/shape.ts'
import { isWithin, problem, type SpecProblem } from '../../shape/spec-checks.ts'
import { usualFigures } from '../usual-figures.ts'
import type { NoisePath } from './gaussian-path.ts'
import { defineModel, drift, vol } from './model-definition.ts'
import { OutwardChain } from './outward-chain.ts'
import { minutesPerYear, type PriceModel, type StreamNames } from './price-model.ts'
import { blockMinutes, createSteppedModel, type MinuteBlock } from './stepped-path.ts'

const shape = record(
  {
    kind: kind('regimes'),
    vol,
    regimes: list(
      record({ volMultiple: number(0, 1000, "Its volatility relative to the other regimes'."), drift }),
      20,
      'The regimes, each with its volatility and drift.',
    ),
    transitions: list(
      list(number(0, 1, 'A chance.'), 20),
      20,
      'Row i: the probabilities of going from regime i to each one within an hour.',
    ),
  },
  'A Markov chain of volatilities, stepped by the hour.',
)

export type RegimesSpec = RecordOf<typeof shape>

/** Model `regimes`: volatility and drift by a Markov chain of hours. */
export const regimes = defineModel<RegimesSpec>({
  shape,
  usual: ({ symbol }) => ({ vol: usualFigures(symbol).vol, ...usualChain }),
  checkStated: (stated) =>
    (ownValue(stated, 'regimes') == null) === (ownValue(stated, 'transitions') == null)
      ? null
      : '"regimes" and "transitions" are given together, or neither',
  rule: checkChain,
  path: (price, spec, { getNoise: noise, getCommonDraws: common, names }) =>
    createRegimes(price, spec, noise(), names, common().names),
})

/* Fitted to hourly returns of BTC, ETH and SOL (market.md 2b). */
const usualChain = {
  regimes: [
    { volMultiple: 0.4, drift: 0 },
    { volMultiple: 0.97, drift: 0 },
    { volMultiple: 2.2, drift: 0 },
  ],
  transitions: [
    [0.876, 0.118, 0.006],
    [0.117, 0.862, 0.021],
    [0, 0.127, 0.873],
  ],
}

function checkChain({ regimes, transitions }: RegimesSpec): SpecProblem | null {
  const count = regimes.length
  if (regimes.every(({ volMultiple }) => volMultiple < 1e-6)) {
    return problem('model.regimes', 'has no volMultiple above 0.000001')
  }
  if (transitions.length !== count) {
    return problem('model.transitions', `has ${transitions.length} rows for ${count} regimes`)
  }
  for (const [place, row] of transitions.entries()) {
    const field = `model.transitions[${place}]`
    if (row.length !== count) return problem(field, `has ${row.length} values for ${count} regimes`)
    const sum = row.reduce((total, value) => total + value, 0)
    if (!isWithin(sum, 1 - 1e-6, 1 + 1e-6)) return problem(field, `adds up to ${sum}, not to 1`)
  }
  return null
}

const minutesPerHour = 60

/**
 * Creates a path whose volatility and drift follow a Markov chain of hours, counted from the market's start,
 * where the regime is drawn from the stationary distribution. Multiples are scaled so that the long run's
 * variance is that of `vol`.
 */
function createRegimes(
  price: number,
  spec: RegimesSpec,
  noise: NoisePath,
  names: StreamNames,
  commonNames: StreamNames,
): PriceModel {
  const { vol, regimes, transitions } = spec
  const stationary = computeStationaryDistribution(transitions)
  let meanSquare = 0
  for (const [state, { volMultiple }] of regimes.entries()) {
    meanSquare += (stationary[state] ?? 0) * volMultiple * volMultiple
  }
  const activities = regimes.map(({ volMultiple }) => volMultiple / Math.sqrt(meanSquare))
  const drifts = regimes.map(({ drift }) => drift)
  const reversed = reverseTransitions(transitions, stationary)
  const chain = new OutwardChain(
    {
      start: (stream) => drawState(stationary, stream),
      forward: (state, stream) => drawState(transitions[state] ?? stationary, stream),
      backward: (state, stream) => drawState(reversed[state] ?? stationary, stream),
    },
    commonNames,
    'regimes',
  )

  const fillBlock = (block: number, out: MinuteBlock): void => {
    const first = block * blockMinutes
    noise.fillIncrements(first, blockMinutes, out.returns)
    for (let i = 0; i < blockMinutes; i += 1) {
      const state = chain.at(Math.floor((first + i) / minutesPerHour))
      const activity = activities[state] ?? 0
      const deviation = (vol * activity) / Math.sqrt(minutesPerYear)
      const drift = (drifts[state] ?? 0) / minutesPerYear - (deviation * deviation) / 2
      out.returns[i] = drift + deviation * element(out.returns, i)
      out.deviations[i] = deviation
      out.activities[i] = activity
    }
  }
  return createSteppedModel(price, fillBlock, noise, names)
}

type Matrix = readonly (readonly number[])[]

/**
 * Returns the stationary distribution of a chain. It is found by repeated steps of a lazy chain, so that cycles
 * do not matter.
 */
function computeStationaryDistribution(transitions: Matrix): readonly number[] {
  let stationary: readonly number[] = transitions.map(() => 1 / transitions.length)
  for (let round = 0; round < 20_000; round += 1) {
    const next = stationary.map((share, to) => {
      let sum = share / 2
      for (const [from, row] of transitions.entries()) sum += ((stationary[from] ?? 0) * (row[to] ?? 0)) / 2
      return sum
    })
    const change = next.reduce((sum, share, to) => sum + Math.abs(share - (stationary[to] ?? 0)), 0)
    stationary = next
    if (change < 1e-14) break
  }
  return stationary
}

/** Returns the chain reversed in time. Row i: the probabilities of having come to regime i from each regime. */
function reverseTransitions(transitions: Matrix, stationary: readonly number[]): Matrix {
  return transitions.map((_, to) =>
    transitions.map((row, from) => {
      const share = stationary[to] ?? 0
      return share > 0 ? ((stationary[from] ?? 0) * (row[to] ?? 0)) / share : from === to ? 1 : 0
    }),
  )
}

/** Draws a regime by its probability. The last regime takes what rounding leaves. */
function drawState(probabilities: readonly number[], stream: RandomStream): number {
  let left = stream.uniform()
  for (const [state, probability] of probabilities.entries()) {
    left -= probability
    if (left < 0) return state
  }
  return probabilities.length - 1
}
