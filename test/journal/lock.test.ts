import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { lockPath } from '../../src/journal/lock.ts'
import { killedProcess } from '../support/killed-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const place = () => join(temporaryFolder(), 'a.journal')

it('is given to one of many that ask at once, and to another after its release', async () => {
  const path = place()
  for (let round = 0; round < 5; round += 1) {
    const answers = await Promise.all(Array.from({ length: 8 }, () => lockPath(path)))
    const had = answers.filter((answer) => answer.ok)
    expect(had).toHaveLength(1)
    for (const answer of had) answer.lock.release()
    expect(existsSync(`${path}.lock`)).toBe(false)
  }
})

it('names its holder', async () => {
  const path = place()
  const first = await lockPath(path)
  expect(await lockPath(path)).toEqual({ ok: false, owner: process.pid })
  if (first.ok) first.lock.release()
})

it('is released without an error in a folder that can no longer be written to', async () => {
  const path = place()
  const folder = dirname(path)
  const taken = await lockPath(path)
  chmodSync(folder, 0o555)
  try {
    withoutPrivileges(() => {
      expect(() => writeFileSync(path, '')).toThrow('EACCES')
      if (taken.ok) taken.lock.release()
    })
  } finally {
    chmodSync(folder, 0o755)
  }
  expect(existsSync(`${path}.lock`)).toBe(true)
})

it.each([
  [
    'a process that has ended',
    () => ({ pid: spawnSync(process.execPath, ['-v']).pid, began: '1', nonce: 'x' }),
  ],
  ['another process with the same number', () => ({ pid: process.ppid, began: '1', nonce: 'x' })],
  ['unreadable content', () => 'rubbish'],
])('is taken from %s', async (_who, owner) => {
  const path = place()
  writeFileSync(`${path}.lock`, JSON.stringify(owner()))
  const taken = await lockPath(path)
  expect(taken.ok).toBe(true)
  expect(JSON.parse(readFileSync(`${path}.lock`, 'utf8')).pid).toBe(process.pid)
  if (taken.ok) taken.lock.release()
})

it('is taken from a killed process that its parent has not waited for', { tags: ['sh'] }, async () => {
  const path = place()
  writeFileSync(`${path}.lock`, JSON.stringify({ ...(await killedProcess()), nonce: 'x' }))
  const taken = await lockPath(path)
  expect(taken.ok).toBe(true)
  if (taken.ok) taken.lock.release()
})

it('is left to a running process on a system that does not report start times', async () => {
  const path = place()
  const owner = JSON.stringify({ pid: process.ppid, began: '', nonce: 'x' })
  writeFileSync(`${path}.lock`, owner)
  expect(await lockPath(path)).toEqual({ ok: false, owner: process.ppid })
  expect(readFileSync(`${path}.lock`, 'utf8')).toBe(owner)
})

/** Runs a function as an unprivileged user: root may write everywhere. */
function withoutPrivileges(act: () => void): void {
  const isRoot = process.geteuid?.() === 0
  if (isRoot) process.seteuid?.(65_534)
  try {
    act()
  } finally {
    if (isRoot) process.seteuid?.(0)
  }
}
