import { createVenueClient, type VenueClient } from '../../src/client/create-venue-client.ts'
import { createStream, type RandomStream } from '../../src/numeric/random.ts'

/** What four writers sent, and their answers. */
export interface History {
  readonly sent: Set<string>
  /** Client ids of orders that were answered as accepted. */
  readonly accepted: Set<string>
  /** Client ids of orders whose cancellation was answered. */
  readonly cancelled: Set<string>
  /** The last quantity that an amendment was answered with, by client id. */
  readonly amended: Map<string, number>
}

export const emptyHistory = (): History => ({
  sent: new Set(),
  accepted: new Set(),
  cancelled: new Set(),
  amended: new Map(),
})

const accounts = ['desk', 'trader', 'desk', 'trader']

/** Writes until the venue is gone. Each writer waits for an answer before it sends the next. */
export async function writeUntilGone(url: string, round: string, history: History): Promise<void> {
  await Promise.all(
    accounts.map((account, index) => {
      const client = createVenueClient({
        baseUrl: url,
        apiKey: `simk_default_${account}`,
        apiSecret: `sims_default_${account}`,
        retries: { afterFailure: 0, afterRateLimit: 0 },
      })
      const stream = createStream(round, 'writer', String(index), 0)
      return write(client, `${round}-${index}`, stream, history)
    }),
  )
}

async function write(
  client: VenueClient,
  name: string,
  stream: RandomStream,
  history: History,
): Promise<void> {
  for (let count = 0; ; count += 1) {
    const clientOrderId = `${name}-${count}`
    history.sent.add(clientOrderId)
    try {
      const placed = await client.orders.create({
        side: stream.integer(2) === 0 ? 'buy' : 'sell',
        asset: 'BTC',
        quantity: 0.01,
        // Some of them trade at once; most rest far from the market.
        price: stream.integer(3) === 0 ? 90_000 - stream.integer(80_000) : 20_000 + stream.integer(100),
        clientOrderId,
        metadata: { padding: 'x'.repeat(stream.integer(1500)) },
      })
      history.accepted.add(clientOrderId)
      if (placed.side === 'buy' && stream.integer(3) === 0) {
        const { quantity } = await client.orders.amend(placed.orderId, { quantity: 0.02 })
        history.amended.set(clientOrderId, quantity)
      }
      // Most are cancelled, so that the limit on open orders is not reached.
      if (stream.integer(8) > 0) {
        await client.orders.cancel(placed.orderId)
        history.cancelled.add(clientOrderId)
      }
    } catch (failure) {
      if (isGone(failure)) return
    }
  }
}

/** A refusal is an answer, after which the writer continues. */
const isGone = (failure: unknown): boolean =>
  !(failure instanceof Error && 'statusCode' in failure && typeof failure.statusCode === 'number')
