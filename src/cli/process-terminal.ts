import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { Terminal } from './terminal.ts'

/** Creates the terminal of this process: its streams, its signals and its keyboard. */
export const createProcessTerminal = (): Terminal => ({
  out: (text) => process.stdout.write(text),
  // A reader that has gone away takes nothing more: main.ts ends the process then.
  outTaken: (text) => new Promise((resolve) => process.stdout.write(text, () => resolve())),
  err: (text) => process.stderr.write(text),
  env: process.env,
  cwd: process.cwd(),
  isOutTty: process.stdout.isTTY,
  isErrTty: process.stderr.isTTY,
  readInput: () => readFileSync(0, 'utf8'),
  listenToKeys,
  onStop,
  onInputEnd,
})

/** The signals that end a command. SIGHUP is one, or a closed terminal would leave started programs behind. */
const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** What is to be done at the next signal, or at Ctrl-C where keys are listened to. */
const stopHandles = new Set<() => void>()

/**
 * Calls `listener` at the first signal, for a clean end; the second signal forces one. Returns how to stop listening.
 */
function onStop(listener: () => void): () => void {
  let isAsked = false
  const handle = (): void => {
    if (isAsked) process.exit(130)
    isAsked = true
    listener()
  }
  stopHandles.add(handle)
  for (const signal of stopSignals) process.on(signal, handle)
  return () => {
    stopHandles.delete(handle)
    for (const signal of stopSignals) process.off(signal, handle)
  }
}

/** Calls `listener` when stdin ends or fails. Returns how to stop listening. */
function onInputEnd(listener: () => void): () => void {
  const { stdin } = process
  const ends = ['end', 'error'] as const
  for (const event of ends) stdin.on(event, listener)
  stdin.resume()
  return () => {
    for (const event of ends) stdin.off(event, listener)
    stdin.pause()
  }
}

const [controlC, controlZ] = ['\u0003', '\u001A']

/**
 * Calls `listener` with each key that is pressed. A terminal that sends single keys no longer turns Ctrl-C and Ctrl-Z into
 * signals, so that is done here. Returns how to stop listening; null where there is no keyboard of ours.
 */
function listenToKeys(listener: (key: string) => void): (() => void) | null {
  const { stdin } = process
  if (!stdin.isTTY || !isInForeground()) return null
  const take = (): void => {
    stdin.setRawMode(true)
    stdin.resume()
  }
  const leave = (): void => {
    stdin.setRawMode(false)
    stdin.pause()
  }
  const goOn = (): void => {
    if (isInForeground()) take()
  }
  const handle = (bytes: Buffer): void => {
    for (const key of bytes.toString('utf8')) {
      if (key === controlC) for (const stop of [...stopHandles]) stop()
      else if (key === controlZ && process.platform !== 'win32') {
        leave()
        // The whole group stops, as at a terminal's own Ctrl-Z: the shell waits for npx, which waits for this.
        process.kill(0, 'SIGTSTP')
      } else listener(key)
    }
  }
  process.on('SIGCONT', goOn)
  stdin.on('data', handle)
  take()
  return () => {
    process.off('SIGCONT', goOn)
    stdin.off('data', handle)
    leave()
  }
}

/**
 * Returns whether this process may read its terminal. A process that runs in the background, as after `otcsim serve &`,
 * would be stopped for it by the system.
 */
function isInForeground(): boolean {
  if (process.platform === 'win32') return true
  try {
    const [group, owner] = readTerminalGroups()
    return group !== undefined && group === owner
  } catch {
    return false
  }
}

/** Returns the process group of this process, and the one that its terminal belongs to. */
function readTerminalGroups(): readonly (string | undefined)[] {
  if (process.platform !== 'linux') {
    const words = ['-o', 'pgid=,tpgid=', '-p', String(process.pid)]
    return execFileSync('ps', words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
      .trim()
      .split(/\s+/)
  }
  // The name of the program, in parentheses, may hold spaces. After it: state, parent, group, session, terminal, owner.
  const fields = readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
  return [fields[2], fields[5]]
}
