import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { CliFailure, exitCode, systemReason } from './failure.ts'

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
  readonly said: ((text: string, isErr: boolean) => void) | null
  /** How long it may take to end once it is asked to; for ever by default. */
  readonly graceMillis?: number
  /** Given the function that ends it early; answers how to stop listening. */
  readonly onStop: (listener: () => void) => () => void
}

/** Runs a program to its end. Fails when there is no such program. */
export function runChild(words: readonly string[], options: ChildOptions): Promise<ChildEnd> {
  const [program = '', ...rest] = words
  const { said, timeoutMillis } = options
  return new Promise((settle, fail) => {
    const child = spawn(program, rest, {
      cwd: options.cwd,
      env: options.env,
      stdio: said === null ? 'inherit' : ['ignore', 'pipe', 'pipe'],
      // A group of its own, so that what it has started ends with it.
      detached: said !== null,
    })
    let isTimeout = false
    const end = (signal: NodeJS.Signals) => {
      try {
        if (said === null || child.pid === undefined) child.kill(signal)
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
    const silence = options.onStop(() => {
      end('SIGTERM')
      if (options.graceMillis !== undefined) grace ??= setTimeout(() => end('SIGKILL'), options.graceMillis)
    })
    child.stdout?.setEncoding('utf8').on('data', (text: string) => said?.(text, false))
    child.stderr?.setEncoding('utf8').on('data', (text: string) => said?.(text, true))
    const finish = (): void => {
      if (timer !== null) clearTimeout(timer)
      if (grace !== null) clearTimeout(grace)
      silence()
    }
    child.once('error', (error) => {
      finish()
      fail(new CliFailure(exitCode.usage, `cannot run ${program}: ${systemReason(error)}`))
    })
    child.once('close', (code, signal) => {
      finish()
      settle({ code: code ?? 128 + (signal === null ? 0 : constants.signals[signal]), isTimeout })
    })
  })
}
