import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { otcsim } from '../cli/harness.ts'
import { folderWith } from '../support/temporary-folder.ts'

interface Given {
  readonly method?: string
  readonly url?: string
  readonly status?: number
  readonly body?: string
  readonly type?: string
}

/** One entry of a recording, as browsers write it. */
function entry({ method = 'GET', url = '/api/sdk/orders', status = 200, body, type }: Given) {
  const content = { mimeType: type ?? 'application/json', ...(body === undefined ? {} : { text: body }) }
  return {
    startedDateTime: '2026-01-05T00:00:00.000Z',
    time: 5,
    request: { method, url: `https://venue.example${url}`, headers: [], queryString: [] },
    response: { status, headers: [], content },
  }
}

const har = (...given: readonly Given[]): string => JSON.stringify({ log: { entries: given.map(entry) } })
const html = '<html><body>502 Bad Gateway</body></html>'

describe('otcsim drift', () => {
  it.each([
    ['no file of this name', null, [], 5],
    ['a text', 'GET /api/sdk/orders', [], 5],
    ['JSON that is no recording', '{"entries":[]}', [], 5],
    ['a recording of nothing', har(), [], 5],
    ['another site', har({ url: '/index.html' }, { url: '/app.js' }), [], 5],
    ['requests without an answer', har({ status: 0 }, { status: 0 }), [], 5],
    ['preflights alone', har({ method: 'OPTIONS', status: 204 }), [], 5],
    ['answers whose bodies were not kept', har({}, { url: '/api/sdk/quotes' }), [], 5],
    ['a gateway in between', har({ status: 502, body: html, type: 'text/html' }), [], 5],
    ['paths that are no operation', har({ url: '/api/sdk/candles', status: 404, body: '{}' }), [], 5],
    ['a venue and key that are not in it', har({ body: '{"orders":[]}' }), ['--source', 'nobody'], 5],
  ])('fails for %s', async (_what, text, words, code) => {
    const cwd = folderWith(text === null ? {} : { 'a.har': text })
    const done = await otcsim(['drift', '--har', 'a.har', ...words], { cwd })
    expect(done.code).toBe(code)
    expect(done.err).not.toBe('')
    const pinned = await otcsim(['drift', '--har', 'a.har', '-o', 'pins.json', ...words], { cwd })
    expect(pinned.code).toBe(code)
    expect(existsSync(join(cwd, 'pins.json'))).toBe(false)
  })
})
