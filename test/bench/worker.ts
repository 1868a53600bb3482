import { bareBook } from './contenders/book.ts'
import type { Contender } from './contenders/contender.ts'
import { wholeEngine } from './contenders/engine.ts'
import { nodejsOrderBook } from './contenders/nodejs-order-book.ts'
import { orderbookMatchEngine } from './contenders/orderbook-match-engine.ts'
import { measurePlay, measureSnapshot } from './measure.ts'
import { readWorkload } from './workload.ts'

/* One measurement in a process of its own: TASK CONTENDER FILE MILLIS; the answer is one line of JSON. */

const contenders: readonly Contender[] = [nodejsOrderBook, orderbookMatchEngine, bareBook, wholeEngine]

const [task = '', name = '', file = '', millis = ''] = process.argv.slice(2)
const contender = contenders.find((candidate) => candidate.name === name)
if (contender === undefined) throw new Error(`no contender ${name}`)
const workload = readWorkload(file)
const measurement =
  task === 'snapshot'
    ? measureSnapshot(contender, workload)
    : measurePlay(contender, workload, Number(millis))
console.log(JSON.stringify(measurement))
