import { describe, expect, it } from 'vitest'
import { forgeJournal, recordRun, replayText } from './recorded.ts'

describe('a forged journal', () => {
  const { lines } = recordRun('9', 400)
  const first = lines.findIndex((line) => line.includes('"command":'))
  const firstWith = (kind: string) => lines.findIndex((line) => line.includes(`"kind":"${kind}"`))

  it.each([
    [
      'an outcome',
      'place-order',
      (line: Record<string, unknown>) => Object.assign(line, { outcome: { ok: false, code: 'risk' } }),
      'outcome.ok',
      'false',
      'true',
    ],
    [
      'events',
      'place-order',
      (line: Record<string, unknown>) => Object.assign(line, { events: 'deadbeef' }),
      'events',
      '"deadbeef"',
      null,
    ],
    [
      'a digest',
      'submit-quote',
      (line: Record<string, unknown>) => Object.assign(line, { digest: '0'.repeat(32) }),
      'digest',
      `"${'0'.repeat(32)}"`,
      null,
    ],
  ])(
    'diverges at the line whose %s is not what happens',
    (_what, kind, change, field, recordedValue, replayed) => {
      const index = firstWith(kind)
      const replay = replayText(forgeJournal(lines, (object, at) => (at === index ? change(object) : object)))
      expect(replay).toMatchObject({
        kind: 'diverged',
        divergence: { sequence: index, field, recorded: recordedValue, subject: kind },
      })
      if (replay.kind === 'diverged' && replayed !== null) expect(replay.divergence.replayed).toBe(replayed)
    },
  )

  it('diverges at the first order that is larger than it was', () => {
    const index = firstWith('place-order')
    const text = forgeJournal(lines, (object, at) => {
      const { command } = object
      if (at === index && typeof command === 'object') Object.assign(command ?? {}, { quantitySteps: 3 })
    })
    expect(replayText(text)).toMatchObject({ kind: 'diverged', divergence: { sequence: index } })
  })

  it.each([
    ['an unknown command', { command: { kind: 'mint' } }, /command\.kind must be the name of a command/],
    ['a fraction', { command: { kind: 'resume', asset: 1.5 } }, /command\.asset must be a whole number/],
    ['a missing field', { command: { kind: 'resume' } }, /command\.asset must be/],
    [
      'an additional field',
      { command: { kind: 'resume', asset: 1, extra: 1 } },
      /command\.extra must be absent/,
    ],
    [
      'an unknown order',
      { command: { kind: 'force-fill', order: 1e9, quantitySteps: null, priceTicks: null } },
      null,
    ],
    ['an invalid instant', { at: 'noon' }, /at must be an instant/],
    ['a sequence that is not the next one', { sequence: 99 }, /its sequence is 99 and should be/],
    ['no outcome', { outcome: null }, /outcome must be/],
    [
      'an unknown change',
      { command: undefined, change: { kind: 'wish' } },
      /change\.kind must be the name of a change/,
    ],
    [
      'an invalid clock',
      { command: undefined, change: { kind: 'clock', settings: { mode: 'slow', speed: 1, stepMillis: 1 } } },
      /change\.settings\.mode must be one of/,
    ],
  ])('is damaged, or parts, with %s in one line', (_what, change, reason) => {
    const replay = replayText(
      forgeJournal(lines, (object, index) => index === first && Object.assign(object, change)),
    )
    if (reason === null) expect(['damaged', 'diverged']).toContain(replay.kind)
    else
      expect(replay).toMatchObject({
        kind: 'damaged',
        damage: { line: first + 1, reason: expect.stringMatching(reason) },
      })
  })

  it.each([
    ['another format', { format: 'tape' }, /this is not an otcsim journal|header of an otcsim journal/],
    ['another version', { version: 2 }, /version must be 1/],
    ['a scenario that was changed', { scenario: null }, /scenario must be an object/],
    ['unknown readings', { readings: { envelop: 'bare' } }, /readings\.envelop/],
  ])('is refused with %s in its header', (_what, change, reason) => {
    const replay = replayText(
      forgeJournal(lines, (object, index) => index === 0 && Object.assign(object, change)),
    )
    expect(replay).toMatchObject({
      kind: 'damaged',
      damage: { line: 1, reason: expect.stringMatching(reason) },
    })
  })
})
