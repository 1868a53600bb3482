import { orNone, type RecordOf, record, shapeTyped } from '../../../shape/shape.ts'

/* What a person can say about the files of a recorded book. The command line, scenarios and the library have it. */

export const bookOptions = record({
  symbol: orNone(
    shapeTyped<string>({
      type: 'string',
      minLength: 1,
      maxLength: 64,
      description: 'The rows to read, of files that hold several symbols.',
    }),
  ),
  skipBad: orNone(
    shapeTyped<boolean>({
      type: 'boolean',
      description: 'Leaves out lines that cannot be read, and the rest of a file that is cut off.',
    }),
  ),
  sort: orNone(
    shapeTyped<boolean>({
      type: 'boolean',
      description: 'Puts rows in the order of time, as far as five seconds of the file show it.',
    }),
  ),
  holdGaps: orNone(
    shapeTyped<boolean>({
      type: 'boolean',
      description:
        'Keeps the book through updates that are missing, although some of its levels are wrong then.',
    }),
  ),
  shiftTrades: orNone(
    shapeTyped<number>({
      type: 'integer',
      minimum: -86_400_000,
      maximum: 86_400_000,
      description: 'Milliseconds to add to the times of trades that another clock has stamped.',
    }),
  ),
})

export type BookOptions = RecordOf<typeof bookOptions>

/** Returns a text that is equal for options that read alike; empty for the usual ones. */
export function formatBookOptions(options: BookOptions): string {
  const given = Object.entries(options).filter(
    ([, value]) => value !== undefined && value !== false && value !== 0,
  )
  if (given.length === 0) return ''
  return JSON.stringify(Object.fromEntries(given.sort(([left], [right]) => (left < right ? -1 : 1))))
}
