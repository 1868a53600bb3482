/** Throws an `InvariantError` if the condition is false. Invariants are checked in production too. */
export function assert(condition: boolean, invariant: string): asserts condition {
  if (!condition) throw new InvariantError(invariant)
}

/**
 * Throws an `InvariantError`. It is the last operand of a chain of `??` whose value must exist, and costs nothing there: the
 * compiler inlines it.
 */
export function missing(invariant: string): never {
  throw new InvariantError(invariant)
}

/** Throws an `InvariantError` for a value that the types rule out, such as the default branch of a complete switch. */
export function unreachable(value: never): never {
  throw new InvariantError(`unreachable value ${String(value)}`)
}

/** The error for a violated invariant. It is always a bug in otcsim, never the caller's mistake. */
export class InvariantError extends Error {
  override readonly name = 'InvariantError'

  constructor(invariant: string) {
    super(`Invariant: ${invariant}`)
  }
}
