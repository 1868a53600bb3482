import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { describeOutcome } from '../../api/request-words.ts'
import type { ListedOrder } from '../model/documents.ts'
import { countDecimals, formatFixed, formatNumber } from '../model/format.ts'
import { amendOrder, cancelLine, placeOrder, submitQuote } from '../model/ticket.ts'
import type { CallAnswer, VenueCall } from '../model/venue-call.ts'
import { explainUnfilled } from '../model/why-unfilled.ts'
import { Button, Field, Form, type FormValues, SelectField } from '../parts/form.tsx'
import { Empty } from '../parts/panel.tsx'
import { Tabs } from '../parts/tabs.tsx'
import { useShown } from '../parts/use-console.ts'

/** Panel that trades as the chosen account, by the signed requests that any client sends. */
export function TicketPanel() {
  const { selected, view } = useShown()
  const order = view.orders?.orders.find(({ orderId }) => orderId === selected?.id)
  const wanted = order === undefined ? (selected?.kind === 'quote' ? 'Quote' : '') : `Change`
  return (
    <Tabs
      label="Ticket"
      area="area-ticket"
      wanted={wanted}
      tabs={[
        {
          name: 'Order',
          show: () => (
            <Ticket scope="TRADE">
              <OrderForm />
            </Ticket>
          ),
        },
        {
          name: 'Quote',
          show: () => (
            <Ticket scope="MARKET_MAKING">
              <QuoteForm />
            </Ticket>
          ),
        },
        {
          name: 'Change',
          show: () => (
            <Ticket scope="TRADE">
              <ChangeForm order={order} />
            </Ticket>
          ),
        },
      ]}
    />
  )
}

interface TicketProps {
  readonly scope: VenueCall['scope']
  readonly children: ComponentChildren
}

/** Shows a form of the ticket where the account can use it, and else says why not. */
function Ticket({ scope, children }: TicketProps) {
  const { moment, account, keys } = useShown()
  if (moment !== null) return <Empty>The past stays as it was. Go back to now to trade.</Empty>
  if (account === '') return <Empty>This world has no account.</Empty>
  const own = keys.find(({ id }) => id === account)?.keys
  if (own?.some(({ scopes }) => scopes.includes(scope)) === false)
    return (
      <Empty>
        {account} has no key with the scope {scope}.
      </Empty>
    )
  return <>{children}</>
}

/** Returns what sends a request and keeps the answer, and the line that tells it. */
function useReply(): readonly [
  send: (call: VenueCall) => Promise<CallAnswer | null>,
  told: preact.JSX.Element,
] {
  const { session, account } = useShown()
  const [reply, setReply] = useState<CallAnswer | null>(null)
  useEffect(() => setReply(null), [account])
  const send = async (call: VenueCall) => {
    const answer = await session.call(call)
    setReply(answer)
    return answer
  }
  const isBad = reply !== null && reply.status >= 400 && !reply.isRepeated
  const sent = { method: '', path: '', query: '', requestBody: '' }
  return [
    send,
    <p key="reply" class={`reply ${isBad ? 'bad' : ''}`} role="status">
      {reply === null
        ? ''
        : reply.isRepeated
          ? 'The connection broke, and the browser sent this again. It was placed once: the venue knew its client id.'
          : `${isBad ? '✗' : `✓ ${reply.status}`} ${describeOutcome({ ...sent, status: reply.status, responseBody: reply.text })}`}
    </p>,
  ]
}

function usePair() {
  const { view, asset } = useShown()
  const pair = view.pairs.find(({ base }) => base === asset)
  const price = view.prices.find((candidate) => candidate.asset === asset)
  return { pair, price, decimals: countDecimals(pair?.priceStep) }
}

function OrderForm() {
  const { asset, account } = useShown()
  const { pair, price, decimals } = usePair()
  const [side, setSide] = useState('buy')
  const [type, setType] = useState('limit')
  const [send, told] = useReply()
  const best = side === 'buy' ? price?.bid : price?.ask
  const submit = (values: FormValues) => {
    const { timeInForce = 'GTC', ...rest } = values
    const force = timeInForce === 'GTC' ? {} : { timeInForce }
    send(placeOrder(asset, { side, orderType: type, ...rest, ...force }))
  }
  return (
    <Form class="ticket-form" send={submit} key={asset}>
      <fieldset class="joined sides">
        <legend class="hidden">Side</legend>
        {['buy', 'sell'].map((name) => (
          <Button key={name} class={name} aria-pressed={side === name} onClick={() => setSide(name)}>
            {name === 'buy' ? '▲ Buy' : '▼ Sell'}
          </Button>
        ))}
      </fieldset>
      <SelectField
        label="Type"
        value={type}
        options={types}
        onChange={(event) => setType(event.currentTarget.value)}
      />
      <Field
        label={`Quantity, ${asset}`}
        {...{ name: 'quantity', inputMode: 'decimal', required: true, autocomplete: 'off' }}
        defaultValue={String(Math.max(0.1, pair?.minQuantity ?? 0))}
      />
      {type === 'market' ? null : (
        <Field
          label="Price, USD"
          {...{ name: 'price', inputMode: 'decimal', required: true, autocomplete: 'off' }}
          key={side}
          defaultValue={typeof best === 'number' ? best.toFixed(decimals) : ''}
        />
      )}
      <SelectField label="In force" name="timeInForce" options={forces} />
      <button type="submit" class={`send ${side}`}>
        {side === 'buy' ? 'Buy' : 'Sell'} as {account}
      </button>
      {told}
    </Form>
  )
}

const types = [
  ['limit', 'limit'],
  ['market', 'market'],
] as const
const forces = [
  ['GTC', 'until cancelled'],
  ['IOC', 'at once or not (IOC)'],
  ['FOK', 'whole or not (FOK)'],
] as const

/** A new quote is this far from the middle, on both sides. */
const quotedAway = 0.001

function QuoteForm() {
  const { asset, account, selected, view } = useShown()
  const { price, decimals } = usePair()
  const [send, told] = useReply()
  const chosen = view.quotes.find(({ quoteId }) => quoteId === selected?.id)
  const mid = price?.mid ?? 1
  const field = (label: string, name: string, value: string) => (
    <Field
      label={label}
      {...{ name, inputMode: 'decimal', required: true, defaultValue: value, autocomplete: 'off' }}
    />
  )
  return (
    <Form class="ticket-form" send={(values) => send(submitQuote(asset, values))} key={asset}>
      {field('Bid', 'bidPrice', (mid * (1 - quotedAway)).toFixed(decimals))}
      {field('Ask', 'askPrice', (mid * (1 + quotedAway)).toFixed(decimals))}
      {field('Bid size', 'bidSize', '0.1')}
      {field('Ask size', 'askSize', '0.1')}
      {field('Valid, s', 'validForSeconds', '30')}
      <button type="submit" class="send primary">
        Quote as {account}
      </button>
      {chosen === undefined ? null : (
        <Button class="wide" onClick={() => send(cancelLine({ kind: 'quote', id: chosen.quoteId }))}>
          Cancel {chosen.quoteId}
        </Button>
      )}
      {told}
    </Form>
  )
}

function ChangeForm({ order }: { readonly order: ListedOrder | undefined }) {
  const { session, view } = useShown()
  const { decimals } = usePair()
  const [send, told] = useReply()
  if (order === undefined) {
    const open = view.orders?.orders ?? []
    return (
      <div class="ticket-form">
        <p class="wide muted">
          {open.length === 0 ? 'There is no open order to change.' : 'Which order is to be changed?'}
        </p>
        {open.slice(0, 8).map(({ orderId, asset }) => (
          <Button
            key={orderId}
            onClick={() => session.show({ selected: { kind: 'order', id: orderId }, asset })}
          >
            {orderId}
          </Button>
        ))}
        {told}
      </div>
    )
  }
  const { orderId: id, quantity, price, side, filledQuantity } = order
  const waits = explainUnfilled(order, view)
  const submit = async (values: FormValues, form: HTMLFormElement) => {
    const isNew = ([name, value]: readonly [string, string]) =>
      Number(value.replaceAll(',', '')) !== (name === 'price' ? price : quantity)
    const answer = await send(amendOrder(id, Object.fromEntries(Object.entries(values).filter(isNew))))
    // What was typed stays while the order changes beside it; fields that were sent follow the order again.
    if (answer !== null && answer.status < 400) form.reset()
  }
  return (
    <Form class="ticket-form" send={submit} key={id}>
      <p class="wide">
        <strong>{id}</strong> {side} {formatNumber(quantity)}, {formatNumber(filledQuantity)} filled
      </p>
      {waits === '' ? null : <p class="wide muted">waits for {waits}</p>}
      <Field
        label="Quantity"
        {...{ name: 'quantity', inputMode: 'decimal', required: true, defaultValue: String(quantity) }}
      />
      {price === null ? null : (
        <Field
          label="Price, USD"
          {...{ name: 'price', inputMode: 'decimal', required: true }}
          defaultValue={formatFixed(price, decimals)}
        />
      )}
      <button type="submit" class="primary">
        Change
      </button>
      <Button onClick={() => send(cancelLine({ kind: 'order', id }))}>Cancel it</Button>
      {told}
    </Form>
  )
}
