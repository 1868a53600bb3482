import { orderStatusNames } from '../../engine/codes.ts'
import { type Command, type Outcome, orderKinds } from '../../engine/command.ts'
import type { State } from '../../engine/state.ts'

/*
 * The outcome of a command, as the journal has it: enough to say in which field two runs differ, and little enough to
 * be written for each command.
 */

export interface OutcomeNote {
  readonly ok: boolean
  /** The order, quote, transfer, account or asset that was made or changed; -1 for none in particular. */
  readonly row?: number
  /** Why it was refused. */
  readonly code?: string
  /** The order's state right after the command. */
  readonly status?: string
  readonly filledSteps?: number
  /** For a batch, or for all the orders that a cancel-all ended. */
  readonly items?: readonly OutcomeNote[]
}

/**
 * Whether a command belongs in the journal: one that was carried out, or was refused for money or limits (422). Other
 * refusals are mistakes in the request, and change nothing.
 */
export function isJournaled(outcome: Outcome): boolean {
  return outcome.ok || moneyCodes.has(outcome.rejection.code)
}

const moneyCodes: ReadonlySet<string> = new Set(['risk', 'open-orders-limit', 'insufficient-balance'])

export function noteOf(command: Command, outcome: Outcome, state: State): OutcomeNote {
  if (!outcome.ok) return { ok: false, code: outcome.rejection.code }
  const isAboutOrders = orderKinds.has(command.kind)
  if (outcome.items.length > 0)
    return { ok: true, items: outcome.items.map((item) => itemNote(item, isAboutOrders, state)) }
  return rowNote(outcome.row, isAboutOrders, state)
}

function itemNote(item: Outcome, isAboutOrders: boolean, state: State): OutcomeNote {
  return item.ok ? rowNote(item.row, isAboutOrders, state) : { ok: false, code: item.rejection.code }
}

function rowNote(row: number, isAboutOrders: boolean, { orders }: State): OutcomeNote {
  if (!isAboutOrders || row < 0 || row >= orders.count) return { ok: true, row }
  const status = orderStatusNames[orders.status.get(row)] ?? ''
  return { ok: true, row, status, filledSteps: orders.filledSteps.get(row) }
}

export interface Difference {
  /** `outcome.items[2].filledSteps`, `events`, `digest`. */
  readonly field: string
  readonly recorded: string
  readonly replayed: string
}

/** The first field in which two plain values differ, in the order of the first one's fields; null when none does. */
export function firstDifference(field: string, recorded: unknown, replayed: unknown): Difference | null {
  if (isBranch(recorded) && isBranch(replayed)) {
    const isList = Array.isArray(recorded)
    for (const key of new Set([...Object.keys(recorded), ...Object.keys(replayed)])) {
      const path = isList ? `${field}[${key}]` : `${field}.${key}`
      const found = firstDifference(path, Reflect.get(recorded, key), Reflect.get(replayed, key))
      if (found !== null) return found
    }
    return null
  }
  if (recorded === replayed) return null
  return { field, recorded: shown(recorded), replayed: shown(replayed) }
}

const isBranch = (value: unknown): value is object => typeof value === 'object' && value !== null
const shown = (value: unknown): string => (value === undefined ? 'nothing' : JSON.stringify(value))
