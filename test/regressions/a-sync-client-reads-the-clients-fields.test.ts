// Room: backtest

import { expect, test } from 'vitest'
import { backtest } from '../../src/backtest/backtest.ts'
import { defineStrategy } from '../../src/backtest/strategy.ts'
import { compiledScenario } from '../support/compiled-scenario.ts'
import { quietScenario } from '../world/scenarios.ts'

/* In a backtest, only the client with promises had the fields that reading `answers.clientFields` adds. */

test('both clients of a strategy answer as the readings say', async () => {
  const scenario = {
    ...compiledScenario(quietScenario),
    readings: new Map([['answers.clientFields', 'added']]),
  }
  const answers: object[] = []
  const asking = defineStrategy({
    name: 'asking',
    async onStart({ sync, venue }) {
      answers.push(sync.portfolio.balance('BTC'), await venue.portfolio.balance('BTC'))
    },
  })
  await backtest(asking, { scenario, to: '1m', tick: '1m' })
  const [atOnce, promised] = answers
  expect(atOnce).toHaveProperty('updatedAt')
  expect(atOnce).toEqual(promised)
})
