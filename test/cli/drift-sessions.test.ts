import { beforeAll, describe, expect, it } from 'vitest'
import { listValues, readingKeys } from '../../src/api/readings/readings.ts'
import { unobservableReadings } from '../../src/cli/drift/drift-input-rules.ts'
import { judgeSources } from '../../src/cli/drift/judge-exchanges.ts'
import { readRecording } from '../../src/cli/drift/read-recording.ts'
import { isFullRun, isLongestRun } from '../support/full-run.ts'
import { recordSession } from './drift-sessions.ts'

/* What `drift` proves from sessions that were recorded at our own venue, under any readings, is what was in force. */

interface Judged {
  /** The verdicts that refute what was in force. */
  readonly untrue: readonly string[]
  readonly proved: readonly string[]
}

async function judgeSession(
  seed: string,
  forced: { readonly [key: string]: string } | null = null,
): Promise<Judged> {
  const session = await recordSession(seed, forced)
  const recording = readRecording(session.text)
  if (recording === null) throw new Error('no recording')
  const untrue: string[] = []
  const proved: string[] = []
  for (const { venue, apiKey, verdicts } of judgeSources(recording.exchanges)) {
    const inForce: { readonly [key: string]: string } = session.readingsOf(venue, apiKey)
    for (const { key, fits, evidence } of verdicts) {
      const [value] = fits
      if (fits.length === 1) proved.push(`${key}=${value}`)
      if (fits.includes(inForce[key] ?? '')) continue
      const entries = evidence.map(({ exchange }) => `#${exchange.entry}`).join(' ')
      untrue.push(`session ${seed}: ${key} is ${inForce[key]}, not ${fits.join(' or ')}: ${entries}`)
    }
  }
  return { untrue, proved }
}

const sessions = isLongestRun ? 500 : isFullRun ? 100 : 24

/** Readings of which no session can prove anything, though some recordings could, each with the reason. */
const unproved: { readonly [value: string]: string } = {
  'answers.extraFields=none': 'a venue may add fields to some answers only',
  'error.balanceType=RISK_LIMIT_EXCEEDED': 'the same type is for all other limits',
  'auth.futureMs=30000': 'a refusal may be one of the clock that follows its clients',
  'auth.futureMs=5000': 'a refusal may be one of the clock that follows its clients',
  'auth.futureMs=1000': 'a refusal may be one of the clock that follows its clients',
  'signature.hex=lower': 'a refused signature may be wrong in another way',
}

const provable: readonly string[] = readingKeys
  .filter((key) => unobservableReadings[key] === undefined)
  .flatMap((key) => listValues(key).map((value) => `${key}=${value}`))
  .filter((value) => unproved[value] === undefined)

describe(`${sessions} random sessions at our own venue`, () => {
  const proved = new Set<string>()
  const untrue: string[] = []
  const add = (judged: Judged) => {
    untrue.push(...judged.untrue)
    for (const value of judged.proved) proved.add(value)
  }

  beforeAll(async () => {
    for (let seed = 0; seed < sessions; seed += 1) add(await judgeSession(String(seed)))
    if (!isLongestRun) return
    // What none of them happened to show is looked for where it is in force.
    for (const value of provable) {
      const [key = '', wanted = ''] = value.split('=')
      for (let seed = 0; seed < sessions && !proved.has(value); seed += 1)
        add(await judgeSession(`${value} ${seed}`, { [key]: wanted }))
    }
  }, 1_800_000)

  it('show no reading that is not in force', () => {
    expect(untrue).toEqual([])
  })

  it('prove most readings, and each value of them when there are many sessions', () => {
    // Each of few sessions shows some.
    if (isLongestRun) expect(provable.filter((value) => !proved.has(value))).toEqual([])
    else expect(proved.size).toBeGreaterThan(60)
    expect([...proved].filter((value) => unproved[value] !== undefined)).toEqual([])
  })
})
