import {
  buy,
  fillOrKill,
  goodTillCancelled,
  immediateOrCancel,
  type Side,
  sell,
  type TimeInForce,
} from '../../engine/codes.ts'
import { type Field, textOf, wordOr } from '../read/fields.ts'

/* The words of an order as the engine's codes. */

export const sideOf = (field: Field): Side => (textOf(field) === 'buy' ? buy : sell)

export function timeInForceOf(field: Field | null, fallback: 'GTC' | 'IOC'): TimeInForce {
  const word = wordOr(field, ['GTC', 'IOC', 'FOK'], fallback)
  return word === 'IOC' ? immediateOrCancel : word === 'FOK' ? fillOrKill : goodTillCancelled
}
