import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { constants } from 'node:os'
import { systemReason, usageFailure } from './failure.ts'

export interface ChildEnd {
  /** The exit code as a shell has it: 128 and the signal's number when a signal ended it. */
  readonly code: number
  readonly isTimeout: boolean
}

export interface ChildOptions {
  readonly cwd: string
  readonly env: { readonly [name: string]: string | undefined }
  /** Null: as long as it takes. */
  readonly timeoutMillis: number | null
  /** Told all its output; null: it has our own terminal. */
  readonly onOutput: ((text: string, isErr: boolean) => void) | null
  /** How long it may take to end once it is asked to; for ever by default. */
  readonly graceMillis?: number
  /** Given the function that ends it early; answers how to stop listening. */
  readonly onStop: (listener: () => void) => () => void
}

/**
 * Runs a program with its arguments, or a line for the system's shell, to its end. Fails when there is no such program.
 */
export function runChild(command: readonly string[] | string, options: ChildOptions): Promise<ChildEnd> {
  const { onOutput: said, timeoutMillis } = options
  return new Promise((settle, fail) => {
    const child = start(command, options)
    let isTimeout = false
    const end = (signal: NodeJS.Signals) => {
      try {
        if (child.pid === undefined) return
        if (isWindows) killTree(child.pid)
        else if (said === null) child.kill(signal)
        else process.kill(-child.pid, signal)
      } catch {} // it has ended by itself
    }
    const timer =
      timeoutMillis === null
        ? null
        : setTimeout(() => {
            isTimeout = true
            end('SIGKILL')
          }, timeoutMillis)
    let grace: NodeJS.Timeout | null = null
    const stopListening = options.onStop(() => {
      end('SIGTERM')
      if (options.graceMillis !== undefined) grace ??= setTimeout(() => end('SIGKILL'), options.graceMillis)
    })
    child.stdout?.setEncoding('utf8').on('data', (text: string) => said?.(text, false))
    child.stderr?.setEncoding('utf8').on('data', (text: string) => said?.(text, true))
    const finish = (): void => {
      if (timer !== null) clearTimeout(timer)
      if (grace !== null) clearTimeout(grace)
      stopListening()
    }
    child.once('error', (error) => {
      finish()
      const program = typeof command === 'string' ? command : command[0]
      fail(usageFailure(`cannot run ${program}: ${systemReason(error)}`))
    })
    child.once('close', (code, signal) => {
      finish()
      settle({ code: code ?? 128 + (signal === null ? 0 : constants.signals[signal]), isTimeout })
    })
  })
}

const isWindows = process.platform === 'win32'

function start(
  command: readonly string[] | string,
  { onOutput: said, cwd, env }: ChildOptions,
): ChildProcess {
  const options: SpawnOptions = {
    cwd,
    env,
    stdio: said === null ? 'inherit' : ['ignore', 'pipe', 'pipe'],
    // A group of its own, so that what it has started ends with it. Windows has no groups, and would open a window.
    detached: said !== null && !isWindows,
    windowsHide: true,
  }
  if (typeof command === 'string') return spawn(command, { ...options, shell: true })
  // There npm, npx and most tools that npm installs are no programs but scripts of the shell.
  if (isWindows) return spawn(formatWindowsLine(command), { ...options, shell: true })
  const [program = '', ...rest] = command
  return spawn(program, rest, options)
}

/** Words as one line for the shell of Windows: programs read a doubled quote within quotes as one, and it does too. */
export function formatWindowsLine(words: readonly string[]): string {
  const quoteWord = (word: string): string => {
    // Backslashes count double before a quote, and only there.
    const escaped = word.replace(/(\\*)"/g, '$1$1""').replace(/\\+$/, '$&$&')
    return `"${escaped}"`
  }
  return words.map((word) => (/^[\w@+:./\\-]+$/.test(word) ? word : quoteWord(word))).join(' ')
}

/** Windows has no signals: the shell would end, and leave what it has started. */
function killTree(pid: number): void {
  spawn('taskkill', ['/pid', String(pid), '/t', '/f'], { stdio: 'ignore' }).once('error', () => {})
}
