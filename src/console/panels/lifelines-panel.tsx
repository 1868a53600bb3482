import { useMemo, useRef, useState } from 'preact/hooks'
import { describeRequest } from '../../api/request-words.ts'
import type { Span } from '../model/chart-data.ts'
import { formatTryLine } from '../model/copy-as.ts'
import type { View } from '../model/documents.ts'
import { formatCountdown, formatNumber, formatTime } from '../model/format.ts'
import {
  findEnd,
  findState,
  isPending,
  type LifeLine,
  LifelineIndex,
  type LifeMark,
  lifeStates,
  markRequests,
} from '../model/lifelines.ts'
import type { ConsoleState } from '../model/state.ts'
import { computeStripSpan } from '../model/strip.ts'
import { explainUnfilled } from '../model/why-unfilled.ts'
import { Button } from '../parts/form.tsx'
import { Empty } from '../parts/panel.tsx'
import { useShown } from '../parts/use-console.ts'
import { WindowList } from '../parts/window-list.tsx'

/** Returns the height of a row: on a narrow screen the bar has a line of its own. */
const measureRow = (): number => (innerWidth > 760 ? 30 : 44)

/** Panel of the orders and quotes of the account as bars on the time of chart and strip, from placed to done. */
export function LifelinesPanel() {
  const { session, state, view, items, account, asset, world, moment, span } = useShown()
  const index = useRef({ world, lines: new LifelineIndex() })
  const [wanted, setWanted] = useState('')
  const lines = useMemo(() => {
    if (index.current.world !== world) index.current = { world, lines: new LifelineIndex() }
    index.current.lines.grow(items)
    return index.current.lines.list(account)
  }, [items, world, account])
  const marks = useMemo(() => markRequests(state.requests, describeRequest), [state.requests])
  const stateOf = (line: LifeLine) => findState(line, moment)?.state
  const there = lines.filter((line) => stateOf(line) !== undefined)
  const has = (name: string) => (line: LifeLine) =>
    name === '' || (name === 'pending' ? isPending(stateOf(line) ?? '') : stateOf(line) === name)
  const shown = there.filter(has(wanted))
  const whole = span ?? computeStripSpan(state.begins, state.live)
  const choose = ({ kind, id, asset: its }: LifeLine) => {
    const last = marks.get(id)?.at(-1)?.request ?? null
    session.show({ selected: { kind, id }, asset: its, ...(last === null ? {} : { inspected: last }) })
  }
  if (lines.length === 0 || whole === null) {
    const bid = view.prices.find((price) => price.asset === asset)?.bid ?? 1
    const order = { side: 'buy', asset, quantity: 0.01, price: bid }
    return account === '' ? (
      <Empty>This world has no account.</Empty>
    ) : (
      <Empty line={formatTryLine(location.origin, state, 'POST', '/orders', order)}>
        {account} has placed nothing yet.
      </Empty>
    )
  }
  return (
    <div class="lifelines">
      <StateFilter {...{ wanted, choose: setWanted }} count={(name) => there.filter(has(name)).length} />
      {shown.length === 0 ? (
        <Empty>
          None of what {account} has placed is {wanted || 'there yet'}.
        </Empty>
      ) : (
        <WindowList
          label="Lifelines"
          rows={shown}
          keyOf={({ id }) => id}
          rowPixels={measureRow()}
          wanted={state.selected?.id ?? ''}
          render={(line, isStop) => (
            <Button
              class="life"
              tabIndex={isStop ? 0 : -1}
              aria-pressed={state.selected?.id === line.id}
              onClick={() => choose(line)}
            >
              <LifeRow
                {...{ line, state, view }}
                span={whole}
                marks={[...line.marks, ...(marks.get(line.id) ?? [])]}
              />
            </Button>
          )}
        />
      )}
    </div>
  )
}

interface StateFilterProps {
  readonly wanted: string
  readonly choose: (state: string) => void
  readonly count: (state: string) => number
}

/** Buttons that choose which lifelines are shown, by their states. */
const StateFilter = ({ wanted, choose, count }: StateFilterProps) => (
  <fieldset class="filters joined">
    <legend class="hidden">Show</legend>
    {['', ...lifeStates].map((name) => (
      <Button
        key={name}
        aria-pressed={wanted === name}
        disabled={wanted !== name && count(name) === 0}
        onClick={() => choose(name)}
      >
        {name === '' ? 'all' : name} <span class="count">{formatNumber(count(name))}</span>
      </Button>
    ))}
  </fieldset>
)

interface LifeRowProps {
  readonly line: LifeLine
  readonly state: ConsoleState
  readonly view: View
  readonly span: Span
  readonly marks: readonly LifeMark[]
}

function LifeRow({ line, state: { moment }, view, span, marks }: LifeRowProps) {
  const { id, side, asset, terms, placed } = line
  const now = findState(line, moment)
  const word = side === null ? '◆ quote' : side === 'buy' ? '▲ buy' : '▼ sell'
  const told = marks.filter(({ at }) => moment === null || at <= moment.at)
  const fills = told.filter(({ kind }) => kind === 'fill')
  const spoken = `${id}: ${word.slice(2)} ${terms} ${asset}, placed ${formatTime(placed.at)}, ${now?.state.replace('_', ' ')}`
  return (
    <>
      <span class="life-name" title={spoken}>
        <b>{id}</b> <span class={side === null ? 'quote' : side === 'buy' ? 'up' : 'down'}>{word}</span>{' '}
        {terms} <small>{asset}</small>
      </span>
      <LifeBar {...{ line, moment, span, marks: told, now: view.now }} />
      <span class="life-state">
        <span class={`status ${now?.state ?? ''}`}>{now?.state.replace('_', ' ')}</span>
        {now !== undefined && now.filled > 0 ? ` ${formatNumber(now.filled)}` : ''}
        {fills.length > 1 ? ` in ${fills.length} fills` : ''}{' '}
        <small title={fills.map(describeMark).join('\n')}>
          {explainWait(line, view) || (fills.at(-1)?.cause ?? '')}
        </small>
      </span>
    </>
  )
}

/** Explains what an order or quote waits for; '' for one that is done. */
function explainWait({ kind, id }: LifeLine, view: View): string {
  if (kind === 'order') {
    const order = view.orders?.orders.find(({ orderId }) => orderId === id)
    const waits = order === undefined ? '' : explainUnfilled(order, view)
    return waits === '' ? '' : `waits for ${waits}`
  }
  const quote = view.quotes.find(({ quoteId }) => quoteId === id)
  return quote === undefined ? '' : `waits for takers, ends in ${formatCountdown(quote.expiresAt, view.now)}`
}

/** Describes a mark with its instant and, for a fill by a recorded book, its cause. */
const describeMark = ({ at, cause, kind, text }: LifeMark): string =>
  `${formatTime(at)} ${kind}: ${text}${cause === undefined ? '' : `; ${cause}`}`

interface LifeBarProps {
  readonly line: LifeLine
  readonly moment: ConsoleState['moment']
  readonly span: Span
  readonly marks: readonly LifeMark[]
  readonly now: string
}

/** The bar, in parts by state, with what happened on it. */
function LifeBar({ line, moment, span, marks, now }: LifeBarProps) {
  const percent = (at: string) =>
    Math.min(100, Math.max(0, ((Date.parse(at) - span.from) / Math.max(1, span.to - span.from)) * 100))
  const end = findEnd(line)
  const isOver = end !== null && (moment === null || end.at <= moment.at)
  const until = isOver ? end.at : now
  const states = line.states.filter(({ state, at }) => isPending(state) && at <= until)
  return (
    <span class="life-track">
      {states.map(({ state, at }, place) => {
        const [from, to] = [percent(at), percent(states[place + 1]?.at ?? until)]
        return (
          <i
            key={`${state} ${at} ${place}`}
            class={`life-part ${state} ${line.side ?? 'quote'}`}
            style={{ left: `${from}%`, width: `max(3px, ${to - from}%)` }}
          />
        )
      })}
      {isOver ? <i class={`life-end ${end.state}`} style={{ left: `${percent(end.at)}%` }} /> : null}
      {marks.map((mark) => {
        const { kind, at, text } = mark
        const x = (Date.parse(at) - span.from) / Math.max(1, span.to - span.from)
        if (x < 0 || x > 1) return null
        return (
          <i
            key={`${kind} ${at} ${text}`}
            class={`life-mark ${kind}`}
            style={{ left: `${x * 100}%` }}
            title={describeMark(mark)}
          />
        )
      })}
    </span>
  )
}
