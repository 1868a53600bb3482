import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { programPath } from '../support/program-path.ts'
import { type Consumer, root } from './consumer.ts'

/* Three tests that fail in each runner, for what a failure says and for what the console then shows. */

/** Three tests that fail: an order rests, an answer is lost, and nothing is asked. */
const inJavaScript = (imports: string) => `${imports}
const order = { side: 'buy', asset: 'BTC', quantity: 0.1, price: 90000 }
test('rests', async ({ world }) => {
  const client = world.client('trader')
  const { orderId } = await client.orders.create(order)
  expect((await client.orders.get(orderId)).status).toBe('filled')
})
test('loses an answer', async ({ world }) => {
  world.fault({ type: 'reset_peer', phase: 'after', match: { method: 'POST' } })
  await world.client('trader').orders.create(order)
})
test('asks nothing', async ({ world }) => {
  expect(world.requests().length).toBe(1)
})
`

const inNodeTest = `
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inWorld } from 'otcsim/testing'
const order = { side: 'buy', asset: 'BTC', quantity: 0.1, price: 90000 }
test('rests', (t) => inWorld(t, async ({ world }) => {
  const client = world.client('trader')
  const { orderId } = await client.orders.create(order)
  assert.equal((await client.orders.get(orderId)).status, 'filled')
}))
test('loses an answer', (t) => inWorld(t, async ({ world }) => {
  world.fault({ type: 'reset_peer', phase: 'after', match: { method: 'POST' } })
  await world.client('trader').orders.create(order)
}))
test('asks nothing', (t) => inWorld(t, ({ world }) => assert.equal(world.requests().length, 1)))
`

const inPython = `
from conftest import admin
from test_fills import call

order = {"side": "buy", "asset": "BTC", "quantity": 0.1, "price": 90000}

def test_rests(world):
    placed = call(world, "POST", "/api/sdk/orders", order)
    assert call(world, "GET", "/api/sdk/orders/" + placed["orderId"])["status"] == "filled"

def test_loses_an_answer(world, venue):
    fault = {"type": "reset_peer", "phase": "after", "match": {"method": "POST"}}
    admin(venue, "POST", "/worlds/" + world["id"] + "/faults", fault)
    call(world, "POST", "/api/sdk/orders", order)

def test_asks_nothing(world):
    assert False
`

const inGo = `package venue

import "testing"

var order = map[string]any{"side": "buy", "asset": "BTC", "quantity": 0.1, "price": 90000}

func TestRests(given *testing.T) {
	t, as := newWorld(given)
	var placed struct{ OrderID, Status string }
	call(t, as, "POST", "/api/sdk/orders", order, &placed)
	call(t, as, "GET", "/api/sdk/orders/"+placed.OrderID, nil, &placed)
	if placed.Status != "filled" {
		t.Fatalf("%s is %s", placed.OrderID, placed.Status)
	}
}

func TestLosesAnAnswer(given *testing.T) {
	t, as := newWorld(given)
	fault := map[string]any{"type": "reset_peer", "phase": "after", "match": map[string]any{"method": "POST"}}
	admin(t, "POST", "/worlds/"+as.ID+"/faults", fault, nil)
	call(t, as, "POST", "/api/sdk/orders", order, nil)
}

func TestAsksNothing(given *testing.T) {
	t, _ := newWorld(given)
	t.Error("as planned")
}
`

const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')
const playwright = join(root, 'node_modules', '@playwright', 'test', 'cli.js')
const clients = join(root, 'scenarios', 'clients')

/** Makes folders in a project, with files and with copies of the recipes that are named. */
export const copyInto =
  ({ makeFolder }: Pick<Consumer, 'makeFolder'>) =>
  (files: { readonly [name: string]: string }, names: readonly string[]) =>
  (): string => {
    const folder = makeFolder(files)
    for (const name of names) cpSync(join(clients, name), join(folder, name))
    return folder
  }

export interface Runner {
  readonly name: string
  readonly tags: ('jest' | 'pytest' | 'go')[]
  readonly make: () => string
  readonly start: (cwd: string) => readonly [program: string, ...words: string[]]
}

const node = process.execPath
/** The packages of npm that the runners need in a project. */
export const runnerPackages = ['vitest', '@playwright/test']

/** Lists the six runners. `make` makes a folder with the three tests in a project, and `start` is what runs them. */
export const listRunners = (copied: ReturnType<typeof copyInto>): readonly Runner[] => [
  {
    name: 'vitest',
    tags: [],
    make: copied(
      { 'a.test.js': inJavaScript("import { expect } from 'vitest'\nimport { test } from 'otcsim/vitest'") },
      [],
    ),
    start: (cwd) => [node, vitest, 'run', '--no-color', '--root', cwd],
  },
  {
    name: 'jest',
    tags: ['jest'],
    make: copied({ 'a.test.cjs': inJavaScript("const { test } = require('otcsim/jest')") }, []),
    start: (cwd) => [node, programPath('jest'), '--ci', '--rootDir', cwd],
  },
  {
    name: 'Playwright',
    tags: [],
    make: copied(
      {
        'a.spec.js': inJavaScript(`const { test: base, expect } = require('@playwright/test')
const { worldFixtures } = require('otcsim/playwright')
const test = base.extend(worldFixtures())`),
      },
      [],
    ),
    start: (cwd) => [node, playwright, 'test', '--config', cwd, '--reporter=line'],
  },
  {
    name: 'node:test',
    tags: [],
    make: copied({ 'a.test.mjs': inNodeTest }, []),
    start: (cwd) => [node, '--test', join(cwd, 'a.test.mjs')],
  },
  {
    name: 'pytest',
    tags: ['pytest'],
    make: copied({ 'test_answers.py': inPython }, ['conftest.py', 'test_fills.py']),
    start: () => [programPath('pytest'), '-q', '-p', 'no:cacheprovider', 'test_answers.py'],
  },
  {
    name: 'Go',
    tags: ['go'],
    make: copied({ 'answers_test.go': inGo, 'go.mod': 'module venue\n\ngo 1.21\n' }, ['venue_test.go']),
    start: () => [programPath('go'), 'test', './...'],
  },
]
