import type { Accepted, Outcome, Refused } from './command.ts'
import type { Rejection } from './rejections.ts'

const noItems: readonly Outcome[] = []

/** The command was carried out on this row (-1: on none in particular). */
export function accepted(row: number): Accepted {
  return { ok: true, row, items: noItems }
}

export function acceptedItems(items: readonly Outcome[]): Accepted {
  return { ok: true, row: -1, items }
}

export function refused(rejection: Rejection): Refused {
  return { ok: false, rejection }
}
