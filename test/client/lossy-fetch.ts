import type { Fetch } from '../../src/client/http-transport.ts'

/** What happens to a request: it never arrives, or it is carried out and its answer is lost or damaged. */
export type Fault = 'request lost' | 'answer lost' | 'answer cut' | 'gateway page' | 'list' | 'none'

/** The platform's fetch with these faults, one per request of a method; later requests have none. */
export function faultyFetch(method: string, faults: readonly Fault[]): Fetch {
  let next = 0
  return async (url, request) => {
    const fault = request.method === method ? (faults[next++] ?? 'none') : 'none'
    if (fault === 'request lost') throw new TypeError('fetch failed')
    const response = await fetch(url, request)
    const { status, headers } = response
    const text = await response.text()
    if (fault === 'answer lost') throw new TypeError('terminated')
    if (fault === 'answer cut') return { status, headers, text: async () => text.slice(0, 40) }
    if (fault === 'gateway page') return { status: 502, headers, text: async () => '<h1>Bad Gateway</h1>' }
    return { status, headers, text: async () => (fault === 'list' ? '[]' : text) }
  }
}
