/** Stops the process of a broken run: an invariant is a promise to ourselves, and is checked in production too. */
export function assert(condition: boolean, invariant: string): asserts condition {
  if (!condition) throw new InvariantError(invariant)
}

/**
 * The end of a chain of `??` where something must be there. A small function that ends with it costs as little as one
 * without: the compiler always inlines it.
 */
export function missing(invariant: string): never {
  throw new InvariantError(invariant)
}

export function unreachable(value: never): never {
  throw new InvariantError(`unreachable value ${String(value)}`)
}

/** A violated invariant: always our bug, never the caller's. */
export class InvariantError extends Error {
  override readonly name = 'InvariantError'

  constructor(invariant: string) {
    super(`Invariant: ${invariant}`)
  }
}
