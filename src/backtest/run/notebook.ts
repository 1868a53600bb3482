import { createStream, type RandomStream } from '../../numeric/random.ts'
import type { NoteRecord, RecordedSeries } from '../result.ts'

const maximumNotes = 1000

/** Holds the random streams, notes and series of a strategy during a run. */
export class RunNotebook {
  readonly notes: NoteRecord[] = []
  /** How many notes came after the last one that is kept. */
  droppedNotes = 0
  private readonly seed: string
  private readonly streams = new Map<string, RandomStream>()
  private readonly recorded = new Map<string, { atMillis: number[]; values: (number | null)[] }>()

  constructor(seed: string) {
    this.seed = seed
  }

  get series(): Readonly<Record<string, RecordedSeries>> {
    return Object.fromEntries(this.recorded)
  }

  random(name: string): RandomStream {
    const known = this.streams.get(name)
    if (known !== undefined) return known
    const stream = createStream(this.seed, 'strategy', name, 0)
    this.streams.set(name, stream)
    return stream
  }

  /** Adds a note; notes after the first thousand are only counted. Throws a TypeError for anything but a text. */
  note(atMillis: number, text: string): void {
    if (typeof text !== 'string') throw new TypeError(`note: expected a text, found ${describeKind(text)}`)
    if (this.notes.length < maximumNotes) this.notes.push({ atMillis, text })
    else this.droppedNotes += 1
  }

  /**
   * Adds a value to a series. A value that is not finite, such as an average of nothing, leaves a gap. Throws a
   * TypeError for anything but a number.
   */
  record(atMillis: number, name: string, value: number): void {
    if (typeof value !== 'number')
      throw new TypeError(`record: expected a number of "${name}", found ${describeKind(value)}`)
    const series = this.recorded.get(name) ?? { atMillis: [], values: [] }
    series.atMillis.push(atMillis)
    series.values.push(Number.isFinite(value) ? value : null)
    this.recorded.set(name, series)
  }
}

/** Names the type of a value that a strategy in JavaScript passed by mistake. */
function describeKind(value: unknown): string {
  return value === null ? 'null' : typeof value
}
