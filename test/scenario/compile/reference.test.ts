import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { scenarioReference } from '../../../src/scenario/compile/reference.ts'
import { editorSchema, scenarioSchema } from '../../../src/scenario/compile/schema.ts'
import { isTupleOfShapes, type Shape } from '../../../src/shape/shape.ts'
import { findScenarioFolder, listScenarioNames } from '../../../src/world/shipped/scenario-folder.ts'

const folder = findScenarioFolder() ?? ''

it('is the second part of scenarios/README.md; vitest --update writes it again', async () => {
  const file = join(folder, 'README.md')
  const readme = readFileSync(file, 'utf8')
  const guide = readme.slice(0, readme.indexOf('\n# Scenarios: the reference\n') + 1)
  expect(guide).not.toBe('')
  await expect(guide + scenarioReference()).toMatchFileSnapshot(file)
})

/** Paths of keys without a description. */
function undescribed(given: Shape, path: string): readonly string[] {
  const schema = resolve(given)
  const { properties = {}, additionalProperties, items, oneOf = [] } = schema
  const own = Object.entries(properties).flatMap(([key, value]) => [
    ...(resolve(value).description === undefined ? [`${path}.${key}`] : []),
    ...undescribed(value, `${path}.${key}`),
  ])
  const inner: readonly Shape[] = [
    ...(typeof additionalProperties === 'object' ? [additionalProperties] : []),
    ...(items === undefined ? [] : isTupleOfShapes(items) ? items : [items]),
    ...oneOf,
  ]
  return [...own, ...inner.flatMap((part) => undescribed(part, path))]
}

function resolve(schema: Shape): Shape {
  const { $ref, ...rest } = schema
  return $ref === undefined ? schema : { ...scenarioSchema.definitions[$ref.slice(14)], ...rest }
}

it('describes every key', () => {
  expect(undescribed(scenarioSchema, '')).toEqual([])
})

const document = scenarioReference()

/** Keys that must be in a table, by the section or the lead of that table. */
it.each([
  ['fees', ['fees.makerBps', 'fees.currency']],
  ['what a key is', ['keys[].key', 'keys[].secret', 'keys[].scopes']],
  ['limits of rate', ['rateLimits.enabled', 'rateLimits.windowMs']],
  ['a pair', ['pair.priceStep', 'pair.minNotional', 'set.minQuantity']],
  ['positions', ['positions.SYMBOL.averageEntryPrice']],
  ['repetition', ['every.each', 'every.from', 'every.to']],
  ['what a fault matches', ['match.nth', 'attributes.latencyMs', 'latency.p99']],
  ['what is awaited', ['request.method', 'request.account']],
  ['judging many runs', ['aggregate.over', 'aggregate.stat']],
  ['an agent', ['account', 'starts', 'params.spreadBps', 'steps[].after']],
  ['what a taker meets', ['target.account']],
  ['reports', ['report.metrics', 'report.charts']],
  ['models', ['jumps.branching', 'regimes[].volMultiple', 'correlation.matrix']],
])('tells the keys of mappings in it: %s', (_, keys) => {
  expect(keys.filter((key) => !document.includes(`\n| \`${key}\` |`))).toEqual([])
})

it('lists the operators of predicates once, where predicates are explained', () => {
  expect(document.split('between in`').length).toBe(2)
  expect(document).not.toContain('that.SYMBOL')
})

const validate = new Ajv({ strict: false, allErrors: true }).compile(editorSchema())

/** Scenarios without includes; an editor would see only a part of the others. */
const whole = listScenarioNames(folder).filter((name) => name !== 'outage-during-vol')

it.each(whole)('is a schema of draft 7 that accepts %s as written, with its parameters', (name) => {
  const document: unknown = parse(readFileSync(join(folder, `${name}.yaml`), 'utf8'), { schema: 'core' })
  expect(validate(document) ? [] : validate.errors).toEqual([])
})

it.each([
  ['a misspelt key', { cloc: {} }],
  ['an unknown action', { timeline: [{ at: '+1s', ordr: {} }] }],
  ['two triggers', { timeline: [{ at: '+1s', every: '1s', note: 'x' }] }],
  ['no action', { timeline: [{ at: '+1s' }] }],
  ['a word that is not one of the values', { selfTrade: 'cancel' }],
  ['an unknown kind of model', { market: { assets: { BTC: { price: 1, model: { kind: 'gmb' } } } } }],
])('refuses %s', (_, change) => {
  expect(validate({ version: 1, name: 'x', market: { assets: { BTC: { price: 1 } } }, ...change })).toBe(
    false,
  )
})
