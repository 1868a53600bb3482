import { isObject, jsonField, parseJson } from '../../api/json.ts'
import type { Terminal } from '../terminal.ts'

/** What the keys of a served world act on. */
export interface KeyTargets {
  readonly adminUrl: string
  readonly adminToken: string | null
  readonly world: string
  /** Opens the console, or prints its address where there is no desktop. */
  readonly openConsole: () => void
  /** Stops serving and ends the command, as an interrupt does. */
  readonly stop: () => void
}

/** The line of the banner that says what the keys do. */
export const keysLine = 'o console   p pause and go on   + a minute   f faults on and off   q end'

/** The fault that `f` adds to a world that has none. */
const firstFault = { id: 'key-f', type: 'http_error', every: 5, attributes: { status: 503 } }

/** The fields of a fault's answer that its rule is made of. Its id is left out: those of the script are reserved. */
const ruleFields: readonly string[] = [
  'match',
  'type',
  'phase',
  'toxicity',
  'count',
  'skip',
  'every',
  'attributes',
]

/**
 * Lets single keys act on a served world: `o`, `p`, `+`, `f` and `q`. They call the admin API as any other program does, one
 * after the other, and say on stderr what has come of each. Returns how to stop; null where stdin has no keys.
 */
export function startKeys(targets: KeyTargets, terminal: Terminal): (() => void) | null {
  const ask = createAsker(targets)
  const tell = (text: string): void => terminal.err(`  ${text}\n`)
  let modeBefore = 'realtime'
  let removed: readonly FaultFields[] = []

  const pause = async (): Promise<void> => {
    const { mode } = await ask('GET', '/clock')
    const wanted = mode === 'manual' ? modeBefore : 'manual'
    if (mode !== 'manual') modeBefore = String(mode)
    const { now } = await ask('PUT', '/clock', { mode: wanted })
    tell(wanted === 'manual' ? `paused at ${now}` : `goes on at ${now}, clock ${wanted}`)
  }
  const advance = async (): Promise<void> => {
    const { now, events } = await ask('POST', '/clock/advance', { byMs: 60_000 })
    tell(`a minute on, at ${now}; events: ${Array.isArray(events) ? events.length : 0}`)
  }
  const switchFaults = async (): Promise<void> => {
    const { faults } = await ask('GET', '/faults')
    const present = Array.isArray(faults) ? faults.filter(isObject) : []
    if (present.length > 0) {
      await ask('DELETE', '/faults')
      removed = present.map(selectRule)
      tell(`faults off: ${nameFaults(removed)}`)
      return
    }
    const added = removed.length === 0 ? [firstFault] : removed
    for (const rule of added) await ask('POST', '/faults', rule)
    const about = removed.length === 0 ? '; every fifth request is answered with 503' : ''
    tell(`faults on: ${nameFaults(added)}${about}`)
  }
  const actions: ReadonlyMap<string, () => unknown> = new Map<string, () => unknown>([
    ['o', targets.openConsole],
    ['p', pause],
    ['+', advance],
    ['f', switchFaults],
    ['q', targets.stop],
  ])
  let last: Promise<unknown> = Promise.resolve()
  return terminal.listenToKeys((key) => {
    const act = actions.get(key)
    if (act === undefined) return
    last = last.then(act).catch((error: unknown) => tell(error instanceof Error ? error.message : `${error}`))
  })
}

interface FaultFields {
  readonly [name: string]: unknown
}

function selectRule(fault: FaultFields): FaultFields {
  const fields = Object.entries(fault).filter(([name, value]) => ruleFields.includes(name) && value !== null)
  return Object.fromEntries(fields)
}

const nameFaults = (rules: readonly FaultFields[]): string => rules.map(({ type }) => String(type)).join(', ')

/** Returns how to call the admin API of the world. The call rejects with the message of a refusal. */
function createAsker({ adminUrl, adminToken, world }: KeyTargets) {
  const headers = {
    'Content-Type': 'application/json',
    ...(adminToken === null ? {} : { Authorization: `Bearer ${adminToken}` }),
  }
  return async (
    method: string,
    path: string,
    body?: object,
  ): Promise<{ readonly [name: string]: unknown }> => {
    const url = `${adminUrl}/worlds/${encodeURIComponent(world)}${path}`
    const response = await fetch(url, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const answer = parseJson(await response.text())
    if (response.ok && isObject(answer)) return answer
    throw new Error(String(jsonField(answer, 'message') ?? `HTTP ${response.status}`))
  }
}
