import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/**
 * An order to the worker: run these tests in order, with this text instead of the file's own; unchanged without a path.
 */
export interface Order {
  readonly path: string | null
  readonly text: string
  readonly tests: readonly string[]
}

/** A message of the worker. */
export type Told =
  | { readonly kind: 'ready' }
  | { readonly kind: 'file'; readonly test: string; readonly state: string; readonly millis: number }
  /** Each second while tests run: processor time of the whole worker. */
  | { readonly kind: 'busy'; readonly millis: number }
  | { readonly kind: 'end'; readonly errors: number }

/** How a run of tests ended: all passed, one failed (null when none started), or one did not end. */
export interface Ended {
  readonly kind: 'passed' | 'failed' | 'late'
  readonly test: string | null
  readonly millisOf: ReadonlyMap<string, number>
}

const worker = fileURLToPath(new URL('./worker.ts', import.meta.url))
/** Limit by the wall clock: half an hour. */
const maximumMillis = 1_800_000

/** A worker process that is started when it is needed, and again when a run had to be killed. */
export class Session {
  private child: ChildProcess | null = null

  /**
   * Runs the tests until one fails. `patienceOf` is the processor time in milliseconds that a test file may take before
   * it counts as endless. Wall time would depend on what else the machine does.
   */
  async run(order: Order, patienceOf: (test: string) => number): Promise<Ended> {
    // What a mutant leaves behind may end the worker between two runs.
    const child = this.child?.connected ? this.child : await this.start()
    return new Promise((resolve, reject) => {
      const millisOf = new Map<string, number>()
      let failed: string | null = null
      let busyBefore: number | null = null
      const current = () => order.tests.find((test) => !millisOf.has(test)) ?? null
      const end = (kind: Ended['kind'], test: string | null) => {
        clearTimeout(clock)
        child.off('message', hear)
        child.off('exit', gone)
        resolve({ kind, test, millisOf })
      }
      const gone = () => {
        this.child = null
        end('failed', failed ?? current())
      }
      const giveUp = () => {
        child.off('exit', gone)
        this.close()
        end(failed === null ? 'late' : 'failed', failed ?? current())
      }
      const clock = setTimeout(giveUp, maximumMillis)
      const hear = (message: unknown) => {
        const told: Told = JSON.parse(String(message))
        switch (told.kind) {
          case 'end':
            if (failed !== null) end('failed', failed)
            else if (told.errors > 0) end('failed', current())
            else end('passed', null)
            return
          case 'file':
            busyBefore = null
            if (told.state === 'passed') millisOf.set(told.test, told.millis)
            else if (told.state === 'failed') failed ??= told.test
            return
          case 'busy':
            busyBefore ??= told.millis
            if (told.millis - busyBefore > patienceOf(current() ?? '')) giveUp()
        }
      }
      child.on('message', hear)
      child.on('exit', gone)
      child.send(JSON.stringify(order), (error) => error !== null && reject(error))
    })
  }

  close(): void {
    this.child?.kill('SIGKILL')
    this.child = null
  }

  private async start(): Promise<ChildProcess> {
    const child = fork(worker, {
      execArgv: ['--import', 'tsx', '--max-old-space-size=2048'],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    this.child = child
    await new Promise<void>((resolve, reject) => {
      child.once('message', () => resolve())
      child.once('exit', (code) => reject(new Error(`the worker ended with ${code} before it was ready`)))
    })
    return child
  }
}
