import process from 'node:process'
import { openRecordedBook } from '../../../src/cli/recordings/books/prepared-book.ts'
import { Venue } from '../../../src/engine/venue.ts'
import { clearBook } from '../../../src/market/books/book-maker.ts'
import { FoldedBook } from '../../../src/market/books/folded-book.ts'
import { bookChunkRows, bookRowKinds, type RecordedBook } from '../../../src/market/books/recorded-book.ts'
import { byteElement, element, integerElement } from '../../../src/numeric/columns.ts'
import { createConfig } from '../../hftbacktest/replay-run.ts'
import { advance, quoteBothSides, watchBook } from './maker.ts'
import { dayLot, dayUnits } from './write-day.ts'

/*
 * One measurement in a process of its own: TASK FOLDER BOOK TRADES. The answer is one line of JSON, with the most
 * memory that the process ever had. What is read is kept in FOLDER, so that only `prepare` reads the files.
 */

export interface Answer {
  readonly rows: number
  readonly cpuSeconds: number
  readonly wallSeconds: number
  readonly peakMegabytes: number
  /** What the work has come to: equal work gives equal texts. */
  readonly result: string
}

const [task = '', folder = '', book = '', trades = ''] = process.argv.slice(2)
process.stdout.write(`${JSON.stringify(run())}\n`)

function run(): Answer {
  if (task === 'prepare') return measure(open)
  const recorded = open()
  // The first pass warms up.
  const work = findWork(recorded)
  if (task !== 'restore') work()
  return measure(work)
}

function findWork(recorded: RecordedBook): () => RecordedBook & { readonly told?: string } {
  const play = (pass: (venue: Venue, untilMillis: number) => void) => () => {
    const venue = Venue.open(configOf(recorded), { emit: () => undefined })
    pass(venue, recorded.lastMillis)
    return { ...recorded, told: `${venue.state.fills.count} fills, ${venue.digest()}` }
  }
  if (task === 'fold') return () => ({ ...recorded, told: foldAll(recorded) })
  if (task === 'pass') return play(advance)
  if (task === 'watch') return play(watchBook)
  return play(quoteBothSides)
}

/** Opens the recording; the files are read if they were not before. */
function open(): RecordedBook {
  const opened = openRecordedBook({
    files: { book: [book], trades: [trades] },
    options: {},
    units: dayUnits,
    cwd: '.',
    store: { folder, maximumBytes: Number.POSITIVE_INFINITY },
  })
  if (!opened.ok) throw new Error(JSON.stringify(opened.faults))
  return opened.book
}

function measure(work: () => RecordedBook & { readonly told?: string }): Answer {
  const before = process.cpuUsage()
  const begun = process.hrtime.bigint()
  const { rowCount, told = '' } = work()
  const { system, user } = process.cpuUsage(before)
  return {
    rows: rowCount,
    cpuSeconds: (system + user) / 1e6,
    wallSeconds: Number(process.hrtime.bigint() - begun) / 1e9,
    peakMegabytes: (process.resourceUsage().maxRSS * 1024) / 1e6,
    result: told,
  }
}

function configOf(recorded: RecordedBook) {
  return createConfig(recorded, dayLot, {
    kind: 'recorded',
    queue: { law: 'power3', exponent: 3 },
    fills: 'shown',
    beyond: 'behind',
    gaps: 'hold',
    gapAfterMillis: 60_000,
  })
}

/** Works off all rows with nothing around them: what a replay has to be compared with. */
function foldAll(recorded: RecordedBook): string {
  const folded = new FoldedBook()
  for (let number = 0; number * bookChunkRows < recorded.rowCount; number += 1) {
    const { count, kinds, priceTicks, quantitySteps, sides } = recorded.chunk(number)
    for (let place = 0; place < count; place += 1) {
      const kind = byteElement(kinds, place)
      const ticks = integerElement(priceTicks, place)
      if (kind === bookRowKinds.clear) clearBook(folded, byteElement(sides, place), ticks)
      else if (kind !== bookRowKinds.trade)
        folded.setLevel(sides[place] === 0 ? 0 : 1, ticks, element(quantitySteps, place))
    }
  }
  return `${folded.bidTicks} ${folded.askTicks}`
}
