import type { Quote } from '../../client/venue-types.ts'
import { formatTryLine } from '../model/copy-as.ts'
import type { ListedOrder, ListedTrade } from '../model/documents.ts'
import { formatCountdown, formatNumber, formatTime, formatUsd } from '../model/format.ts'
import type { SelectedItem } from '../model/permalink.ts'
import type { Session } from '../model/session.ts'
import { explainUnfilled } from '../model/why-unfilled.ts'
import { Button } from '../parts/form.tsx'
import { Empty } from '../parts/panel.tsx'
import { type Column, numberColumn, RowActions, Side, Table } from '../parts/table.tsx'
import { useShown } from '../parts/use-console.ts'

const orderColumns: readonly Column<ListedOrder>[] = [
  {
    name: 'Order',
    cell: ({ orderId, clientOrderId }) => <SelectId kind="order" id={orderId} title={clientOrderId ?? ''} />,
  },
  {
    name: 'Side',
    cell: ({ side, asset }) => (
      <>
        <Side side={side} /> {asset}
      </>
    ),
  },
  numberColumn('Price', ({ price }) => (price === null ? 'market' : formatNumber(price))),
  numberColumn(
    'Filled',
    (order) => `${formatNumber(order.filledQuantity)} / ${formatNumber(order.quantity)}`,
  ),
  {
    name: 'Status',
    cell: ({ status }) => <span class={`status ${status}`}>{status.replace('_', ' ')}</span>,
  },
  numberColumn('Created', ({ createdAt }) => formatTime(createdAt)),
]

/** Id of an order or quote, which selects it. */
function SelectId({ kind, id, title }: SelectedItem & { readonly title: string }) {
  const { session, selected } = useShown()
  return (
    <Button
      class="quiet"
      title={title}
      tabIndex={-1}
      aria-pressed={selected?.id === id}
      onClick={() => session.show({ selected: { kind, id } })}
    >
      {id}
    </Button>
  )
}

const orderIdOf = ({ orderId }: ListedOrder): string => orderId
const quoteIdOf = ({ quoteId }: Quote): string => quoteId

export function OrdersPanel({ isAll = false }: { readonly isAll?: boolean }) {
  const { session, state, view, account, asset, moment, isRecording } = useShown()
  const rows = isAll ? view.recentOrders : (view.orders?.orders ?? [])
  if (rows.length === 0) {
    const bid = view.prices.find((price) => price.asset === asset)?.bid ?? 1
    const order = { side: 'buy', asset, quantity: 0.01, price: bid }
    const line = formatTryLine(location.origin, state, 'POST', '/orders', order)
    return <NothingYet of={account} is={`has no ${isAll ? 'orders' : 'open orders'}`} line={line} />
  }
  const actions = createForcedActions(session, 'orders', orderIdOf, ['fill', 'reject', 'expire'])
  const waits = {
    name: 'Waits for',
    cell: (order: ListedOrder) => <span class="text">{explainUnfilled(order, view)}</span>,
  }
  const open = [...orderColumns, waits, ...(moment === null && !isRecording ? [actions] : [])]
  const columns = isAll ? orderColumns : open
  return (
    <Table label={isAll ? 'All orders' : 'Open orders'} columns={columns} rows={rows} keyOf={orderIdOf} />
  )
}

export function QuotesPanel() {
  const { session, state, view, account, moment, asset, isRecording } = useShown()
  if (view.quotes.length === 0) {
    const mid = view.prices.find((price) => price.asset === asset)?.mid ?? 1
    const quote = {
      asset,
      bidPrice: Math.floor(mid * 0.999),
      askPrice: Math.ceil(mid * 1.001),
      bidSize: 0.1,
      askSize: 0.1,
    }
    const line = formatTryLine(location.origin, state, 'POST', '/quotes', quote)
    return <NothingYet of={account} is="has no live quotes" line={line} />
  }
  const columns: readonly Column<Quote>[] = [
    { name: 'Quote', cell: ({ quoteId }) => <SelectId kind="quote" id={quoteId} title="" /> },
    { name: 'Asset', cell: (quote) => quote.asset },
    numberColumn('Bid', ({ bidPrice }) => <span class="up">{formatNumber(bidPrice)}</span>),
    numberColumn('Filled', (quote) => `${formatNumber(quote.bidFilled)} / ${formatNumber(quote.bidSize)}`),
    numberColumn('Ask', ({ askPrice }) => <span class="down">{formatNumber(askPrice)}</span>),
    numberColumn('Filled ', (quote) => `${formatNumber(quote.askFilled)} / ${formatNumber(quote.askSize)}`),
    numberColumn('Expires in', ({ expiresAt }) => formatCountdown(expiresAt, view.now)),
    ...(moment === null && !isRecording
      ? [createForcedActions(session, 'quotes', quoteIdOf, ['fill', 'expire'])]
      : []),
  ]
  return <Table label="Quotes" columns={columns} rows={view.quotes} keyOf={quoteIdOf} />
}

interface NothingYetProps {
  readonly of: string
  readonly is: string
  readonly line: string
}

function NothingYet({ of: account, is, line }: NothingYetProps) {
  const { isRecording } = useShown()
  if (account === '') return <Empty>This world has no account.</Empty>
  return (
    <Empty {...(isRecording ? {} : { line })}>
      {account} {is}.
    </Empty>
  )
}

/** Creates a column of buttons that make the venue do to an order or a quote what no client could. */
function createForcedActions<Row>(
  session: Session,
  kind: 'orders' | 'quotes',
  idOf: (row: Row) => string,
  words: readonly string[],
): Column<Row> {
  return {
    name: 'Make it',
    cell: (row) => (
      <RowActions
        of={words.map((what) => [
          what,
          `${what} ${idOf(row)}`,
          () => session.act('POST', `/${kind}/${idOf(row)}/${what}`, {}, `${idOf(row)}: ${what}`),
        ])}
      />
    ),
  }
}

const tradeColumns: readonly Column<ListedTrade>[] = [
  numberColumn('Time', ({ timestamp }) => formatTime(timestamp)),
  { name: 'Side', cell: ({ side }) => <Side side={side} /> },
  { name: 'Asset', cell: ({ asset }) => asset },
  numberColumn('Quantity', ({ quantity }) => formatNumber(quantity)),
  numberColumn('Price', ({ price }) => formatNumber(price)),
  numberColumn('Value', ({ value }) => formatUsd(value)),
  numberColumn('Fee', ({ fee, feeCurrency }) => `${formatNumber(fee)} ${feeCurrency}`),
  { name: 'Order', cell: ({ orderId }) => orderId },
]

export function FillsPanel() {
  const { state, view, account, asset } = useShown()
  if (view.trades.length === 0) {
    const order = { side: 'buy', asset, quantity: 0.01, orderType: 'market' }
    const line = formatTryLine(location.origin, state, 'POST', '/orders', order)
    return <NothingYet of={account} is="has not traded yet" line={line} />
  }
  const { trades, tradeCount } = view
  return (
    <>
      <Table label="Fills" columns={tradeColumns} rows={trades} keyOf={({ tradeId }) => tradeId} />
      {trades.length === tradeCount ? null : (
        <p class="empty">
          The newest {trades.length} of {formatNumber(tradeCount)}; the chart has all.
        </p>
      )}
    </>
  )
}
