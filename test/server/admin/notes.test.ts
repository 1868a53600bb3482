import { expect, it } from 'vitest'
import { refusal, useAdminWorld } from './admin-world.ts'

/* Notes on moments: they are kept beside the journal, and are no part of the world. */

const world = useAdminWorld()
const at = (second: number) => `2026-01-05T00:00:0${second}.000Z`
const put = (...notes: readonly unknown[]) => world.venue.admin('POST', `${world.path}/notes`, { notes })
const list = async (path = world.path) => (await world.venue.admin('GET', `${path}/notes`)).body
const advance = () => world.venue.admin('POST', `${world.path}/clock/advance`, { byMs: 1000 })

it('are one on a moment, in order, go with an empty text, and change nothing in the world', async () => {
  await advance()
  await advance()
  const digest = (await world.venue.admin('GET', `${world.path}/digest`)).body
  const [first, second] = [
    { sequence: 1, at: at(1), text: 'one' },
    { sequence: 2, at: at(2), text: 'two' },
  ]
  expect(await put(second, { ...first, text: ' an ' })).toMatchObject({ status: 200 })
  expect((await put({ ...first, at: '2026-01-05T01:00:01+01:00' })).body).toEqual({ notes: [first, second] })
  expect(await list()).toEqual({ notes: [first, second] })
  expect((await world.venue.admin('GET', `${world.path}/digest`)).body).toEqual(digest)
  await put({ ...second, text: '' })
  expect(await list()).toEqual({ notes: [first] })
})

it.each([
  [{ sequence: -1, at: at(0), text: 'x' }, 'notes[0].sequence'],
  [{ sequence: 2, at: at(0), text: 'x' }, 'notes[0].sequence must be at most 1, the last line'],
  [{ sequence: 0, at: 'noon', text: 'x' }, 'notes[0].at must be an ISO 8601 instant'],
  [{ sequence: 0, at: at(2), text: 'x' }, `notes[0].at must be from ${at(0)} to ${at(1)}`],
  [{ sequence: 0, at: '1970-01-01T00:00:00.000Z', text: 'x' }, `notes[0].at must be from ${at(0)}`],
  [{ sequence: 0, at: at(0), text: 'x'.repeat(501) }, 'notes[0].text'],
  [{ sequence: 0, at: at(0) }, 'notes[0].text'],
  [{ sequence: 0, at: at(0), text: 'x', by: 'me' }, 'notes[0].by'],
  ['x', 'notes[0]'],
])('are refused whole for %j', async (wrong, reason) => {
  await advance()
  expect(await put(wrong, { sequence: 0, at: at(0), text: 'right' })).toMatchObject(refusal(400, reason))
  expect(await list()).toEqual({ notes: [] })
})

it('are at most 1,000 on a world', async () => {
  await advance()
  const note = (millis: number) => ({ sequence: 0, at: `2026-01-05T00:00:00.${millis}Z`, text: 'x' })
  const rows = Array.from({ length: 900 }, (_, place) => note(100 + place))
  expect(await put(...rows)).toMatchObject({ status: 200 })
  const more = Array.from({ length: 101 }, (_, place) => ({ ...note(100 + place), sequence: 1 }))
  expect(await put(...more)).toMatchObject(refusal(400, 'notes would be 1001, and a world has at most 1000'))
  expect(await put(...more.slice(1))).toMatchObject({ status: 200 })
})

it('go with a fork as far as both have the moment, and are then its own', async () => {
  await advance()
  const taken = await world.venue.admin('POST', `${world.path}/snapshots`, {})
  await advance()
  const shared = { sequence: 1, at: at(1), text: 'shared' }
  await put(shared, { sequence: 2, at: at(2), text: 'of the parent alone' })
  const { id: fromSnapshot } = Object(taken.body)
  const made = await world.venue.admin('POST', '/worlds', { fromSnapshot })
  const path = `/worlds/${Object(made.body).id}`
  expect(await list(path)).toEqual({ notes: [shared] })
  await world.venue.admin('POST', `${path}/notes`, { notes: [{ ...shared, text: '' }] })
  expect(await list(path)).toEqual({ notes: [] })
  expect(await list()).toMatchObject({ notes: [shared, {}] })
})
