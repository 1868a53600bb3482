import type { Schema } from '../read/schema-type.ts'
import { amount, limits, positiveAmount, symbol } from '../read/schema-words.ts'
import { account, asset, label, lasts, price, record, side } from './schema-action-parts.ts'

/* What accounts do, what is done to them, and agents. */

const metadata: Schema = {
  type: 'object',
  maxProperties: 50,
  description: "The caller's own data, handed back as it is.",
}

const clientId: Schema = { type: 'string', minLength: 1, maxLength: 64, description: "The client's own id." }

const validity: Schema = {
  type: 'number',
  minimum: 1,
  maximum: 300,
  description: 'How long the quote lives, seconds.',
}

const transfer = (description: string): Schema =>
  record(
    ['account', 'asset', 'quantity'],
    {
      as: label('A label, for `settle`.'),
      account,
      asset: { ...symbol, description: 'The asset, or USD.' },
      quantity: { ...positiveAmount, description: 'How much.' },
      pending: lasts('How long it waits before it settles; at once unless given.'),
    },
    description,
  )

export const clientActions: { readonly [name: string]: Schema } = {
  order: record(
    ['account', 'side', 'asset', 'quantity'],
    {
      as: label('A label: `order[label].status`, and for `amend` and `cancel`.'),
      account,
      side,
      asset,
      quantity: { ...positiveAmount, description: 'How much of the asset.' },
      price: price('The limit; none for a market order.'),
      orderType: { enum: ['limit', 'market'], description: 'Limit unless given.' },
      timeInForce: { enum: ['GTC', 'IOC', 'FOK'], description: 'GTC unless given.' },
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
      askPrice: price("The quote's new offer."),
      bidSize: { ...amount, description: 'The new size of the bid.' },
      askSize: { ...amount, description: 'The new size of the offer.' },
      validForSeconds: validity,
    },
    'Amends an order or a quote that a label names.',
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
      bidPrice: price('What the account buys at.'),
      askPrice: price('What the account sells at.'),
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
      quantity: { ...positiveAmount, description: 'At most what is left of what it meets.' },
      target: record(['account'], { account }, 'Whose best live order or quote side it meets.'),
    },
    "A taker from outside that meets one account's best live order or quote side, at that price.",
  ),
}

export const accountActions: { readonly [name: string]: Schema } = {
  deposit: transfer('Brings an asset or USD in.'),
  withdraw: transfer('Takes an asset or USD out.'),
  settle: record(
    [],
    {
      transfer: label('One transfer, by its label.'),
      account: { ...account, description: 'All pending transfers of this account.' },
      asset: { ...symbol, description: 'With `account`: those of one asset.' },
    },
    'Settles what is pending.',
  ),
  limits: record(['account', 'set'], { account, set: limits }, "Changes an account's risk limits."),
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
        description: 'New values for some of its parameters.',
      },
    },
    'Starts, stops or changes an agent.',
  ),
}
