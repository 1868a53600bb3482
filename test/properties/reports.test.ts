import { expect, test } from 'vitest'
import { sampledChoices } from '../arbitraries/configs.ts'
import { caseBudget } from '../support/full-run.ts'
import { brokenReports } from './report-invariants.ts'
import { opened, recordedCommands } from './whole-run.ts'

const choices = sampledChoices(51, 6)

test.each(choices)(
  'after every command the reports agree with the tables, world $index',
  ({ index, ...choice }) => {
    const { config, commands } = recordedCommands(choice, 51_000 + index, caseBudget(250))
    const { venue } = opened(config)
    commands.forEach((command, position) => {
      venue.execute(command)
      const broken = brokenReports(venue.state)
      if (broken.length > 0) {
        expect.fail(
          `world ${index}, command ${position} ${JSON.stringify(command)}\n${broken.slice(0, 5).join('\n')}`,
        )
      }
    })
  },
)
