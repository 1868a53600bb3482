import { copyFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { adminRequest } from '../support/admin-request.ts'
import { folderWith, temporaryFolder } from '../support/temporary-folder.ts'
import { recordRun } from '../world/journals/recorded.ts'
import { otcsim, type Served, serve } from './harness.ts'

/* Worlds that are made from a journal over HTTP, on a server that keeps a journal of every world. */

const words = ['--port', '0', '--clock', 'manual', '--journal-dir', 'j']
const { text, world: recorded } = recordRun('31', 60)

const admin = async (served: Served, method: string, path: string, body?: object) => {
  const answer = await adminRequest(served, method, `/worlds${path}`, body)
  return { status: answer.status, body: JSON.parse(answer.text) }
}

const digestOf = async (served: Served, id: string) => (await admin(served, 'GET', `/${id}/digest`)).body

/** All worlds, but for the wall's time at which the process has made them. */
const listWorlds = async (served: Served) =>
  JSON.stringify((await admin(served, 'GET', '')).body).replaceAll(/"madeAt":"[^"]*"/g, '')

/** The whole past of a world, of which each request works out a part. */
async function historyOf(served: Served, id: string): Promise<unknown> {
  for (;;) {
    const { body } = await admin(served, 'GET', `/${id}/history`)
    if (body.isWhole === true) return body
  }
}

it('come back after a restart, with their lines, keys and clock, and go on', async () => {
  const cwd = temporaryFolder()
  const first = await serve(words, { cwd })
  const made = await admin(first, 'POST', '/import', { journal: text })
  expect(made.status).toBe(201)
  const { id } = made.body
  expect(made.body.digest).toBe(recorded.digest())
  await admin(first, 'POST', `/${id}/clock/advance`, { byMs: 5000 })
  const before = [await listWorlds(first), await digestOf(first, id)]
  expect(before[1]?.sequence).toBeGreaterThan(recorded.sequence)
  const history = await historyOf(first, id)
  await first.finished()

  const file = join(cwd, 'j', `${id}.journal`)
  const lines = readFileSync(file, 'utf8').split('\n').slice(1, -1)
  expect(lines.map((line) => JSON.parse(line).sequence)).toEqual(
    Array.from({ length: before[1]?.sequence }, (_, index) => index + 1),
  )
  expect((await otcsim(['replay', file, '--verify'])).code).toBe(0)
  for (const _again of [1, 2]) {
    const next = await serve(words, { cwd })
    expect([await listWorlds(next), await digestOf(next, id)]).toEqual(before)
    expect(await historyOf(next, id)).toEqual(history)
    await next.finished()
  }
  const last = await serve(words, { cwd })
  expect((await admin(last, 'DELETE', `/${id}`)).status).toBe(200)
  await last.finished()
  expect((await admin(await serve(words, { cwd }), 'GET', `/${id}`)).status).toBe(404)
})

it('leave no file when their journal is refused', async () => {
  const cwd = temporaryFolder()
  const venue = await serve(words, { cwd })
  const refused = await admin(venue, 'POST', '/import', {
    journal: text.slice(0, text.length / 2) + text.slice(-40),
  })
  expect(refused.status).toBe(400)
  expect((await admin(venue, 'GET', '')).body.worlds).toHaveLength(1)
})

it('have the only path that is no world: no world is called import', async () => {
  const venue = await serve(['--port', '0'], { cwd: temporaryFolder() })
  const refused = await admin(venue, 'POST', '', { id: 'import' })
  expect(refused.status).toBe(400)
  expect(refused.body).toMatchObject({ details: { field: 'id' } })
  expect(refused.body.message).toContain('not "import", at which journals are imported')
})

it('a copy that a cloud has made beside a journal is no world', async () => {
  const cwd = folderWith({})
  const first = await serve(words, { cwd })
  await first.finished()
  copyFileSync(join(cwd, 'j', 'default.journal'), join(cwd, 'j', 'default (1).journal'))
  expect(await otcsim(['serve', ...words], { cwd })).toMatchObject({
    code: 5,
    err: expect.stringContaining('j/default (1).journal is not named by the id of a world'),
  })
})
