import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { isDefunct } from '../../world/process-state.ts'

export type Lock =
  | { readonly ok: true; readonly release: () => void }
  | { readonly ok: false; readonly problem: string }

/** Keeps a second process away from a store. A lock whose process is gone, for example killed, is taken over. */
export function lockStore(path: string): Lock {
  const file = `${path}.lock`
  for (let attempt = 0; attempt < 2; attempt += 1) {
    try {
      const descriptor = openSync(file, 'wx')
      try {
        writeSync(descriptor, String(process.pid))
      } catch (error) {
        rmSync(file, { force: true })
        throw error
      } finally {
        closeSync(descriptor)
      }
      return { ok: true, release: () => rmSync(file, { force: true }) }
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
      const holder = holderOf(file)
      if (holder !== null) {
        return { ok: false, problem: `${path} is in use by the process ${holder}` }
      }
      rmSync(file, { force: true })
    }
  }
  return { ok: false, problem: `${path} is in use` }
}

/** The living process that holds a lock, or null. */
function holderOf(file: string): number | null {
  const holder = Number(readFileSync(file, 'utf8'))
  // An empty lock was left by a process that was killed before writing it; our own is from a store that was not
  // closed.
  if (!Number.isSafeInteger(holder) || holder <= 0) return null
  try {
    process.kill(holder, 0)
    return isDefunct(holder) ? null : holder
  } catch (error) {
    // No permission to signal it means that it lives.
    return error instanceof Error && 'code' in error && error.code === 'EPERM' ? holder : null
  }
}
