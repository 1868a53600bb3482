import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { runProgram } from '../../src/cli/main.ts'
import type { Terminal } from '../../src/cli/terminal.ts'

export const repository: string = fileURLToPath(new URL('../..', import.meta.url))

export interface Finished {
  readonly code: number
  readonly out: string
  readonly err: string
}

export interface TerminalOptions {
  readonly env?: { readonly [name: string]: string }
  readonly cwd?: string
  readonly input?: string
  /** Aborted when the user asks the command to end. */
  readonly stop?: AbortSignal
}

/** Runs a command in this process, as a shell in the repository would, and returns its output. */
export async function otcsim(words: readonly string[], options: TerminalOptions = {}): Promise<Finished> {
  const { terminal, output: said } = bufferTerminal(options)
  const code = await runProgram(words, terminal)
  return { code, ...said() }
}

export interface Served {
  readonly url: string
  readonly ready: { readonly [name: string]: unknown }
  readonly finished: () => Promise<Finished>
}

/** Starts `serve` with these arguments in this process, until the end of the test. */
export async function serve(
  words: readonly string[],
  options: TerminalOptions = {},
  command: readonly string[] = ['serve', '--json'],
): Promise<Served> {
  let stop = () => {}
  let ready: (line: string) => void = () => {}
  const readyLine = new Promise<string>((resolve) => {
    ready = resolve
  })
  const { terminal, output: said } = bufferTerminal(options, {
    out: (text) => ready(text),
    onStop: (listener) => {
      stop = listener
      return () => {}
    },
  })
  const running = runProgram([...command, ...words], terminal)
  const ended = running.then((code) => `ended with ${code}: ${said().err}`)
  const first = await Promise.race([readyLine, ended])
  if (!first.startsWith('{')) throw new Error(first)
  const details: unknown = JSON.parse(first)
  if (
    typeof details !== 'object' ||
    details === null ||
    !('url' in details) ||
    typeof details.url !== 'string'
  ) {
    throw new Error(`no ready line: ${first}`)
  }
  const finished = async (): Promise<Finished> => {
    stop()
    const code = await running
    return { code, ...said() }
  }
  onTestFinished(async () => {
    await finished()
  })
  return { url: details.url, ready: { ...details }, finished }
}

/** Four-hour candles of 340 days: a slow rise, and one bad print that opens at 0.06. */
export function candleCsv(): string {
  const rows = ['ts_ms,open,high,low,close,volume']
  for (let index = 0; index < 340 * 6; index += 1) {
    const price = 400 + index / 10
    const isBad = index === 1900
    const open = isBad ? 0.06 : price
    rows.push(
      [
        1_463_544_000_000 + index * 14_400_000,
        open,
        price + 3,
        Math.min(open, price - 3),
        price + 0.1,
        500,
      ].join(),
    )
  }
  return rows.join('\n')
}

interface Buffered {
  readonly terminal: Terminal
  readonly output: () => { readonly out: string; readonly err: string }
}

export function bufferTerminal(
  { env = {}, cwd = repository, input = '', stop }: TerminalOptions,
  hooks: { out?: (text: string) => void; onStop?: Terminal['onStop'] } = {},
): Buffered {
  let out = ''
  let err = ''
  const terminal: Terminal = {
    out: (text) => {
      out += text
      hooks.out?.(text)
    },
    outTaken: async (text) => {
      out += text
    },
    err: (text) => {
      err += text
    },
    env,
    cwd,
    isOutTty: false,
    isErrTty: false,
    listenToKeys: () => null,
    readInput: () => input,
    onInputEnd: () => () => {},
    onStop:
      hooks.onStop ??
      ((listener) => {
        stop?.addEventListener('abort', listener)
        return () => stop?.removeEventListener('abort', listener)
      }),
  }
  return { terminal, output: () => ({ out, err }) }
}
