// Room: engine

import { expect, it } from 'vitest'
import { openDesk } from '../api/desk.ts'

it('a change of a quote to what it is changes nothing, as with orders', () => {
  const desk = openDesk()
  const terms = { asset: 'ETH', bidPrice: 2_990, askPrice: 3_010, bidSize: 1, askSize: 2 }
  const before = desk.request('alice', 'POST', '/quotes', terms).body
  desk.advance(500)
  const change = { bidPrice: 2_990, askSize: 2 }
  expect(desk.request('alice', 'PATCH', '/quotes/qt_1', change).body).toEqual(before)
  expect(desk.request('alice', 'GET', '/quotes/qt_1').body).toEqual(before)
})
