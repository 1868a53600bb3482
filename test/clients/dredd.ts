import type { Client } from './client.ts'

/**
 * Dredd makes each example request of the document, in its order, and compares status, headers and body with what the
 * document says. Content types must be the same to the letter.
 */
export const dredd: Client['run'] = async (venue, workshop) => {
  workshop.copy('dredd/hooks.cjs', 'hooks.cjs')
  workshop.write('openapi.json', await venue.readDocument('?openapi=3.0'))
  // It ends with 1 when a transaction fails: its last lines say how many.
  const { out, err } = await workshop.execute(
    'dredd',
    ['openapi.json', venue.url, '--hookfiles', 'hooks.cjs', '--loglevel', 'error'],
    venue.variables,
  )
  const told = `${out}${err}`
  const [, passing = '0', failing = '0', errors = '0'] =
    /(\d+) passing, (\d+) failing, (\d+) errors/.exec(told) ?? []
  const lacks = Number(passing) === 0 ? [`no transaction has passed: ${told.trim().slice(-1000)}`] : []
  const failures = told.split('\n').filter((line) => /^(?:fail|error): /.test(line))
  return {
    figure: `${passing} of ${Number(passing) + Number(failing) + Number(errors)} transactions`,
    misses: [...lacks, ...failures],
  }
}
