import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, readlinkSync, realpathSync } from 'node:fs'
import { expect, onTestFinished } from 'vitest'
import { programPath } from './program-path.ts'

/**
 * A killed process that its parent never waits for (a zombie), with its start time in the kernel's ticks. On systems
 * without /proc, a process that has ended. Its test has the tag `sh`.
 */
export async function killedProcess(): Promise<{ readonly pid: number; readonly began: string }> {
  if (process.platform !== 'linux') return { pid: spawnSync(process.execPath, ['-v']).pid, began: '1' }
  // The shell replaces itself by a program that never waits for the child.
  const sleep = [process.execPath, '-e', 'setTimeout(() => {}, 30_000)'] as const
  const parent = spawn(programPath('sh'), ['-c', '"$0" "$@" & echo $!; exec "$0" "$@"', ...sleep])
  onTestFinished(() => {
    parent.kill()
  })
  const [printed] = await once(parent.stdout, 'data')
  const pid = Number(String(printed))
  const facts = () => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  const began = facts()[19] ?? ''
  // Until it has done so, the shell would still wait for its child.
  const isShellGone = () => readlinkSync(`/proc/${parent.pid}/exe`) === realpathSync(process.execPath)
  await expect.poll(isShellGone).toBe(true)
  process.kill(pid, 'SIGKILL')
  await expect.poll(() => facts()[0]).toBe('Z')
  return { pid, began }
}
