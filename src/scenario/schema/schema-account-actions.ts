import { validForSeconds } from '../../api/schemas/quote.ts'
import { timeInForceNames } from '../../engine/codes.ts'
import type { Schema } from '../file/schema-words.ts'
import { amount, positiveAmount, symbol, words } from '../file/schema-words.ts'
import { account, asset, label, lasts, price, record, side } from './schema-action-parts.ts'

/* What accounts do, what is done to them, and agents. */

const metadata: Schema = {
  type: 'object',
  maxProperties: 50,
  description: "The caller's own data, returned unchanged.",
}

const clientId: Schema = { type: 'string', minLength: 1, maxLength: 64, description: "The client's own id." }

const validity: Schema = {
  type: 'number',
  minimum: validForSeconds.minimum,
  maximum: validForSeconds.maximum,
  description: 'How long the quote is valid, in seconds.',
}

const transfer = (description: string): Schema =>
  record(
    ['account', 'asset', 'quantity'],
    {
      as: label('A label, for `settle`.'),
      account,
      asset: { ...symbol, description: 'The asset, or USD.' },
      quantity: { ...positiveAmount, description: 'How much.' },
      pending: lasts('Time until it settles; at once by default.'),
    },
    description,
  )

export const clientActions = {
  order: record(
    ['account', 'side', 'asset', 'quantity'],
    {
      as: label('A label: `order[label].status`, and for `amend` and `cancel`.'),
      account,
      side,
      asset,
      quantity: { ...positiveAmount, description: 'How much of the asset.' },
      price: price('The limit price; none for a market order.'),
      orderType: { enum: ['limit', 'market'], description: 'Limit by default.' },
      timeInForce: { enum: timeInForceNames, description: 'GTC by default.' },
      clientOrderId: clientId,
      metadata,
    },
    'Places an order for an account.',
  ),
  amend: record(
    [],
    {
      order: label('The order to amend, by its label.'),
      quote: label('The quote to amend, by its label.'),
      quantity: { ...positiveAmount, description: 'The new total quantity of the order.' },
      price: price('The new limit of the order.'),
      bidPrice: price("The quote's new bid."),
      askPrice: price("The quote's new ask."),
      bidSize: { ...amount, description: 'The new size of the bid.' },
      askSize: { ...amount, description: 'The new size of the ask.' },
      validForSeconds: validity,
    },
    'Amends an order or a quote, by label.',
  ),
  cancel: record(
    [],
    {
      order: label('The order to cancel, by its label.'),
      quote: label('The quote to cancel, by its label.'),
      account: { ...account, description: 'All live orders of this account.' },
      asset: { ...symbol, description: 'With `account`: those of one asset.' },
      side: { enum: ['buy', 'sell'], description: 'With `account`: those of one side.' },
    },
    'Cancels an order, a quote, or all orders of an account.',
  ),
  quote: record(
    ['account', 'asset', 'bidPrice', 'askPrice', 'bidSize', 'askSize'],
    {
      as: label('A label: `quote[label].status`, and for `amend` and `cancel`.'),
      account,
      asset,
      bidPrice: price('The price at which the account buys.'),
      askPrice: price('The price at which the account sells.'),
      bidSize: { ...amount, description: 'How much it buys.' },
      askSize: { ...amount, description: 'How much it sells.' },
      validForSeconds: validity,
      clientQuoteId: clientId,
      metadata,
    },
    'Submits a two-sided quote for an account.',
  ),
  agentOrder: record(
    ['kind', 'asset', 'side', 'quantity', 'target'],
    {
      kind: { const: 'taker', description: 'A taker, which is the only kind.' },
      asset,
      side: { enum: ['buy', 'sell'], description: 'Whether the taker buys or sells.' },
      quantity: { ...positiveAmount, description: 'At most the remaining quantity of what it meets.' },
      target: record(['account'], { account }, 'Whose best live order or quote side it meets.'),
    },
    "A taker from outside that meets one account's best live order or quote side, at that price.",
  ),
} satisfies { readonly [name: string]: Schema }

export const accountActions = {
  deposit: transfer('Deposits an asset or USD.'),
  withdraw: transfer('Withdraws an asset or USD.'),
  settle: record(
    [],
    {
      transfer: label('One transfer, by its label.'),
      account: { ...account, description: 'All pending transfers of this account.' },
      asset: { ...symbol, description: 'With `account`: those of one asset.' },
    },
    'Settles pending transfers.',
  ),
  limits: record(
    ['account', 'set'],
    { account, set: { ...words['limits'], minProperties: 1 } },
    "Changes an account's risk limits.",
  ),
  agent: record(
    ['id'],
    {
      id: label('The agent, by its id under `agents`.'),
      start: { const: true, description: 'It acts from now on.' },
      stop: { const: true, description: 'It stops acting.' },
      set: {
        type: 'object',
        minProperties: 1,
        maxProperties: 50,
        description: 'New values for some of its parameters, from its next act on.',
      },
    },
    'Starts, stops or changes an agent.',
  ),
} satisfies { readonly [name: string]: Schema }
