import type { AssetConfig } from '../engine/config.ts'
import type { Millis } from '../numeric/units.ts'
import { compileAction } from './compile-action.ts'
import type { TimedAction } from './compiled.ts'
import { type Field, fieldOf, itemsOf, problemOf, requiredField, textOf } from './fields.ts'
import { momentOf } from './moments.ts'
import type { Problem } from './problem.ts'

/** What actions may refer to. Rows are the engine's. */
export interface TimelineScope {
  readonly assets: readonly AssetConfig[]
  readonly accounts: ReadonlyMap<string, number>
  readonly startMillis: Millis
  readonly endMillis: Millis | null
}

export interface CompiledTimeline {
  readonly actions: readonly TimedAction[]
  /** Instants of the entries' ids. */
  readonly labels: ReadonlyMap<string, Millis>
  readonly orders: ReadonlySet<string>
  readonly quotes: ReadonlySet<string>
}

/** The entries of a timeline, by time, and at one time in the order of the file. */
export function compileTimeline(
  timeline: Field | null,
  scope: TimelineScope,
  problems: Problem[],
): CompiledTimeline {
  const labels = new Map<string, Millis>()
  const run: Run = { ...scope, problems, orders: new Map(), quotes: new Map() }
  const entries = itemsOf(timeline)
  for (const entry of entries) noteLabel(entry, run)
  const actions = entries.map((entry): TimedAction => {
    const at = momentOf(requiredField(entry, 'at'), { ...scope, labels }, problems)
    const id = fieldOf(entry, 'id')
    if (id !== null) {
      const name = textOf(id)
      if (labels.has(name)) problems.push(problemOf(id, `two actions have the id "${name}"`))
      if (name === 'start' || name === 'end') problems.push(problemOf(id, `"${name}" is the clock's own`))
      labels.set(name, at)
    }
    const place = entry.tree.place
    return { at, id: id === null ? null : textOf(id), place, action: compileAction(entry, run) }
  })
  actions.sort((left, right) => left.at - right.at)
  return { actions, labels, orders: new Set(run.orders.keys()), quotes: new Set(run.quotes.keys()) }
}

interface Run extends TimelineScope {
  readonly problems: Problem[]
  readonly orders: Map<string, number>
  readonly quotes: Map<string, number>
}

/** Labels are known before any action is compiled, so that an amendment may stand above its order. */
function noteLabel(entry: Field, run: Run): void {
  for (const [kind, labels] of [['order', run.orders] as const, ['quote', run.quotes] as const]) {
    const action = fieldOf(entry, kind)
    const label = action === null ? null : fieldOf(action, 'as')
    if (action === null || label === null) continue
    const name = textOf(label)
    if (labels.has(name)) run.problems.push(problemOf(label, `two ${kind}s are called "${name}"`))
    const symbol = textOf(requiredField(action, 'asset'))
    labels.set(
      name,
      Math.max(
        1,
        run.assets.findIndex((asset) => asset.symbol === symbol),
      ),
    )
  }
}
