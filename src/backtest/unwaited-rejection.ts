/** A promise of a strategy was rejected, and the strategy had not waited for it. */
export class UnwaitedRejection extends Error {
  override readonly name = 'UnwaitedRejection'

  constructor(cause: unknown) {
    const reason = cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause)
    super(`a promise that no hook waits for was rejected: ${reason}`, { cause })
  }
}

/**
 * Work in which nothing may fail unseen: it rejects with an UnwaitedRejection for the first promise that is rejected
 * meanwhile and that nobody waits for, such as a refused order without `await`. Node would end the command in the
 * middle of its output, and a thread of a sweep after its answer.
 */
export async function withoutUnwaited<Value>(work: () => Promise<Value>): Promise<Value> {
  const rejected: unknown[] = []
  const note = (reason: unknown): void => {
    rejected.push(reason)
  }
  process.on('unhandledRejection', note)
  try {
    const value = await work()
    // Node reports them when nothing else is ready to run.
    await new Promise((resolve) => setImmediate(resolve))
    if (rejected.length > 0) throw new UnwaitedRejection(rejected[0])
    return value
  } finally {
    process.off('unhandledRejection', note)
  }
}
