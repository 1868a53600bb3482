import type { RandomStream } from '../../numeric/random.ts'
import type { RegimesSpec } from '../market-spec.ts'
import type { NoisePath } from './noise-path.ts'
import { OutwardChain } from './outward-chain.ts'
import type { PriceModel, StreamNames } from './price-model.ts'
import { minutesPerYear } from './price-model.ts'
import { createSteppedModel } from './stepped-model.ts'
import type { MinuteBlock } from './stepped-path.ts'
import { blockMinutes } from './stepped-path.ts'

const minutesPerHour = 60

/**
 * Volatility and drift by a Markov chain of hours, counted from the market's start, where the regime is a draw of the
 * stationary law. Multiples are scaled so that the long run's variance is that of `vol`.
 */
export function createRegimes(
  price: number,
  spec: RegimesSpec,
  noise: NoisePath,
  names: StreamNames,
): PriceModel {
  const { vol, regimes, transitions } = spec
  const law = stationaryLaw(transitions)
  let meanSquare = 0
  for (const [state, { volMultiple }] of regimes.entries()) {
    meanSquare += Number(law[state]) * volMultiple * volMultiple
  }
  const activities = regimes.map(({ volMultiple }) => volMultiple / Math.sqrt(meanSquare))
  const drifts = regimes.map(({ drift }) => drift)
  const reversed = reversedTransitions(transitions, law)
  const chain = new OutwardChain(
    {
      start: (stream) => draw(law, stream),
      forward: (state, stream) => draw(transitions[state] ?? law, stream),
      backward: (state, stream) => draw(reversed[state] ?? law, stream),
    },
    names,
    'regimes',
  )

  const fillBlock = (block: number, out: MinuteBlock): void => {
    const first = block * blockMinutes
    noise.fillIncrements(first, blockMinutes, out.returns)
    for (let i = 0; i < blockMinutes; i += 1) {
      const state = chain.at(Math.floor((first + i) / minutesPerHour))
      const activity = Number(activities[state])
      const deviation = (vol * activity) / Math.sqrt(minutesPerYear)
      const drift = Number(drifts[state]) / minutesPerYear - (deviation * deviation) / 2
      out.returns[i] = drift + deviation * Number(out.returns[i])
      out.deviations[i] = deviation
      out.activities[i] = activity
    }
  }
  return createSteppedModel(price, fillBlock, noise, names)
}

type Matrix = readonly (readonly number[])[]

/**
 * The distribution that the chain leaves unchanged, found by repeated steps of a lazy chain, so that no cycle matters.
 */
function stationaryLaw(transitions: Matrix): readonly number[] {
  let law: readonly number[] = transitions.map(() => 1 / transitions.length)
  for (let round = 0; round < 20_000; round += 1) {
    const next = law.map((share, to) => {
      let sum = share / 2
      for (const [from, row] of transitions.entries()) sum += (Number(law[from]) * Number(row[to])) / 2
      return sum
    })
    const change = next.reduce((sum, share, to) => sum + Math.abs(share - Number(law[to])), 0)
    law = next
    if (change < 1e-14) break
  }
  return law
}

/** Row i: the probabilities of having come to regime i from each. */
function reversedTransitions(transitions: Matrix, law: readonly number[]): Matrix {
  return transitions.map((_, to) =>
    transitions.map((row, from) => {
      const share = Number(law[to])
      return share > 0 ? (Number(law[from]) * Number(row[to])) / share : from === to ? 1 : 0
    }),
  )
}

/** The last regime takes what rounding leaves. */
function draw(probabilities: readonly number[], stream: RandomStream): number {
  let left = stream.uniform()
  for (const [state, probability] of probabilities.entries()) {
    left -= probability
    if (left < 0) return state
  }
  return probabilities.length - 1
}
