import { describe, expect, it } from 'vitest'
import { defaultReadings } from '../../src/api/readings/readings.ts'
import { readPreference } from '../../src/pipeline/prefer.ts'

describe('readPreference', () => {
  it.each([
    ['reading.envelope=wrapped', { envelope: 'wrapped' }, 'reading.envelope=wrapped'],
    ['reading.envelope="wrapped"', { envelope: 'wrapped' }, 'reading.envelope=wrapped'],
    [
      'respond-async, reading.envelope=wrapped; reading.nulls = omitted',
      { envelope: 'wrapped', nulls: 'omitted' },
      'reading.envelope=wrapped, reading.nulls=omitted',
    ],
    ['Reading.createdStatus=200', { createdStatus: '200' }, 'reading.createdStatus=200'],
    [
      'reading.envelope=wrapped, reading.envelope=bare; reading.nulls=omitted',
      { envelope: 'wrapped', nulls: 'omitted' },
      'reading.envelope=wrapped, reading.nulls=omitted',
    ],
    ['return=minimal', {}, null],
    ['', {}, null],
  ])('%s', (header, changed, applied) => {
    expect(readPreference(header, defaultReadings)).toEqual({
      readings: { ...defaultReadings, ...changed },
      faults: [],
      applied: applied === null ? [] : applied.split(', '),
      problem: null,
    })
  })

  it.each([
    ['reading.envelop=wrapped', 'envelop is not a known reading', 'did you mean envelope?'],
    ['reading.envelope=wraped', 'envelope must be one of bare, wrapped', 'did you mean wrapped?'],
    ['reading.rate.clock=world', 'rate.clock cannot be set for one request', undefined],
    ['reading.envelope', 'envelope must be one of bare, wrapped', undefined],
    ['reading.__proto__=wrapped', '__proto__ is not a known reading', undefined],
    ['reading.envelope=wra"pped', 'envelope must be one of bare, wrapped', 'did you mean wrapped?'],
    [
      'fault=latency;__proto__=1',
      'fault.attributes.__proto__ is not a known field',
      'known: latencyMs, jitterMs, ',
    ],
  ])('refuses %s', (header, reason, hint) => {
    const preference = readPreference(header, defaultReadings)
    expect(preference.problem).toMatchObject({ code: 'invalid-parameter', field: 'Prefer', reason })
    expect(preference.problem?.hint ?? '').toContain(hint ?? '')
    expect(preference.readings).toBe(defaultReadings)
  })
})
