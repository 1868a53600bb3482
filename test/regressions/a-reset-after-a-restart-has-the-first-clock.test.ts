// Room: world

import { join } from 'node:path'
import { expect, it } from 'vitest'
import { otcsim, type Served, serve } from '../cli/harness.ts'
import { adminRequest } from '../support/admin-request.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/*
 * A reset goes back to the clock with which the world was created. After a restart it went back to the last clock of the
 * world, and in the journal of a fork to the clock of the forked world, which contradicted the journal.
 */

async function admin(served: Served, method: string, path: string, body?: object): Promise<object> {
  const { status, text } = await adminRequest(served, method, `/worlds${path}`, body)
  const answer: unknown = JSON.parse(text)
  if (typeof answer !== 'object' || answer === null) throw new Error(`${status} ${text}`)
  return answer
}

it('in a world and in its fork', async () => {
  const cwd = temporaryFolder()
  const words = ['--port', '0', '--journal-dir', 'journals']
  const first = await serve([...words, '--clock', 'manual'], { cwd })
  await admin(first, 'PUT', '/default/clock', { mode: 'auto', stepMs: 5 })
  expect(await admin(first, 'POST', '/default/snapshots')).toMatchObject({ id: 'snap_1' })
  await admin(first, 'POST', '', { id: 'fork', fromSnapshot: 'snap_1' })
  const begins = { default: { mode: 'manual', stepMs: 100 }, fork: { mode: 'auto', stepMs: 5 } }
  const clocksAfterReset = async (served: Served) => {
    for (const world of ['default', 'fork']) await admin(served, 'POST', `/${world}/reset`, {})
    return {
      default: await admin(served, 'GET', '/default/clock'),
      fork: await admin(served, 'GET', '/fork/clock'),
    }
  }
  await first.finished()

  const second = await serve(words, { cwd })
  expect(await admin(second, 'GET', '/default/clock')).toMatchObject({ mode: 'auto', stepMs: 5 })
  expect(await admin(second, 'GET', '/fork/clock')).toMatchObject({ mode: 'auto', stepMs: 5 })
  const reset = await clocksAfterReset(second)
  expect(reset).toMatchObject(begins)
  await second.finished()

  const third = await serve(words, { cwd })
  for (const [world, clock] of Object.entries(reset))
    expect(await admin(third, 'GET', `/${world}/clock`)).toMatchObject(clock)
  await third.finished()
  for (const world of ['default', 'fork']) {
    const verified = await otcsim(['replay', join(cwd, `journals/${world}.journal`), '--verify'])
    expect(verified).toMatchObject({ code: 0 })
  }
})
