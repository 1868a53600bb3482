import { describe, expect, it } from 'vitest'
import { commentReader } from '../../../src/console/model/session.ts'

describe('comments of an event stream', () => {
  it('are read in any pieces', () => {
    const text = ': hello\n\nid: 7\nevent: order.filled\ndata: {"a":1}\n\n: there\n\n: not yet'
    const whole = ['hello', 'there']
    expect(commentReader()(text)).toEqual(whole)
    const read = commentReader()
    expect([...text].flatMap((letter) => read(letter))).toEqual(whole)
  })
})
