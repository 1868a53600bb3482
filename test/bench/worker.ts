import { bareBook } from './contenders/book.ts'
import type { Contender } from './contenders/contender.ts'
import { wholeEngine } from './contenders/engine.ts'
import { nodejsOrderBook } from './contenders/nodejs-order-book.ts'
import { orderbookMatchEngine } from './contenders/orderbook-match-engine.ts'
import type { Measurement } from './measure.ts'
import { measurePlay, measureSnapshot, measureWeight } from './measure.ts'
import type { Workload } from './workload.ts'
import { readWorkload } from './workload.ts'

/* One measurement in a process of its own: TASK CONTENDER FILE MILLIS; the answer is one line of JSON. */

const contenders: readonly Contender[] = [nodejsOrderBook, orderbookMatchEngine, bareBook, wholeEngine]

const [task = '', name = '', file = '', millis = ''] = process.argv.slice(2)
const contender = contenders.find((candidate) => candidate.name === name)
if (contender === undefined) throw new Error(`no contender ${name}`)
console.log(JSON.stringify(measure(contender, readWorkload(file))))

function measure(from: Contender, workload: Workload): Measurement {
  if (task === 'weigh') return measureWeight(from, workload)
  if (task === 'snapshot') return measureSnapshot(from, workload)
  return measurePlay(from, workload, Number(millis))
}
