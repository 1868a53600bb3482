import { millisToIso } from '../numeric/time-text.ts'
import type { Progress } from '../scenario/run/run-scenario.ts'
import type { Terminal } from './terminal.ts'

/** Shorter runs show no progress, in wall time: on a terminal, and in a pipe. */
const quietMillis = { terminal: 500, pipe: 3000 }

/** Progress on stderr: on a terminal one line that changes, in a pipe a line for each tenth. */
export function progressLine(
  terminal: Terminal,
  name: string,
): { readonly tell: Progress; readonly end: () => void } {
  const startedAt = performance.now()
  let tellsAgainAt = 0
  let tenth = 0
  let isShown = false
  const tell: Progress = (done, nowMillis) => {
    const elapsed = performance.now() - startedAt
    if (elapsed < (terminal.isErrTty ? quietMillis.terminal : quietMillis.pipe)) return
    const left = (elapsed / Math.max(done, 0.001)) * (1 - done)
    const text = `${name}  ${Math.floor(done * 100)}%  ${millisToIso(nowMillis)}  ${Math.ceil(left / 1000)} s left`
    if (terminal.isErrTty) {
      if (elapsed < tellsAgainAt) return
      tellsAgainAt = elapsed + 100
      isShown = true
      terminal.err(`\r\u001B[2K${text}`)
    } else if (Math.floor(done * 10) > tenth) {
      tenth = Math.floor(done * 10)
      terminal.err(`${text}\n`)
    }
  }
  const end = () => {
    if (isShown) terminal.err('\r\u001B[2K')
  }
  return { tell, end }
}
