import type * as answers from '../../api/admin-answers.ts'
import { isoToMillis, millisToIso } from '../../numeric/time-text.ts'
import type { RecordOf } from '../../shape/shape.ts'

export interface AdminClient {
  /**
   * Creates a world. Like all methods, rejects with an Error that quotes the service's response when the service
   * refuses.
   */
  createWorld(form: Readonly<Record<string, unknown>>): Promise<LiveWorld>
  deleteWorld(id: string): Promise<void>
  disableRateLimits(id: string): Promise<void>
  advanceTo(id: string, atMillis: number): Promise<void>
  digest(id: string): Promise<{ readonly digest: string; readonly sequence: number }>
}

export interface LiveWorld {
  readonly id: string
  readonly seed: string
  readonly nowMillis: number
  readonly accounts: readonly LiveAccount[]
}

export interface LiveAccount {
  readonly id: string
  readonly apiKey: string
  readonly apiSecret: string
}

export function createAdminClient(baseUrl: string, token: string | null): AdminClient {
  const root = `${baseUrl.replace(/\/+$/, '')}/__admin`
  const ask = async <Answer>(method: string, path: string, body?: unknown): Promise<Answer> => {
    const response = await fetch(`${root}${path}`, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (response.ok) return JSON.parse(text)
    throw new Error(`${method} ${root}${path}: ${response.status} ${text.slice(0, 500)}`)
  }
  const at = (id: string): string => `/worlds/${encodeURIComponent(id)}`
  return {
    createWorld: async (form) => toLiveWorld(await ask('POST', '/worlds', form)),
    deleteWorld: async (id) => {
      await ask('DELETE', at(id))
    },
    disableRateLimits: async (id) => {
      await ask('PUT', `${at(id)}/rate-limits`, { enabled: false })
    },
    advanceTo: async (id, atMillis) => {
      await ask('POST', `${at(id)}/clock/advance`, { to: millisToIso(atMillis) })
    },
    digest: (id) => ask('GET', `${at(id)}/digest`),
  }
}

/**
 * Converts a created world from its wire form. Accounts without a key are left out, because nobody can trade with them.
 */
function toLiveWorld({ id, seed, now, accounts }: RecordOf<typeof answers.world>): LiveWorld {
  return {
    id,
    seed,
    nowMillis: isoToMillis(now) ?? 0,
    accounts: accounts.flatMap((account) =>
      account.keys.slice(0, 1).map(({ apiKey, apiSecret }) => ({ id: account.id, apiKey, apiSecret })),
    ),
  }
}

/** The clock of a live run: a simulator's manual clock, which the run itself advances, or the wall clock. */
export interface LiveClock {
  readonly nowMillis: number
  advanceTo(atMillis: number): Promise<void>
}

/** The manual clock of a world on a simulator. Only this run advances it, so its time is known without asking. */
export class SteppedClock implements LiveClock {
  nowMillis: number
  private readonly admin: AdminClient
  private readonly world: string

  constructor(admin: AdminClient, world: string, nowMillis: number) {
    this.admin = admin
    this.world = world
    this.nowMillis = nowMillis
  }

  async advanceTo(atMillis: number): Promise<void> {
    if (atMillis <= this.nowMillis) return
    await this.admin.advanceTo(this.world, atMillis)
    this.nowMillis = atMillis
  }
}

/** The wall clock: advancing means waiting. */
export class ServiceClock implements LiveClock {
  private readonly isEnded: () => boolean

  /** `isEnded` says whether the user has asked for the end; then a wait ends early. */
  constructor(isEnded: () => boolean) {
    this.isEnded = isEnded
  }

  get nowMillis(): number {
    return Date.now()
  }

  async advanceTo(atMillis: number): Promise<void> {
    for (;;) {
      const left = atMillis - Date.now()
      if (left <= 0 || this.isEnded()) return
      await new Promise((resolve) => setTimeout(resolve, Math.min(left, longestWaitMillis)))
    }
  }
}

const longestWaitMillis = 200
