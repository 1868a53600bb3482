import { readFileSync } from 'node:fs'

/** When a process began, in the kernel's ticks; empty where the system does not say. */
export const beganOf = (pid: number): string => statOf(pid)[19] ?? ''

/**
 * Whether a process has ended but still has its number: one that was killed keeps it until its parent asks after it,
 * and some parents never do.
 */
export function isDefunct(pid: number): boolean {
  const [state] = statOf(pid)
  return state === 'Z' || state === 'X'
}

/** What the kernel says of a process, from its state on. */
function statOf(pid: number): readonly string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  } catch {
    return []
  }
}
