import type { Quote } from '../../client/venue-types.ts'
import { tryLine } from '../model/copy-as.ts'
import type { ListedOrder, ListedTrade } from '../model/documents.ts'
import { countdown, number, timeOf, usd } from '../model/format.ts'
import type { Session } from '../model/session.ts'
import { whyUnfilled } from '../model/why-unfilled.ts'
import { Empty } from '../parts/panel.tsx'
import { type Column, figures, RowActions, Side, Table } from '../parts/table.tsx'
import { useShown } from '../parts/use-console.ts'

const orderColumns: readonly Column<ListedOrder>[] = [
  { name: 'Order', cell: ({ orderId, clientOrderId }) => <span title={clientOrderId ?? ''}>{orderId}</span> },
  { name: 'Side', cell: ({ side }) => <Side side={side} /> },
  { name: 'Asset', cell: ({ asset }) => asset },
  figures('Price', ({ price }) => (price === null ? 'market' : number(price))),
  figures('Filled', (order) => `${number(order.filledQuantity)} / ${number(order.quantity)}`),
  {
    name: 'Status',
    cell: ({ status }) => <span class={`status ${status}`}>{status.replace('_', ' ')}</span>,
  },
  figures('Created', ({ createdAt }) => timeOf(createdAt)),
]

const orderIdOf = ({ orderId }: ListedOrder): string => orderId
const quoteIdOf = ({ quoteId }: Quote): string => quoteId

export function OrdersPanel({ isAll = false }: { readonly isAll?: boolean }) {
  const { session, state, view, account, asset, place } = useShown()
  const rows = isAll ? view.recentOrders : (view.orders?.orders ?? [])
  if (rows.length === 0) {
    const bid = view.prices.find((price) => price.asset === asset)?.bid ?? 1
    const order = { side: 'buy', asset, quantity: 0.01, price: bid }
    const line = tryLine(location.origin, state, 'POST', '/orders', order)
    return <NothingYet of={account} is={`has no ${isAll ? 'orders' : 'open orders'}`} line={line} />
  }
  const actions = forcedEnds(session, 'orders', orderIdOf, ['fill', 'reject', 'expire'])
  const waits = {
    name: 'Waits for',
    cell: (order: ListedOrder) => <span class="text">{whyUnfilled(order, view)}</span>,
  }
  const open = [...orderColumns, waits, ...(place === null ? [actions] : [])]
  const columns = isAll ? orderColumns : open
  return (
    <Table label={isAll ? 'All orders' : 'Open orders'} columns={columns} rows={rows} keyOf={orderIdOf} />
  )
}

export function QuotesPanel() {
  const { session, state, view, account, place, asset } = useShown()
  if (view.quotes.length === 0) {
    const mid = view.prices.find((price) => price.asset === asset)?.mid ?? 1
    const quote = {
      asset,
      bidPrice: Math.floor(mid * 0.999),
      askPrice: Math.ceil(mid * 1.001),
      bidSize: 0.1,
      askSize: 0.1,
    }
    const line = tryLine(location.origin, state, 'POST', '/quotes', quote)
    return <NothingYet of={account} is="has no live quotes" line={line} />
  }
  const columns: readonly Column<Quote>[] = [
    { name: 'Quote', cell: ({ quoteId }) => quoteId },
    { name: 'Asset', cell: (quote) => quote.asset },
    figures('Bid', ({ bidPrice }) => <span class="up">{number(bidPrice)}</span>),
    figures('Filled', (quote) => `${number(quote.bidFilled)} / ${number(quote.bidSize)}`),
    figures('Ask', ({ askPrice }) => <span class="down">{number(askPrice)}</span>),
    figures('Filled ', (quote) => `${number(quote.askFilled)} / ${number(quote.askSize)}`),
    figures('Expires in', ({ expiresAt }) => countdown(expiresAt, view.now)),
    ...(place === null ? [forcedEnds(session, 'quotes', quoteIdOf, ['fill', 'expire'])] : []),
  ]
  return <Table label="Quotes" columns={columns} rows={view.quotes} keyOf={quoteIdOf} />
}

interface NothingYetProps {
  readonly of: string
  readonly is: string
  readonly line: string
}

function NothingYet({ of: account, is, line }: NothingYetProps) {
  if (account === '') return <Empty>This world has no account.</Empty>
  return (
    <Empty line={line}>
      {account} {is}.
    </Empty>
  )
}

/** Buttons that make the venue do to an order or a quote what no client could. */
function forcedEnds<Row>(
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
  figures('Time', ({ timestamp }) => timeOf(timestamp)),
  { name: 'Side', cell: ({ side }) => <Side side={side} /> },
  { name: 'Asset', cell: ({ asset }) => asset },
  figures('Quantity', ({ quantity }) => number(quantity)),
  figures('Price', ({ price }) => number(price)),
  figures('Value', ({ value }) => usd(value)),
  figures('Fee', ({ fee, feeCurrency }) => `${number(fee)} ${feeCurrency}`),
  { name: 'Order', cell: ({ orderId }) => orderId },
]

export function FillsPanel() {
  const { state, view, account, asset } = useShown()
  if (view.trades.length === 0) {
    const order = { side: 'buy', asset, quantity: 0.01, orderType: 'market' }
    const line = tryLine(location.origin, state, 'POST', '/orders', order)
    return <NothingYet of={account} is="has not traded yet" line={line} />
  }
  const { trades, tradeCount } = view
  return (
    <>
      <Table label="Fills" columns={tradeColumns} rows={trades} keyOf={({ tradeId }) => tradeId} />
      {trades.length === tradeCount ? null : (
        <p class="empty">
          The newest {trades.length} of {number(tradeCount)}; the chart has all.
        </p>
      )}
    </>
  )
}
