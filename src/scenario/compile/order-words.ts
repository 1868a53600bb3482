import { buy, type Side, sell, type TimeInForce, timeInForceNames, timesInForce } from '../../engine/codes.ts'
import { type Field, textOf, wordOr } from '../read/fields.ts'

/* The words of an order as the engine's codes. */

export const sideOf = (field: Field): Side => (textOf(field) === 'buy' ? buy : sell)

export function timeInForceOf(field: Field | null, fallback: 'GTC' | 'IOC'): TimeInForce {
  return timesInForce[wordOr(field, timeInForceNames, fallback)]
}
