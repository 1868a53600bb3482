import { useState } from 'preact/hooks'
import { compareMoments } from '../../api/noted-moments.ts'
import { formatTryLine } from '../model/copy-as.ts'
import type { HistoryEntry, View } from '../model/documents.ts'
import { formatCountdown, formatTime } from '../model/format.ts'
import { categorize, eventCategories } from '../model/timeline.ts'
import { Button } from '../parts/form.tsx'
import { Empty } from '../parts/panel.tsx'
import { type Column, numberColumn, Table } from '../parts/table.tsx'
import { useConsole, usePointer, useShown } from '../parts/use-console.ts'
import { WindowList } from '../parts/window-list.tsx'

/** Panel of the history: everything that happened, newest first. Clicking a line shows its moment. */
export function LogPanel() {
  const { session, state, items, moment, asset } = useConsole()
  const pointed = usePointer(session)
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set())
  if (items.length === 0) {
    const order = { side: 'buy', asset, quantity: 0.01, orderType: 'market' }
    return (
      <Empty line={formatTryLine(location.origin, state, 'POST', '/orders', order)}>
        Nothing has happened in this world but prices.
      </Empty>
    )
  }
  const toggle = (lane: string) => {
    const next = new Set(hidden)
    if (!next.delete(lane)) next.add(lane)
    setHidden(next)
  }
  const shown = hidden.size === 0 ? items : items.filter((item) => !hidden.has(categorize(item)))
  const at = pointed === null ? '' : new Date(pointed).toISOString()
  const under = shown.findLast((item) => item.at <= at)
  return (
    <div class="log">
      <fieldset class="filters">
        <legend class="hidden">Show</legend>
        {eventCategories.map((lane) => (
          <label key={lane}>
            <input type="checkbox" checked={!hidden.has(lane)} onChange={() => toggle(lane)} /> {lane}
          </label>
        ))}
      </fieldset>
      <WindowList
        label="History"
        rows={shown}
        keyOf={({ index }) => String(index)}
        render={(item, isStop) => (
          <Button
            tabIndex={isStop ? 0 : -1}
            class={`request ${item.kind} ${item === under ? 'pointed' : ''} ${moment !== null && compareMoments(item, moment) > 0 ? 'later' : ''}`}
            aria-pressed={moment !== null && compareMoments(item, moment) === 0}
            onClick={() => session.show({ moment: { sequence: item.sequence, at: item.at } })}
          >
            <span class="muted">{formatTime(item.at)}</span>
            <span class="sequence">#{item.sequence}</span>
            <span class="type">{item.type}</span>
            <span class="path" title={String(item.fields['cause'] ?? '')}>
              {formatDetails(item)}
            </span>
            {item.refusal === null ? null : <span class="badge bad">{item.refusal}</span>}
          </Button>
        )}
      />
    </div>
  )
}

/** Formats the details of a history item besides its type. */
export function formatDetails({ account, asset, fields }: HistoryEntry): string {
  const {
    side,
    quantity,
    filledQuantity,
    price,
    orderId,
    quoteId,
    action,
    problem,
    settlesAt,
    makerOrderId,
    makerQuoteId,
    cause,
    items,
    bidSize,
    bidPrice,
    askSize,
    askPrice,
  } = fields
  const formatQuoteSide = (size: unknown, price: unknown) =>
    `${size ?? ''}${price === undefined ? '' : ` @ ${price}`}`
  const words = [
    account ?? '',
    side ?? '',
    filledQuantity === undefined ? (quantity ?? '') : `${filledQuantity} / ${quantity ?? ''}`,
    asset ?? '',
    price === null || price === undefined ? '' : `@ ${price}`,
    ...[formatQuoteSide(bidSize, bidPrice), formatQuoteSide(askSize, askPrice)],
    items === undefined ? '' : `${items} items`,
    orderId ?? makerOrderId ?? quoteId ?? makerQuoteId ?? '',
    cause ?? '',
    action ?? '',
    problem ?? '',
    settlesAt === undefined ? '' : `until ${settlesAt}`,
  ]
  return words.filter((word) => word !== '' && word !== null).join(' ')
}

export function ScriptPanel() {
  const { view } = useShown()
  if (view.upcoming.length === 0) return <Empty>The script of {view.scenario} has nothing more to do.</Empty>
  const columns: readonly Column<View['upcoming'][number]>[] = [
    numberColumn('When', ({ at }) => (at === null ? '' : formatTime(at))),
    numberColumn('In', ({ at }) => (at === null ? '' : formatCountdown(at, view.now))),
    { name: 'Does', cell: ({ action }) => action },
    { name: 'To', cell: ({ about }) => about },
    { name: 'Label', cell: ({ id }) => id ?? '' },
    { name: 'After', cell: ({ waitsFor }) => waitsFor ?? '' },
    { name: 'Where', cell: ({ place }) => <code>{place}</code> },
  ]
  return <Table label="Script" columns={columns} rows={view.upcoming} keyOf={(row) => JSON.stringify(row)} />
}
