import { createHmac } from 'node:crypto'

const { VENUE_KEY = '', VENUE_SECRET = '' } = process.env

/** The headers that sign a request, for whichever client has made it; the target is its path with its query. */
export function signed(method: string, target: string, body: string): Record<string, string> {
  const timestamp = String(Date.now())
  return {
    'X-API-Key': VENUE_KEY,
    'X-API-Timestamp': timestamp,
    'X-API-Signature': createHmac('sha256', VENUE_SECRET)
      .update(timestamp + method + target + body)
      .digest('hex'),
  }
}
