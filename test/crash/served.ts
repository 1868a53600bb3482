import { type ChildProcess, spawn } from 'node:child_process'

/** The built command, serving in its own process. */
export interface Served {
  readonly url: string
  readonly child: ChildProcess
  /** The exit code; null after a signal. */
  readonly ended: Promise<number | null>
  readonly errors: () => string
}

export interface Command {
  readonly program: string
  readonly words: readonly string[]
}

/** Resolves when it is ready, and rejects when it exits before. */
export function serveApart({ program, words }: Command): Promise<Served> {
  const child = spawn(program, [...words], { stdio: ['ignore', 'pipe', 'pipe'] })
  let out = ''
  let err = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text
  })
  const ended = new Promise<number | null>((settle) => {
    child.once('close', (code) => settle(code))
  })
  return new Promise((settle, fail) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text
      const end = out.indexOf('\n')
      if (end === -1) return
      const ready: { readonly url?: string } = JSON.parse(out.slice(0, end))
      settle({ url: ready.url ?? '', child, ended, errors: () => err })
    })
    ended.then((code) => fail(new Error(`ended with ${code} before it was ready: ${err}`)))
  })
}
