import { isMainThread } from 'node:worker_threads'
import type { StrategyError } from './strategy-answers.ts'

/** Other things keep a thread alive, so the promise has to be checked from time to time. */
const lookMillis = 1000

/** The ports that a sweep's thread always holds open, to talk to the command. */
const ownPorts = 2
const outputs = ['PipeWrap', 'TTYWrap']

export interface Waiting {
  readonly open: object | null
  abandoned(): StrategyError | null
}

/**
 * The work, or a rejection once a hook waits for a promise that nothing is left to settle: otherwise the process
 * would end without a word, and a thread of a sweep would never end. A timer, a socket or a file under way is waited
 * for.
 */
export async function untilAbandoned(work: Promise<void>, waiting: Waiting): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  let giveUp = (): void => undefined
  const abandoned = new Promise<never>((_, reject) => {
    giveUp = () => {
      const failure = waiting.abandoned()
      if (failure !== null) reject(failure)
    }
  })
  process.on('beforeExit', giveUp)
  if (!isMainThread) timer = lookedAfter(waiting, giveUp)
  try {
    await Promise.race([work, abandoned])
  } finally {
    process.off('beforeExit', giveUp)
    clearInterval(timer)
  }
}

/** Gives up after two looks that find the same wait, with nothing under way at either. */
function lookedAfter(waiting: Waiting, giveUp: () => void): NodeJS.Timeout {
  let before: object | null = null
  const timer = setInterval(() => {
    const open = isIdle() ? waiting.open : null
    if (open !== null && open === before) giveUp()
    before = open
  }, lookMillis)
  return timer.unref()
}

function isIdle(): boolean {
  const under = process.getActiveResourcesInfo().filter((kind) => !outputs.includes(kind))
  return under.length <= ownPorts && under.every((kind) => kind === 'MessagePort')
}
