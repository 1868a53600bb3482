import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openScenario } from '../../../src/cli/scenario/scenario-files.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const body = `version: 1
name: mine
accounts: [{ id: fund, type: margin, balances: { USD: 100000 }, limits: { maxLeverage: 3 } }]
timeline: [{ at: worst, note: here }]
`

function open(include: string) {
  const cwd = temporaryFolder()
  writeFileSync(join(cwd, 'mine.yaml'), `include: [${include}]\n${body}`)
  return openScenario({ scenario: 'mine.yaml', cwd, params: new Map(), seed: null })
}

it('finds a shipped scenario by its name, from a file anywhere', () => {
  const { access, timeline, venue } = open('events/covid-2020-03')
  expect(venue.market.assets.map(({ symbol }) => symbol)).toEqual(['BTC', 'ETH'])
  expect(access.map(({ id }) => id)).toContain('fund')
  expect(timeline.length).toBeGreaterThan(1)
})

it.each([
  ['events/covid-2020-03.yaml', 'a shipped scenario is called events/covid-2020-03'],
  ['flash-crahs', 'no such file, or not a text file; a shipped scenario is called flash-crash'],
  ['desk-of-mine.yaml', 'cannot read desk-of-mine.yaml: no such file, or not a text file'],
  ['../../scenarios/calm', 'cannot read ../../scenarios/calm: no such file'],
])('refuses %s', (name, message) => {
  expect(() => open(name)).toThrow(message)
})
