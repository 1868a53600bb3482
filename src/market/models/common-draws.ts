import { createStream, type RandomStream } from '../../numeric/random.ts'
import type { StreamNames } from './price-model.ts'

/** Weight of one asset's normal variables in those of another. */
export interface DrawWeight {
  readonly names: StreamNames
  readonly weight: number
}

/**
 * What correlated assets draw in common. If each drew a volatility or the instants of its jumps for itself, then
 * their returns would be less correlated than their noises are. So both come from streams of one name, that of
 * the first of them by name; the sizes of jumps are correlated as the noises are.
 */
export interface CommonDraws {
  /** Names of the streams of volatility and of the instants of jumps. */
  readonly names: StreamNames
  /** Weights of the assets' normal variables in this one's; the sum of their squares is 1. */
  readonly weights: readonly DrawWeight[]
}

/** Correlated normal variables of one block, drawn in the order in which they are asked for. */
export class CommonNormals {
  private readonly parts: readonly { readonly weight: number; readonly stream: RandomStream | null }[]

  /** `purpose` names the streams of the assets that are not the first; the first one's is passed to `draw`. */
  constructor({ names, weights }: CommonDraws, purpose: string, block: number) {
    this.parts = weights.map(({ names: { seed, symbol }, weight }) => ({
      weight,
      stream: symbol === names.symbol ? null : createStream(seed, purpose, symbol, block),
    }))
  }

  /** Draws a normal variable; `first` is the stream of the common names, of which it takes one. */
  draw(first: RandomStream): number {
    const common = first.normal()
    if (this.parts.length === 1 && this.parts[0]?.stream === null) return common
    let sum = 0
    for (const { weight, stream } of this.parts) sum += weight * (stream === null ? common : stream.normal())
    return sum
  }
}
