import { isObject } from '../../api/json.ts'
import { defaultReadings, isReadingKey, resolveReadings } from '../../api/readings/readings.ts'
import type { SignatureRules } from '../../pipeline/signature.ts'
import { CliFailure, exitCode, systemReason } from '../failure.ts'
import { type Credentials, usualCredentials } from './sign.ts'

export interface VenueAddress {
  readonly url: string
  readonly adminToken: string | null
}

export interface VenueAccount {
  readonly id: string
  readonly keys: readonly (Credentials & { readonly scopes: readonly string[] })[]
}

/** One request to a server. Ends the command when nothing answers there. */
export async function send(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, { ...init, redirect: 'manual', signal: AbortSignal.timeout(timeoutMillis) })
  } catch (error) {
    const cause = error instanceof Error && error.cause !== undefined ? error.cause : error
    throw new CliFailure(
      exitCode.unreachable,
      `cannot reach ${url}: ${systemReason(cause)}; is "otcsim serve" running?`,
    )
  }
}

const timeoutMillis = 30_000

/** The accounts of a world on a running server, or null when its admin API does not say. */
export async function accountsOf(
  address: VenueAddress,
  world: string,
): Promise<readonly VenueAccount[] | null> {
  return (await worldAt(address, world))?.accounts ?? null
}

interface WorldFacts {
  readonly accounts: readonly VenueAccount[]
  readonly rules: SignatureRules
}

async function worldAt(address: VenueAddress, world: string): Promise<WorldFacts | null> {
  const headers: Record<string, string> =
    address.adminToken === null ? {} : { Authorization: `Bearer ${address.adminToken}` }
  const response = await send(`${address.url}/__admin/worlds/${encodeURIComponent(world)}`, { headers })
  if (response.status !== 200) return null
  const body: unknown = await response.json().catch(() => null)
  if (!isObject(body) || !Array.isArray(body['accounts'])) return null
  const stated = isObject(body['readings']) ? Object.entries(body['readings']) : []
  const known = stated.filter(([key]) => isReadingKey(key)).map(([key, value]) => [key, String(value)])
  const readings = resolveReadings(Object.fromEntries(known))
  const rules = readings.ok ? readings.value : defaultReadings
  return { accounts: body['accounts'].filter(isAccount), rules }
}

/**
 * The key to sign with: that of the named account, else of the first account whose key may do most. A server that
 * does not tell its keys is assumed to have the usual ones.
 */
export async function findCredentials(address: VenueAddress, account: string | null): Promise<Credentials> {
  const world = await worldAt(address, 'default')
  if (world === null) return usualCredentials(account ?? 'desk')
  const { accounts, rules } = world
  const candidates = account === null ? accounts : accounts.filter(({ id }) => id === account)
  const keys = candidates.flatMap((candidate) => candidate.keys)
  const best = keys.toSorted((left, right) => right.scopes.length - left.scopes.length)[0]
  if (best !== undefined) return { ...best, rules }
  const ids = accounts.map(({ id }) => id).join(', ')
  throw new CliFailure(exitCode.usage, `no key for account "${account ?? ''}"; the accounts are ${ids}`)
}

function isAccount(value: unknown): value is VenueAccount {
  return (
    isObject(value) &&
    typeof value['id'] === 'string' &&
    Array.isArray(value['keys']) &&
    value['keys'].every(isKey)
  )
}

function isKey(value: unknown): boolean {
  return (
    isObject(value) &&
    typeof value['apiKey'] === 'string' &&
    typeof value['apiSecret'] === 'string' &&
    Array.isArray(value['scopes'])
  )
}
