/** Where a client's time comes from; tests and backtests provide theirs. */
export interface ClientClock {
  /** Unix time, for signatures and for waiting until a rate limit resets. */
  nowMillis(): number
  /** Rejects with the signal's reason when that comes first. */
  sleep(millis: number, signal?: AbortSignal): Promise<void>
}

export const systemClock: ClientClock = {
  nowMillis: () => Date.now(),
  sleep: (millis, signal) =>
    new Promise((resolve, reject) => {
      const stop = () => {
        clearTimeout(timer)
        reject(signal?.reason)
      }
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', stop)
        resolve()
      }, millis)
      if (signal?.aborted === true) stop()
      else signal?.addEventListener('abort', stop, { once: true })
    }),
}
