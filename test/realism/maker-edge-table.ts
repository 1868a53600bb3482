import { makerCases, measureMakerEdge } from './maker-edge.ts'

/* `npm run bench maker`: the whole table, thirty days per figure. */
const minutes = 30 * 1440
for (const of of makerCases) {
  const { halfSpreadBps, horizonSeconds, informedShare, notedBps } = of
  const { edgeBps, fills } = measureMakerEdge(of, minutes)
  const isSame = Math.sign(edgeBps) === Math.sign(notedBps)
  const line = [
    `half-spread ${halfSpreadBps} bp`,
    `horizon ${horizonSeconds} s`,
    `informed ${informedShare}`,
    `edge ${edgeBps.toFixed(2)} bp`,
    `noted ${notedBps} bp`,
    `${fills} fills`,
    isSame ? '' : 'another sign',
  ]
  process.stdout.write(`${line.join(', ')}\n`)
}
