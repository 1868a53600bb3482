import type { Client } from './client.ts'

interface Result {
  readonly orders: number
  readonly filled: number
  readonly cancelled: number
  readonly differing: readonly string[]
}

/** For two minutes; each order that freqtrade remembers is compared with the venue's. */
export const freqtrade: Client['run'] = async (venue, workshop) => {
  workshop.copy('ccxt/venue.py', 'venue.py')
  workshop.copy('freqtrade', '.')
  await workshop.must('freqtrade', ['create-userdir', '--userdir', 'user_data'])
  const { out, err } = await workshop.execute('python', ['run.py'], venue.variables)
  const [, text] = /^RESULT (.*)$/m.exec(out) ?? []
  if (text === undefined) return { figure: 'broke off', misses: [err.trim().slice(-2000)] }
  const { orders, filled, cancelled, differing }: Result = JSON.parse(text)
  const isIdle = filled < 6 || cancelled === 0
  return {
    figure: `${orders - differing.length} of ${orders} orders equal (${filled} filled, ${cancelled} cancelled at the venue)`,
    misses: [...differing, ...(isIdle ? ['it has traded too little to say anything'] : [])],
  }
}
