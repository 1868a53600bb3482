import type { Client } from './client.ts'

/** The throttle is left out: it keeps to the rates that the adapter states, whatever the venue does. */
export const ccxt: Client['run'] = async (venue, workshop) => {
  workshop.copy('ccxt', '.')
  const told: Record<string, boolean> = JSON.parse(
    await workshop.must('python', ['calls.py'], venue.variables),
  )
  const misses = Object.keys(told).filter((call) => !told[call])
  const total = Object.keys(told).length
  return { figure: `${total - misses.length} of ${total} unified calls right`, misses }
}
