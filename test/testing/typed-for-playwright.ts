import { test as base } from '@playwright/test'
import { type WorldFixtures, worldFixtures } from '../../src/testing/playwright.ts'

/* Never run: that it compiles shows that Playwright accepts the fixtures. */

const test = base.extend<WorldFixtures>(worldFixtures())
test.use({ scenario: 'thin-book', worldOptions: { seed: '7' } })

test('a test with a world and its venue', async ({ world, venue }) => {
  const url: string = venue.url
  await world.client('trader').orders.list()
  world.advance(url.length)
})
