import { assert } from '../numeric/assert.ts'
import type { Millis } from '../numeric/units.ts'
import { millis } from '../numeric/units.ts'
import { createAccount, setAccountType, setFees, setLimits, setPair } from './accounts/settings.ts'
import { settleTransfer, transfer } from './accounts/transfers.ts'
import type { ScriptedWork } from './advance.ts'
import { advanceTo } from './advance.ts'
import { configProblem } from './check-config.ts'
import type { Command, ControlCommand, Outcome } from './command.ts'
import type { VenueConfig } from './config.ts'
import { createState } from './create-state.ts'
import type { EventSink } from './events.ts'
import { halt, resume } from './house/halts.ts'
import { bendPrice, movePrice, setLiquidity, switchModel } from './house/market-moves.ts'
import { openMarket } from './house/market-step.ts'
import { amendOrder } from './orders/amend-order.ts'
import { cancelOrder, cancelOrders } from './orders/cancel-orders.ts'
import { forceEndOrder, forceExpireQuote, forceFill } from './orders/force.ts'
import { placeOrder } from './orders/place-order.ts'
import { accepted, acceptedItems, refused } from './outcomes.ts'
import { cancelQuote, cancelQuotes } from './quotes/cancel-quotes.ts'
import { submitQuote } from './quotes/submit-quote.ts'
import { updateQuote, updateQuotes } from './quotes/update-quote.ts'
import { captureState } from './snapshot/capture-state.ts'
import { loadState } from './snapshot/load-state.ts'
import type { VenueSnapshot } from './snapshot/snapshot.ts'
import { StateDigest } from './snapshot/state-digest.ts'
import type { State } from './state.ts'

/*
 * The venue: a state that only `execute` and `advance` change; `state` is for readers, who must not write. Time comes
 * in as data; nothing here reads a clock, and the same commands give the same bytes.
 */
export class Venue {
  readonly state: State
  /** Null until the first digest. */
  private stateDigest: StateDigest | null = null

  private constructor(state: State) {
    this.state = state
  }

  /** A venue at its first instant, with its accounts and their opening balances. */
  static open(config: VenueConfig, sink: EventSink): Venue {
    const problem = configProblem(config)
    assert(problem === null, `a configuration is sound, but ${problem?.field} ${problem?.message}`)
    const state = createState(config, sink)
    openMarket(state)
    for (const account of config.accounts) {
      const outcome = createAccount(state, { kind: 'create-account', at: config.startMillis, account })
      assert(
        outcome.ok,
        'the accounts of a configuration have different ids, and balances that can be counted',
      )
    }
    return new Venue(state)
  }

  /** A venue as it was when the snapshot was taken; the configuration must be the one it was taken under. */
  static restore(config: VenueConfig, snapshot: VenueSnapshot, sink: EventSink): Venue {
    const state = createState(config, sink)
    loadState(state, snapshot)
    return new Venue(state)
  }

  get now(): Millis {
    return millis(this.state.nowMillis)
  }

  /**
   * Advances to the command's instant, then does what it says. A refused command changes nothing but the time.
   * Errors: backward-time, then those of the command.
   */
  execute(command: Command): Outcome {
    const { state } = this
    if (command.at < state.nowMillis) return refused({ code: 'backward-time' })
    if (command.at > state.nowMillis) advanceTo(state, command.at)
    return perform(state, command)
  }

  /**
   * Advances to an instant, and lets a script act in its turn on the way: after the market's step of an instant and
   * before the ladders' refresh (design section 5, Time). An instant in the past counts as now.
   */
  advance(at: Millis, work: ScriptedWork): void {
    advanceTo(this.state, Math.max(at, this.state.nowMillis), work)
  }

  snapshot(): VenueSnapshot {
    return captureState(this.state)
  }

  /** 32 hexadecimal digits over the whole present state. Costs what has changed since the digest before. */
  digest(): string {
    this.stateDigest ??= new StateDigest(this.state)
    return this.stateDigest.read()
  }

  /** For those who will ask for a digest: called after commands, it hashes a few new rows now, not all of them then. */
  prepareDigest(): void {
    this.stateDigest ??= new StateDigest(this.state)
    this.stateDigest.proceed()
  }
}

function perform(state: State, command: Command): Outcome {
  switch (command.kind) {
    case 'place-order':
      return placeOrder(state, command)
    case 'cancel-order':
      return cancelOrder(state, command)
    case 'amend-order':
      return amendOrder(state, command)
    case 'advance':
      return accepted(-1)
    case 'place-orders':
      return acceptedItems(command.placements.map((placement) => placeOrder(state, placement)))
    case 'cancel-orders':
      return cancelOrders(state, command)
    case 'submit-quote':
      return submitQuote(state, command)
    case 'update-quote':
      return updateQuote(state, command.account, command)
    case 'update-quotes':
      return updateQuotes(state, command.account, command.updates)
    case 'cancel-quote':
      return cancelQuote(state, command)
    case 'cancel-quotes':
      return cancelQuotes(state, command)
    default:
      return performControl(state, command)
  }
}

/** Commands of the admin API and of scripts. */
function performControl(state: State, command: ControlCommand): Outcome {
  switch (command.kind) {
    case 'deposit':
    case 'withdraw':
      return transfer(state, command)
    case 'settle-transfer':
      return settleTransfer(state, command)
    case 'create-account':
      return createAccount(state, command)
    case 'set-limits':
      return setLimits(state, command)
    case 'set-fees':
      return setFees(state, command)
    case 'set-account-type':
      return setAccountType(state, command)
    case 'set-pair':
      return setPair(state, command)
    case 'halt':
      return halt(state, command)
    case 'resume':
      return resume(state, command)
    case 'move-price':
      return movePrice(state, command)
    case 'bend-price':
      return bendPrice(state, command)
    case 'switch-model':
      return switchModel(state, command)
    case 'set-liquidity':
      return setLiquidity(state, command)
    case 'force-fill':
      return forceFill(state, command)
    case 'force-reject':
    case 'force-expire':
      return forceEndOrder(state, command)
    case 'force-expire-quote':
      return forceExpireQuote(state, command)
    default:
      throw unknownCommand(command)
  }
}

/** Callers in JavaScript have no types to hold them to the known ones. */
function unknownCommand(command: { readonly kind?: unknown } | null | undefined): RangeError {
  return new RangeError(`there is no command ${String(command?.kind)}`)
}
