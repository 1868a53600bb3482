import { describe, expect, it } from 'vitest'
import { createMessageReader } from '../../../src/console/model/message-reader.ts'

describe('messages of an event stream', () => {
  it('are read in any pieces', () => {
    const text = ': hello\n\nid: 7\nevent: order.filled\ndata: {"a":1}\n\n: not yet'
    const whole = [': hello', 'id: 7\nevent: order.filled\ndata: {"a":1}']
    expect(createMessageReader()(text)).toEqual(whole)
    const read = createMessageReader()
    expect([...text].flatMap((letter) => read(letter))).toEqual(whole)
  })
})
