import { styleText } from 'node:util'

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

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan'

/** Colours for people, plain text for pipes; NO_COLOR wins over FORCE_COLOR, and both over the terminal. */
export function painter(terminal: Terminal, isTty: boolean): (style: Style, text: string) => string {
  const { NO_COLOR: no, FORCE_COLOR: force } = terminal.env
  const isColoured = no !== undefined && no !== '' ? false : force !== undefined ? force !== '0' : isTty
  // styleText would ask the process's own streams, which need not be ours.
  return (style, text) => (isColoured ? styleText(style, text, { validateStream: false }) : text)
}
