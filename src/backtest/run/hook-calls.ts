import type { HookName, MaybePromise } from '../strategy.ts'
import { StrategyError } from '../strategy-error.ts'
import type { Host } from '../venue/host.ts'

/**
 * Calls a strategy's hooks: counts the calls, lets time pass where hooks wait for it, and says which hook has thrown.
 */
export class HookCalls {
  readonly counts: Record<HookName, number> = {
    onStart: 0,
    onTick: 0,
    onBar: 0,
    onFill: 0,
    onOrderUpdate: 0,
    onQuoteUpdate: 0,
    onTimer: 0,
    onEnd: 0,
  }
  private readonly strategy: string
  private readonly host: Host
  private waiting: { readonly hook: HookName } | null = null

  /** `strategy` is the strategy's name. */
  constructor(strategy: string, host: Host) {
    this.strategy = strategy
    this.host = host
  }

  /** Calls a hook, and waits for its end only if it answers a promise. Throws or rejects with a StrategyError. */
  call(hook: HookName, run: () => MaybePromise<void>): MaybePromise<void> {
    this.counts[hook] += 1
    let done: MaybePromise<void>
    try {
      done = run()
    } catch (cause) {
      throw this.failure(hook, cause)
    }
    return done instanceof Promise ? this.settled(hook, done) : undefined
  }

  /** Waits for what a hook has promised. */
  settled(hook: HookName, done: Promise<void>): Promise<void> {
    this.waiting = { hook }
    return this.settle(done).then(
      () => {
        this.waiting = null
      },
      (cause) => {
        throw this.failure(hook, cause)
      },
    )
  }

  /** The call that is waited for, another object for each; null while no hook has promised anything. */
  get open(): object | null {
    return this.waiting
  }

  /** The failure of a hook that waits for something that can never settle. */
  abandoned(): StrategyError | null {
    const cause = new Error('it waits for a promise that nothing will settle')
    return this.waiting === null ? null : this.failure(this.waiting.hook, cause)
  }

  failure(hook: HookName, cause: unknown): StrategyError {
    return new StrategyError(this.strategy, hook, this.host.nowMillis, cause)
  }

  private async settle(done: Promise<void>): Promise<void> {
    const { waits } = this.host
    if (waits === null) return done
    let isDone = false
    const finished = done.finally(() => {
      isDone = true
    })
    // A rejection is thrown below, when the hook is waited for.
    finished.catch(() => undefined)
    for (;;) {
      await Promise.race([finished, waits.some()])
      if (isDone) return finished
      // Everything that can run without time passing runs first.
      await new Promise((resolve) => setImmediate(resolve))
      if (isDone) return finished
      const next = waits.takeNext()
      if (next === null) continue
      await this.host.advanceTo(Math.max(this.host.nowMillis, next.atMillis))
      next.wake()
    }
  }
}
