import { describe, expect, it } from 'vitest'
import { WorkAbandoned, WorkQueue } from '../../src/world/work-queue.ts'

/** Work in this many pieces, each of which is logged. */
function* work(name: string, pieces: number, log: string[]): Generator<undefined, string, undefined> {
  for (let piece = 1; piece <= pieces; piece += 1) {
    yield
    log.push(`${name}${piece}`)
  }
  return name
}

describe('turns', () => {
  it('are not taken when the work is done at once', () => {
    const turns = new WorkQueue()
    expect(turns.begin(work('a', 0, []))).toBe('a')
    expect([turns.isTaken, turns.isPaused]).toEqual([false, false])
  })

  it('admit waiting callers in order of arrival, and later ones after them', async () => {
    const turns = new WorkQueue()
    const log: string[] = []
    const ended = turns.begin(work('a', 3, log))
    const late: Promise<void>[] = []
    const enter = (name: string): void => {
      if (turns.isTaken) late.push(turns.wait(() => enter(name)))
      else log.push(name)
    }
    const first = turns.wait(() => {
      log.push('first')
      // Arrives while others are waiting.
      setImmediate(() => enter('newcomer'))
    })
    enter('second')
    enter('third')
    expect(await ended).toBe('a')
    await first
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
    await Promise.all(late)
    expect(log).toEqual(['a1', 'a2', 'a3', 'first', 'second', 'third', 'newcomer'])
    expect(turns.isTaken).toBe(false)
  })

  it('wait for the long work of a caller who has waited', async () => {
    const turns = new WorkQueue()
    const log: string[] = []
    const ended = [
      turns.begin(work('a', 2, log)),
      turns.wait(() => turns.begin(work('b', 2, log))),
      turns.wait(() => log.push('then')),
    ]
    await Promise.all(ended)
    expect(log).toEqual(['a1', 'a2', 'b1', 'b2', 'then'])
  })

  it('continue after work or a caller that fails', async () => {
    const turns = new WorkQueue()
    function* failing(): Generator<undefined, void, undefined> {
      yield
      throw new Error('too much')
    }
    const ended = turns.begin(failing())
    const refused = turns.wait(() => {
      throw new Error('refused')
    })
    const last = turns.wait(() => 'last')
    await expect(ended).rejects.toThrow('too much')
    await expect(refused).rejects.toThrow('refused')
    expect(await last).toBe('last')
    expect(turns.isTaken).toBe(false)
  })

  it('admit waiting callers when the work is abandoned, and nobody after closing', async () => {
    const turns = new WorkQueue()
    const log: string[] = []
    const abandoned = turns.begin(work('a', 1000, log))
    const waiting = turns.wait(() => 'in')
    turns.abandon()
    await expect(abandoned).rejects.toBeInstanceOf(WorkAbandoned)
    expect(await waiting).toBe('in')
    const closed = turns.begin(work('b', 1000, log))
    void turns.wait(() => log.push('never'))
    turns.close()
    await expect(closed).rejects.toBeInstanceOf(WorkAbandoned)
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
    expect(log).toEqual([])
    expect(turns.isTaken).toBe(false)
  })

  it('finish the work at once for a caller who cannot wait, before the waiting ones', async () => {
    const turns = new WorkQueue()
    const log: string[] = []
    const ended = turns.begin(work('a', 3, log))
    const waiting = turns.wait(() => log.push('waited'))
    turns.finish()
    log.push('caller')
    expect(turns.isPaused).toBe(false)
    await Promise.all([ended, waiting])
    expect(log).toEqual(['a1', 'a2', 'a3', 'caller', 'waited'])
  })

  it('of several worlds are served alternately', async () => {
    const log: string[] = []
    const slow = (name: string) => {
      const pieces = work(name, 4, log)
      return new WorkQueue().begin(
        (function* () {
          for (const _ of { [Symbol.iterator]: () => pieces }) {
            const endMillis = performance.now() + 10
            while (performance.now() < endMillis);
            yield
          }
        })(),
      )
    }
    await Promise.all([slow('a'), slow('b')])
    expect(log.slice(0, 6)).toEqual(['a1', 'b1', 'a2', 'b2', 'a3', 'b3'])
  })
})
