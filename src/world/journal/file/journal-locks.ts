import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { holderOf, type Lock, type Locking, lockPath } from '../../disk/lock.ts'

/*
 * A journal has one writer, who uses it by itself or with all that are in its folder. Each takes a lock of its own and
 * only then looks for one that excludes it; nobody takes for a moment what it does not want. So any number of files of a
 * folder can be taken at once, and of two that exclude each other one at least sees the other.
 */

/** Takes one file; refused where somebody has it, or its folder. */
export async function lockJournal(path: string): Promise<Locking> {
  const locking = await lockPath(path)
  return locking.ok ? unlessHeld(locking.lock, () => holderOf(lockOfFolder(dirname(path)))) : locking
}

/**
 * Takes a folder with all journals in it, those that are yet to be made included. It looks once before, so that a folder
 * that can't be had is in nobody's way meanwhile.
 */
export async function lockFolder(folder: string): Promise<Locking> {
  const holder = await holderWithin(folder, 1)
  if (holder !== null) return { ok: false, owner: holder.owner }
  const locking = await lockPath(lockOfFolder(folder))
  return locking.ok ? unlessHeld(locking.lock, () => holderWithin(folder, patientLooks)) : locking
}

const lockOfFolder = (folder: string): string => join(folder, 'otcsim')

async function unlessHeld(lock: Lock, find: () => ReturnType<typeof holderOf>): Promise<Locking> {
  try {
    const holder = await find()
    if (holder === null) return { ok: true, lock }
    lock.release()
    return { ok: false, owner: holder.owner }
  } catch (failure) {
    lock.release()
    throw failure
  }
}

/**
 * Somebody who has a file of a folder, also where only its lock is there yet. Who takes a file at the same moment sees
 * the folder taken, and gives the file up: that is waited for, so that not both are refused.
 */
async function holderWithin(folder: string, mostLooks: number): ReturnType<typeof holderOf> {
  const names = readdirSync(folder).flatMap((name) => /^(.+\.journal)(\.lock)?$/.exec(name)?.[1] ?? [])
  for (const name of new Set(names)) {
    let holder = await holderOf(join(folder, name))
    for (let looks = 1; holder !== null && looks < mostLooks; looks += 1) {
      await setTimeout(pauseMillis)
      holder = await holderOf(join(folder, name))
    }
    if (holder !== null) return holder
  }
  return null
}

const patientLooks = 20
const pauseMillis = 10
