import type { Span } from './chart-data.ts'
import { findEnd, type LifeLine, LifelineIndex, listSubjects } from './lifelines.ts'
import type { ConsoleState } from './state.ts'
import { computeStripSpan } from './strip.ts'

/** Times shorter than this are shown whole, in milliseconds. */
const wholeMillis = 300_000
/** The room shown around what is selected: this part of its length, and at least so many milliseconds. */
const [aroundPart, aroundMillis] = [0.25, 60_000]

/**
 * Finds what shows the selected order, quote or request: whose it is, its asset, and the span of its life in chart and
 * strip. Returns null where the world has no such thing.
 */
export function findSelected(
  state: Pick<ConsoleState, 'selected' | 'inspected' | 'items' | 'requests' | 'begins' | 'live' | 'account'>,
): Partial<Pick<ConsoleState, 'selected' | 'account' | 'asset' | 'span'>> | null {
  const lines = new LifelineIndex()
  lines.grow(state.items)
  const request = state.requests.find(({ sequence }) => sequence === state.inspected)
  const ids =
    state.selected === null ? (request === undefined ? [] : listSubjects(request)) : [state.selected.id]
  const line = ids.map((id) => lines.find(id)).find((found) => found !== undefined)
  const whole = computeStripSpan(state.begins, state.live)
  if (line === undefined) {
    if (request === undefined) return null
    const at = Date.parse(request.at)
    return {
      account: state.account || (request.account ?? ''),
      span: showAround({ from: at, to: at }, whole),
    }
  }
  const { kind, id, account, asset } = line
  return { selected: { kind, id }, account, asset, span: showAround(computeLife(line, whole), whole) }
}

function computeLife(line: LifeLine, whole: Span | null): Span {
  const from = Date.parse(line.placed.at)
  const end = findEnd(line)
  return { from, to: end === null ? (whole?.to ?? from) : Date.parse(end.at) }
}

/** Returns a span with some time around it, within the whole time; null where that is nearly all of it. */
function showAround({ from, to }: Span, whole: Span | null): Span | null {
  if (whole === null || whole.to - whole.from <= wholeMillis) return null
  const around = Math.max((to - from) * aroundPart, aroundMillis)
  const span = { from: Math.max(whole.from, from - around), to: Math.min(whole.to, to + around) }
  return span.to - span.from > (whole.to - whole.from) * 0.8 ? null : span
}
