import { expect, it } from 'vitest'
import { buy, sell } from '../../src/engine/codes.ts'
import type { EventSink } from '../../src/engine/events.ts'
import { Venue } from '../../src/engine/venue.ts'
import { TradeRecorder } from '../../src/metrics/trade-recorder.ts'
import { millis, priceTicks, quantitySteps } from '../../src/numeric/units.ts'
import { hawkesFlow, LivelyVenue, traders } from '../engine/fixtures/lively-venue.ts'
import { btc } from '../engine/fixtures/small-venue.ts'
import { EngineSubject } from '../model/engine-subject.ts'

const flow = { ...hawkesFlow, ratePerMinute: 60 }

it('knows how much of its asset had been traded before each fill', () => {
  const { config } = new LivelyVenue({ flow })
  let listener: EventSink | null = null
  const subject = new EngineSubject(config, (sink) =>
    Venue.open(config, {
      emit: (...event) => {
        listener?.emit(...event)
        sink.emit(...event)
      },
    }),
  )
  const { venue } = subject
  const recorder = new TradeRecorder(venue.state, () => 1)
  listener = recorder
  for (let minute = 0; minute < 10; minute += 1) {
    const side = minute % 2 === 0 ? buy : sell
    subject.execute({
      kind: 'place-order',
      at: venue.now,
      account: traders.alice,
      asset: btc,
      side,
      type: 1,
      timeInForce: 1,
      priceTicks: priceTicks(0),
      quantitySteps: quantitySteps(1000),
      clientOrderId: null,
      allowsDuplicateId: false,
      keepsRefused: false,
      metadata: null,
    })
    subject.execute({ kind: 'advance', at: millis(venue.now + 60_000) })
  }
  let [steps, tickSteps, fill, prints] = [0, 0, 0, 0]
  for (const { name, first, second } of subject.events) {
    if (name !== 'trade' && name !== 'print') continue
    if (name === 'trade') {
      expect(recorder.volumeBefore(fill)).toEqual({ steps, tickSteps })
      expect([recorder.cause(fill), recorder.other(fill)]).toEqual(['level', -1])
      fill += 1
    } else prints += 1
    steps += second
    tickSteps += first * second
  }
  expect(fill).toBe(venue.state.fills.count)
  expect(Math.min(fill, prints)).toBeGreaterThan(9)
})
