import { buy, none } from '../../src/engine/codes.ts'
import { decimalToText } from '../../src/numeric/units.ts'
import { crowdedConfig, startMillis } from '../arbitraries/configs.ts'
import { lineOf, type RecordedEvent } from './recorded-event.ts'

const { assets, accounts } = crowdedConfig()
const accountNames = ['outside', 'house', 'fees', ...accounts.map(({ id }) => id)]

/**
 * Writes an event of the crowded world as a table shows it: accounts and assets by name, quantities in steps, prices in
 * ticks, and what is reserved, released or posted as a decimal amount of its asset. An order or a quote is `#` and its row.
 */
export function formatEvent(event: RecordedEvent): string {
  const { name, subject, account, asset, first, second, third } = event
  const owner = accountNames[account]
  const symbol = assets[asset]?.symbol
  switch (name) {
    case 'order-accepted':
    case 'order-amended':
      return `${name} #${subject} ${owner} ${formatSide(first)} ${symbol} ${third} steps at ${second} ticks`
    case 'order-partially-filled':
    case 'order-filled':
    case 'order-cancelled':
    case 'order-expired':
      return `${name} #${subject} ${owner} ${symbol} ${first} of ${second} steps`
    case 'quote-accepted':
      return `${name} #${subject} ${owner} ${symbol} until ${first - startMillis} ms`
    case 'quote-partially-filled':
    case 'quote-filled':
    case 'quote-cancelled':
    case 'quote-expired':
      return `${name} #${subject} ${owner} ${symbol} bid ${first} ask ${second} steps`
    case 'trade': {
      const [verb, preposition] = third === buy ? ['buys', 'from'] : ['sells', 'to']
      const terms = `${symbol} ${second} steps at ${first} ticks`
      return `trade ${formatOrder(account)} ${verb} ${terms} ${preposition} ${formatOrder(subject)}`
    }
    case 'posted':
      return `posted ${accountNames[subject]} -> ${owner} ${formatAmount(asset, first)}`
    case 'reserved':
    case 'released':
      return `${name} #${subject} ${owner} ${formatAmount(asset, first)}`
    default:
      return lineOf(event)
  }
}

function formatSide(side: number): string {
  return side === buy ? 'buy' : 'sell'
}

function formatOrder(row: number): string {
  return row === none ? 'house' : `#${row}`
}

function formatAmount(asset: number, atoms: number): string {
  const config = assets[asset]
  return config === undefined ? `asset ${asset}` : `${config.symbol} ${decimalToText(atoms, config.scale)}`
}
