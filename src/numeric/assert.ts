/** Stops the process of a broken run: an invariant is a promise to ourselves, and stays checked in production. */
export function assert(condition: boolean, invariant: string): asserts condition {
  if (!condition) throw new InvariantError(invariant)
}

/**
 * The end of a chain of `??` where something must be there. Small functions that end so cost nothing where they are
 * called: the engine's compiler always takes them in.
 */
export function missing(invariant: string): never {
  throw new InvariantError(invariant)
}

/** Marks a branch that the types say cannot be reached. */
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
