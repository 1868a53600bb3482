import type { Client } from './client.ts'

/** A part of its own report. */
interface Report {
  readonly test_cases: { readonly generated: number }
  readonly failures: readonly {
    readonly code: string
    readonly title: string
    readonly operations: readonly unknown[]
  }[]
  readonly errors: readonly unknown[]
}

/** The two checks that `hooks.py` has with exceptions, and that what was deleted is gone: a cancelled order can be read. */
const excluded = 'positive_data_acceptance,negative_data_rejection,use_after_free'

/** All of its checks and phases; what `hooks.py` lists, with reasons, is counted and is no failure. */
export const schemathesis: Client['run'] = async (venue, workshop) => {
  workshop.copy('python/signing.py', 'signing.py')
  workshop.copy('schemathesis', '.')
  const { out, err } = await workshop.execute(
    'st',
    [
      ...['run', venue.document, '--url', venue.url, '--seed', '1', '--max-examples', '100'],
      // Continuing finds what is behind a failure.
      ...['--continue-on-failure', '--exclude-checks', excluded],
      ...['--report', 'json', '--report-json-path', 'report.json'],
    ],
    { ...venue.variables, SCHEMATHESIS_HOOKS: 'hooks', PYTHONPATH: '.' },
  )
  workshop.write('printed.txt', out + err)
  const report: Report = JSON.parse(workshop.read('report.json'))
  const excused: Record<string, number> = JSON.parse(workshop.read('excused.json'))
  const count = report.failures.reduce((sum, { operations }) => sum + operations.length, 0)
  const reasons = Object.entries(excused).map(([why, times]) => `excused ${times} times: ${why}`)
  return {
    figure: `${count} failures in ${report.test_cases.generated} cases, ${reasons.length} kinds excused`,
    notes: reasons,
    misses: [
      ...report.failures.map(
        ({ code, title, operations }) => `${code} ${title}: ${operations.join(', ')} (see printed.txt)`,
      ),
      ...report.errors.map((error) => JSON.stringify(error)),
    ],
  }
}
