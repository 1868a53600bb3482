import { nearestWord } from '../api/nearest-word.ts'
import { firstClientAccount } from '../engine/codes.ts'
import type { State } from '../engine/state.ts'

/** The row of a client's account. Throws a RangeError that names the nearest account when there is no such one. */
export function accountOf({ accounts }: State, world: string, id: string): number {
  const row = accounts.rowOf(id)
  if (row >= firstClientAccount) return row
  const nearest = nearestWord(String(id), accounts.ids.slice(firstClientAccount))
  const hint = nearest === null ? '' : `; did you mean "${nearest}"?`
  throw new RangeError(`world ${world} has no account "${id}"${hint}`)
}
