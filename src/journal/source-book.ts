import type { PlainSourceBook } from '../scenario/file/recorded-books.ts'
import { natural, record, text, wholeNumber } from '../shape/shape.ts'
import { codecFor } from './codec.ts'

/** Makes the shape of a step of a pair, as `units * 10^-scale`. */
const step = () => record({ units: wholeNumber(1), scale: natural() })

/** What stands for a recorded book in a journal's header and in the documents of snapshots: its hash, and its steps. */
export const sourceBook = codecFor<PlainSourceBook>(
  record({ hash: text(), priceStep: step(), quantityStep: step() }),
)
