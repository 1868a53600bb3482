import { styleText } from 'node:util'
import { millisToIso } from '../numeric/time-text.ts'
import type { Progress } from '../scenario/run/run-scenario.ts'

/** Where a command reads and writes: the process, or buffers in tests. */
export interface Terminal {
  /** The result, and nothing else. */
  readonly out: (text: string) => void
  /** Everything else: banner, progress, errors. */
  readonly err: (text: string) => void
  readonly env: { readonly [name: string]: string | undefined }
  readonly cwd: string
  /** Whether stdout and stderr are terminals, with people in front of them. */
  readonly isOutTty: boolean
  readonly isErrTty: boolean
  /** Everything on stdin, for `-d -`. */
  readonly readInput: () => string
  /** Calls back at the first request to end (SIGINT, SIGTERM, SIGHUP); answers how to stop listening for it. */
  readonly onStop: (listener: () => void) => () => void
}

/** Aborted at the first request to end; the caller says when it no longer listens. */
export function createStopSignal(terminal: Terminal): {
  readonly signal: AbortSignal
  readonly ignore: () => void
} {
  const stop = new AbortController()
  return { signal: stop.signal, ignore: terminal.onStop(() => stop.abort()) }
}

/** A result for programs: a line, or laid out for people as well. */
export const jsonLine = (value: unknown): string => `${JSON.stringify(value)}\n`
export const jsonText = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

/** `1 fill`, `2 fills`. */
export const formatCount = (count: number, noun: string): string =>
  `${count} ${noun}${count === 1 ? '' : 's'}`

export type Paint = (style: Style, text: string) => string

type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan'

/** Colours for people, plain text for pipes; NO_COLOR wins over FORCE_COLOR, and both over the terminal. */
export function createPainter(terminal: Terminal, isTty: boolean): Paint {
  const { NO_COLOR: no, FORCE_COLOR: force } = terminal.env
  const isColoured = no !== undefined && no !== '' ? false : force !== undefined ? force !== '0' : isTty
  // styleText would ask the process's own streams, which need not be ours.
  return (style, text) => (isColoured ? styleText(style, text, { validateStream: false }) : text)
}

/** Shorter work shows nothing, in wall time: on a terminal, and in a pipe. */
const quietMillis = { terminal: 500, pipe: 3000 }

const clearLine = '\r\u001B[2K'
/** A line that is wider than the terminal would go on in the next one, which is not cleared. */
const [wrapOff, wrapOn] = ['\u001B[?7l', '\u001B[?7h']

/**
 * A line on stderr: on a terminal it changes, in a pipe there is one for each tenth. It is told how much is done, 0 to 1,
 * and what to say about it.
 */
export function startStatusLine(terminal: Terminal) {
  const startedAt = performance.now()
  let nextUpdateAt = terminal.isErrTty ? quietMillis.terminal : quietMillis.pipe
  let tenth = 0
  let isShown = false
  const tell = (done: number, text: () => string): void => {
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
  }
  return { tell, end }
}

/** How far a run is in its own time, and how much longer it takes. */
export function startProgressLine(terminal: Terminal, name: string) {
  const startedAt = performance.now()
  const line = startStatusLine(terminal)
  const tell: Progress = (done, nowMillis) =>
    line.tell(done, () => {
      const left = ((performance.now() - startedAt) / Math.max(done, 0.001)) * (1 - done)
      const seconds = Math.ceil(left / 1000)
      return `${name}  ${Math.floor(done * 100)}%  ${millisToIso(nowMillis)}  ${seconds} s left`
    })
  return { tell, end: line.end }
}
