import { readFileSync } from 'node:fs'
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
  if (task === 'restore') return measureRestore(recorded)
  const work = findWork(recorded)
  // Memory is that of one pass; otherwise the first pass warms up.
  if (task !== 'maker-once') work()
  return measure(work)
}

/** Times a restart from a snapshot of the middle of the day: the recording is opened anew, and the venue restored. */
function measureRestore(recorded: RecordedBook): Answer {
  const sink = { emit: () => undefined }
  const middleMillis = Math.floor((recorded.firstMillis + recorded.lastMillis) / 2)
  const venue = Venue.open(configOf(recorded), sink)
  quoteBothSides(venue, middleMillis)
  const snapshot = venue.snapshot()
  const restored: Venue[] = []
  const answer = measure(() => {
    const again = open()
    restored.push(Venue.restore(configOf(again), snapshot, sink))
    return again
  })
  const digests = [venue, ...restored].map((one) => {
    quoteBothSides(one, recorded.lastMillis)
    return one.digest()
  })
  const isEqual = digests.length === 2 && digests[0] === digests[1]
  return { ...answer, result: isEqual ? 'equal to the end' : `differs at the end: ${digests.join(' and ')}` }
}

/** What was worked off, and what it has come to: asked for when the clock has stopped. */
type Worked = RecordedBook & { readonly tell?: () => string }

function findWork(recorded: RecordedBook): () => Worked {
  const play = (pass: (venue: Venue, untilMillis: number) => void) => () => {
    const venue = Venue.open(configOf(recorded), { emit: () => undefined })
    pass(venue, recorded.lastMillis)
    return { ...recorded, tell: () => `${venue.state.fills.count} fills, ${venue.digest()}` }
  }
  if (task === 'fold') return () => tellLater(recorded, foldAll(recorded))
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

/** Processor time of the processes that this one has waited for, which unpack large files, in seconds. */
function childSeconds(): number {
  if (process.platform !== 'linux') return 0
  const fields = readFileSync('/proc/self/stat', 'latin1')
    .replace(/^.*\) /, '')
    .split(' ')
  return (Number(fields[13]) + Number(fields[14])) / 100
}

function tellLater(recorded: RecordedBook, told: string): Worked {
  return { ...recorded, tell: () => told }
}

function measure(work: () => Worked): Answer {
  const before = process.cpuUsage()
  const childrenBefore = childSeconds()
  const begun = process.hrtime.bigint()
  const { rowCount, tell = () => '' } = work()
  const { system, user } = process.cpuUsage(before)
  return {
    rows: rowCount,
    cpuSeconds: (system + user) / 1e6 + childSeconds() - childrenBefore,
    wallSeconds: Number(process.hrtime.bigint() - begun) / 1e9,
    peakMegabytes: (process.resourceUsage().maxRSS * 1024) / 1e6,
    result: tell(),
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
