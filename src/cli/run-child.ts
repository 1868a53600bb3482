import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { constants } from 'node:os'
import { systemReason, usageFailure } from './failure.ts'

export interface ChildEnd {
  /** The exit code, as shells give it: 128 plus the signal's number when a signal ended the program. */
  readonly code: number
  readonly isTimeout: boolean
}

export interface ChildOptions {
  readonly cwd: string
  readonly env: { readonly [name: string]: string | undefined }
  /** The real time after which the program is killed; null for no limit. */
  readonly timeoutMillis: number | null
  /** Receives all output. Null lets the program inherit this process's terminal. */
  readonly onOutput: ((text: string, isErr: boolean) => void) | null
  /** How long the program may take to end after SIGTERM before it is killed. Without it there is no limit. */
  readonly graceMillis?: number
  /** Registers the function that ends the program early. Returns how to unregister it. */
  readonly onStop: (listener: () => void) => () => void
}

/**
 * Runs a program with its arguments, or a line of the system's shell. Settles when it has ended; fails if it cannot
 * start.
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
      } catch {} // It has already ended.
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
    // In its own process group, its children end with it. Windows has no groups, and would open a window.
    detached: said !== null && !isWindows,
    windowsHide: true,
  }
  if (typeof command === 'string') return spawn(command, { ...options, shell: true })
  // On Windows, npm, npx and most tools that npm installs are scripts of the shell.
  if (isWindows) return spawn(formatWindowsLine(command), { ...options, shell: true })
  const [program = '', ...rest] = command
  return spawn(program, rest, options)
}

/** Formats words as one line for the Windows shell. A doubled quote within quotes stands for one quote. */
export function formatWindowsLine(words: readonly string[]): string {
  const quoteWord = (word: string): string => {
    // Only backslashes before a quote must be doubled.
    const escaped = word.replace(/(\\*)"/g, '$1$1""').replace(/\\+$/, '$&$&')
    return `"${escaped}"`
  }
  return words.map((word) => (/^[\w@+:./\\-]+$/.test(word) ? word : quoteWord(word))).join(' ')
}

/** Ends a process and its children on Windows, where killing the shell would leave its children running. */
function killTree(pid: number): void {
  spawn('taskkill', ['/pid', String(pid), '/t', '/f'], { stdio: 'ignore' }).once('error', () => {})
}
