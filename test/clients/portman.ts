import { readFileSync } from 'node:fs'
import type { Client } from './client.ts'

/** Newman's report, as far as it is read here. */
interface Report {
  readonly run: {
    readonly stats: { readonly assertions: { readonly total: number; readonly failed: number } }
    readonly failures: readonly {
      readonly source?: { readonly name: string }
      readonly error: { readonly test?: string; readonly message: string }
    }[]
  }
}

/**
 * Portman makes a Postman collection with all of its contract tests; Newman runs it in the order of the document, with the
 * document's examples.
 */
export const portman: Client['run'] = async (venue, workshop) => {
  const signing = readFileSync(new URL('./portman/sign.js', import.meta.url), 'utf8')
  const tests = ['statusSuccess', 'contentType', 'jsonBody', 'schemaValidation', 'headersPresent']
  workshop.write(
    'portman.json',
    JSON.stringify({
      version: 1,
      tests: {
        contractTests: [
          {
            openApiOperation: '*::/*',
            ...Object.fromEntries(tests.map((test) => [test, { enabled: true }])),
          },
        ],
      },
      globals: { collectionPreRequestScripts: [signing] },
    }),
  )
  await workshop.must('portman', [
    ...['--url', venue.document, '--baseUrl', venue.url],
    ...['--portmanConfigFile', 'portman.json', '--output', 'collection.json'],
  ])
  const { VENUE_KEY = '', VENUE_SECRET = '' } = venue.variables
  // It ends with 1 when an assertion fails: the report says which.
  await workshop.execute('newman', [
    ...['run', 'collection.json', '--reporters', 'json', '--reporter-json-export', 'report.json'],
    ...['--env-var', `apiKey=${VENUE_KEY}`, '--env-var', `apiSecret=${VENUE_SECRET}`],
  ])
  const { run }: Report = JSON.parse(workshop.read('report.json'))
  const { total, failed } = run.stats.assertions
  return {
    figure: `${total - failed} of ${total} assertions`,
    misses: run.failures.map(({ source, error }) => `${source?.name}: ${error.test} ${error.message}`),
  }
}
