import { createHmac } from 'node:crypto'

/** What a client has seen of a venue, and how to end it. */
export interface PollingClient {
  /** How often each status has come, and `lost` for requests without an answer. */
  readonly seen: ReadonlyMap<string, number>
  /** How many of its fills it has read. */
  readonly fills: () => number
  readonly stop: () => void
}

interface Venue {
  readonly url: string
  readonly apiKey: string
  readonly apiSecret: string
}

/**
 * Starts a client as people write it, without anything of ours: each two seconds it quotes both sides of BTC, each
 * second it reads its fills, and each minute the price about which it quotes. It uses the `fetch`, the timers and the
 * clock of the platform.
 */
export function startPolling(venue: Venue): PollingClient {
  const seen = new Map<string, number>()
  let fills = 0
  let middle: number | null = null
  const ask = async (method: string, path: string, form?: object): Promise<Record<string, unknown>> => {
    const body = form === undefined ? undefined : JSON.stringify(form)
    const headers = sign(venue, method, path, body ?? '')
    const answer = await fetch(venue.url + path, { method, headers, ...(body === undefined ? {} : { body }) })
    const status = String(answer.status)
    seen.set(status, (seen.get(status) ?? 0) + 1)
    return Object(await answer.json())
  }
  const readPrice = async () => {
    middle = Number((await ask('GET', '/api/sdk/market-data/prices/BTC'))['mid'])
  }
  const quote = async () => {
    if (middle === null) return
    const [bidPrice, askPrice] = [0.9999, 1.0001].map((factor) => Math.round((middle ?? 0) * factor))
    const sides = { bidPrice, askPrice, bidSize: 0.001, askSize: 0.001 }
    await ask('POST', '/api/sdk/quotes', { asset: 'BTC', ...sides, validForSeconds: 2 })
  }
  const readFills = async () => {
    const { pagination } = await ask('GET', '/api/sdk/portfolio/trades?limit=10')
    fills = Number(Object(pagination).total)
  }
  const lose = () => {
    seen.set('lost', (seen.get('lost') ?? 0) + 1)
  }
  void readPrice().catch(lose)
  const timers = [
    setInterval(() => readPrice().catch(lose), 60_000),
    setInterval(() => quote().catch(lose), 2000),
    setInterval(() => readFills().catch(lose), 1000),
  ]
  const stop = () => {
    for (const timer of timers) clearInterval(timer)
  }
  return { seen, fills: () => fills, stop }
}

function sign({ apiKey, apiSecret }: Venue, method: string, path: string, body: string) {
  const timestamp = String(Date.now())
  const message = timestamp + method + path + body
  return {
    'Content-Type': 'application/json',
    'X-API-Key': apiKey,
    'X-API-Timestamp': timestamp,
    'X-API-Signature': createHmac('sha256', apiSecret).update(message).digest('hex'),
  }
}
