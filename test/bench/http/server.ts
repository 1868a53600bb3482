import { startOurs } from './our-venue.ts'
import { peers } from './peers.ts'

/* One server in a process of its own: NAME. It reports its port, and its processor time when asked. */

const name = process.argv[2] ?? ''
const port = await start()
process.on('message', () => {
  const { user, system } = process.cpuUsage()
  process.send?.({ cpuMicros: user + system })
})
process.on('disconnect', () => process.exit())
process.send?.({ port })

async function start(): Promise<number> {
  if (name === 'ours') return (await startOurs()).port
  const found = Object.entries(peers).find(([peer]) => peer === name)
  if (found === undefined) throw new Error(`no server ${name}`)
  return found[1]()
}
