import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { expect, onTestFinished } from 'vitest'

export interface ProcessToKill {
  readonly pid: number
  /** When it began, in the kernel's ticks. */
  readonly began: string
  /** Resolves when it has ended, and only its number is left. */
  kill(): Promise<void>
}

/** A process of Linux whose parent never asks after it. */
export async function processToKill(): Promise<ProcessToKill> {
  // The shell becomes a program that knows of no child.
  const parent = spawn('sh', ['-c', 'sleep 30 & echo $!; exec sleep 30'])
  onTestFinished(() => {
    parent.kill()
  })
  const [printed] = await once(parent.stdout, 'data')
  const pid = Number(String(printed))
  const facts = () => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  const kill = async () => {
    process.kill(pid, 'SIGKILL')
    await expect.poll(() => facts()[0]).toBe('Z')
  }
  return { pid, began: facts()[19] ?? '', kill }
}
