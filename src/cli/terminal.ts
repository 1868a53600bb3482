import { styleText } from 'node:util'
import { millisToIso } from '../numeric/time-text.ts'
import type { Progress } from '../scenario/run/run-scenario.ts'

/** What a command reads from and writes to: the process, or buffers in tests. */
export interface Terminal {
  /** Writes to stdout, which carries the result and nothing else. */
  readonly out: (text: string) => void
  /** Writes to stdout, and resolves when the reader has taken it: a long text in pieces then never waits in memory. */
  readonly outTaken: (text: string) => Promise<void>
  /** Writes to stderr, which carries everything else: banner, progress, errors. */
  readonly err: (text: string) => void
  readonly env: { readonly [name: string]: string | undefined }
  readonly cwd: string
  /** Whether stdout is a terminal; `isErrTty` says so of stderr. */
  readonly isOutTty: boolean
  readonly isErrTty: boolean
  /** Reads all of stdin. */
  readonly readInput: () => string
  /**
   * Calls `listener` with each key that is pressed. Returns how to stop listening; null where stdin is no terminal, or
   * belongs to another program because this one runs in the background.
   */
  readonly listenToKeys: (listener: (key: string) => void) => (() => void) | null
  /** Calls `listener` at the first SIGINT, SIGTERM or SIGHUP. Returns how to stop listening. */
  readonly onStop: (listener: () => void) => () => void
  /** Calls `listener` when stdin ends, whose content is thrown away. Returns how to stop listening. */
  readonly onInputEnd: (listener: () => void) => () => void
}

/** Creates a signal that aborts at the first request to stop. `ignore` stops listening. */
export function createStopSignal(terminal: Terminal): {
  readonly signal: AbortSignal
  readonly ignore: () => void
} {
  const stop = new AbortController()
  return { signal: stop.signal, ignore: terminal.onStop(() => stop.abort()) }
}

/** Formats a result for programs as one line of JSON. */
export const jsonLine = (value: unknown): string => `${JSON.stringify(value)}\n`

/**
 * Writes a result for programs as one line of JSON, in pieces: the text of a long run does not fit into one string. The
 * bytes are those of `jsonLine`.
 */
export async function writeJsonLine(terminal: Pick<Terminal, 'outTaken'>, value: object): Promise<void> {
  let text = ''
  for (const piece of listJsonPieces(value)) {
    text += piece
    if (text.length < charactersAtOnce) continue
    await terminal.outTaken(text)
    text = ''
  }
  await terminal.outTaken(`${text}\n`)
}

const charactersAtOnce = 65_536
const itemsAtOnce = 1000

/**
 * Yields the JSON of plain data in pieces: long lists some items at a time, everything else by its parts. What can be
 * iterated and is no list becomes one.
 */
function* listJsonPieces(value: unknown): Generator<string> {
  if (Array.isArray(value)) {
    yield '['
    for (let from = 0; from < value.length; from += itemsAtOnce) {
      if (from > 0) yield ','
      if (value.length > itemsAtOnce) yield JSON.stringify(value.slice(from, from + itemsAtOnce)).slice(1, -1)
      else yield* joinPieces(value.map((item) => listJsonPieces(item)))
    }
    yield ']'
  } else if (isIterable(value)) {
    yield '['
    yield* listItems(value)
    yield ']'
  } else if (typeof value === 'object' && value !== null) {
    yield '{'
    const fields = Object.entries(value).filter(([, field]) => field !== undefined)
    yield* joinPieces(fields.map(([key, field]) => listField(key, field)))
    yield '}'
  } else yield JSON.stringify(value) ?? 'null'
}

const isIterable = (value: unknown): value is Iterable<unknown> =>
  typeof value === 'object' && value !== null && Symbol.iterator in value

/** Yields items that may be made as they are read, of which it keeps only some at a time. */
function* listItems(items: Iterable<unknown>): Generator<string> {
  let kept: unknown[] = []
  let comma = ''
  for (const item of items) {
    kept.push(item)
    if (kept.length < itemsAtOnce) continue
    yield comma + JSON.stringify(kept).slice(1, -1)
    kept = []
    comma = ','
  }
  if (kept.length > 0) yield comma + JSON.stringify(kept).slice(1, -1)
}

function* listField(key: string, value: unknown): Generator<string> {
  yield `${JSON.stringify(key)}:`
  yield* listJsonPieces(value)
}

function* joinPieces(parts: readonly Generator<string>[]): Generator<string> {
  for (const [place, part] of parts.entries()) {
    if (place > 0) yield ','
    yield* part
  }
}

/** Formats a result as indented JSON, which people can read as well. */
export const jsonText = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

/** Formats a count with its noun: `1 fill`, `2 fills`. */
export const formatCount = (count: number, noun: string): string =>
  `${count} ${noun}${count === 1 ? '' : 's'}`

export type Paint = (style: Style, text: string) => string

type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan'

/**
 * Creates a painter: colours for terminals, plain text for pipes. NO_COLOR wins over FORCE_COLOR, and both over
 * `isTty`.
 */
export function createPainter(terminal: Terminal, isTty: boolean): Paint {
  const { NO_COLOR: no, FORCE_COLOR: force } = terminal.env
  const isColoured = no !== undefined && no !== '' ? false : force !== undefined ? force !== '0' : isTty
  // Without this option, styleText would check the process's own stdout.
  return (style, text) => (isColoured ? styleText(style, text, { validateStream: false }) : text)
}

/** The wall time before progress is shown, in milliseconds, so that short work shows none. */
const quietMillis = { terminal: 500, pipe: 3000 }

const clearLine = '\r\u001B[2K'
/** Switches line wrapping off and on: a wrapped line would not be cleared whole. */
const [wrapOff, wrapOn] = ['\u001B[?7l', '\u001B[?7h']

/**
 * Starts a status line on stderr. A terminal shows one changing line, a pipe a line for each tenth. `update` takes the
 * share that is done, 0 to 1, and the text.
 */
export function startStatusLine(terminal: Terminal) {
  const startedAt = performance.now()
  let nextUpdateAt = terminal.isErrTty ? quietMillis.terminal : quietMillis.pipe
  let tenth = 0
  let isShown = false
  const update = (done: number, text: () => string): void => {
    const elapsed = performance.now() - startedAt
    if (elapsed < nextUpdateAt) return
    if (terminal.isErrTty) {
      nextUpdateAt = elapsed + 100
      isShown = true
      terminal.err(`${clearLine}${wrapOff}${text()}${wrapOn}`)
    } else if (Math.floor(done * 10) > tenth) {
      tenth = Math.floor(done * 10)
      terminal.err(`${text()}\n`)
    }
  }
  const end = (): void => {
    if (isShown) terminal.err(clearLine)
    isShown = false
  }
  return { update, end }
}

/** Starts a progress line that shows a run's virtual time and the remaining wall time. */
export function startProgressLine(terminal: Terminal, name: string) {
  const startedAt = performance.now()
  const line = startStatusLine(terminal)
  const update: Progress = (done, nowMillis) =>
    line.update(done, () => {
      const left = ((performance.now() - startedAt) / Math.max(done, 0.001)) * (1 - done)
      const seconds = Math.ceil(left / 1000)
      return `${name}  ${Math.floor(done * 100)}%  ${millisToIso(nowMillis)}  ${seconds} s left`
    })
  return { update, end: line.end }
}

/** How far some work of many parts is. */
interface PartCount {
  readonly done: number
  readonly of: number
  readonly failed: number
  /** How many of the done ones were known before, and cost no time; 0 when left out. */
  readonly known?: number
}

/**
 * Starts a line on stderr that says how many parts are done, how many of them failed, and about when the rest will be.
 * A terminal shows one changing line, a pipe a line for each tenth of what takes long, and the terminal of a CI job,
 * whose log keeps every line, nothing. `clear` makes room for other output.
 */
export function startCountLine(terminal: Terminal, parts: string) {
  const startedAt = performance.now()
  const isKept = terminal.isErrTty && (terminal.env['CI'] ?? '') !== ''
  const line = isKept ? null : startStatusLine(terminal)
  const update = ({ done, of, failed, known = 0 }: PartCount, more = ''): void =>
    line?.update(done / of, () => {
      const left = ((of - done) * (performance.now() - startedAt)) / Math.max(1, done - known)
      return [`${done} of ${of} ${parts}`, `${failed} failed`, `${Math.ceil(left / 1000)} s left`, more]
        .filter((word) => word !== '')
        .join('  ')
    })
  const clear = (): void => line?.end()
  return { update, clear }
}
