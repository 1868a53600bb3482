import { isTupleOfShapes, type Shape } from '../../shape/shape.ts'
import { actionNames, isActionName } from '../actions/actions.ts'
import { agentKinds } from '../agents/agent-kinds.ts'
import { resolveRef, typeNouns } from '../file/schema-words.ts'
import { families } from '../predicates/readouts.ts'
import { figureGroups, figures } from '../predicates/run-figures.ts'
import { counterFields, lockedFields, orderRefusals, quoteRefusals } from '../predicates/trading-fields.ts'
import { triggerNames } from './compile-timeline.ts'
import { scenarioSchema } from './schema.ts'

/** Formats the whole language as Markdown, from the schema. A scenario can have nothing that is not in the schema. */
export function scenarioReference(): string {
  const root = scenarioSchema.properties ?? {}
  const entry = itemOf(root['timeline'])
  const expectation = itemOf(root['expect'])
  const account = itemOf(root['accounts'])
  const agent = itemOf(root['agents'])
  const market = root['market'] ?? {}
  const asset = propertiesOf(valueSchemaOf(propertiesOf(market)['assets']))
  const sections = [
    `# Scenarios: the reference

Generated from the schema by \`otcsim schema scenario --markdown\`; a test compares the two. For editors there is the schema itself:
\`otcsim schema scenario > scenario.schema.json\`, and \`# yaml-language-server: $schema=scenario.schema.json\` as a
file's first line. Durations are \`250ms 5s 2m 1h 3d\`, moments \`+5m\` after the start, an instant, \`start\`, \`end\` (with \`clock.end\`), or an entry's id, these three also as \`id+10s\`; a text
refers to a parameter by a dollar sign and its name in braces.`,
    formatSection(
      'Top level',
      formatKeysTable(root, (key) => !['timeline', 'expect'].includes(key)),
    ),
    formatSection('clock', formatKeysTable(propertiesOf(root['clock']))),
    formatSection('market', formatKeysTable(propertiesOf(market))),
    formatSection('market.assets.SYMBOL', formatKeysTable(asset)),
    ...formatKindSections('model', asset['model']),
    ...formatKindSections('liquidity', asset['liquidity']),
    formatSection('dynamics', formatKeysTable(nestedProperties(asset['liquidity'], 'dynamics'))),
    ...formatKindSections('flow', asset['flow']),
    formatSection('informed', formatKeysTable(nestedProperties(asset['flow'], 'informed'))),
    formatSection('impact', formatKeysTable(mergeProperties(asset['impact']))),
    formatSection('accounts', formatKeysTable(propertiesOf(account))),
    formatSection('limits', formatKeysTable(propertiesOf(scenarioSchema.definitions['limits']))),
    formatSection(
      'agents',
      `Kinds: ${agentKinds.join(', ')}. Each kind has its own \`params\`. All kinds have:\n\n${formatKeysTable(
        propertiesOf(agent.oneOf?.[0]),
        (key) => !['kind', 'params'].includes(key),
      )}`,
    ),
    ...formatKindSections('agents', agent),
    formatSection(
      'timeline',
      `Each entry has one of ${formatWords(triggerNames)}, one action, and may have an \`id\`.\n\n${formatKeysTable(
        propertiesOf(entry),
        (key) => !isActionName(key),
      )}`,
    ),
    ...actionNames.map((name) => formatActionSection(name, propertiesOf(entry)[name] ?? {})),
    formatSection('expect', formatKeysTable(propertiesOf(expectation))),
    formatSection('leadsTo', formatKeysTable(propertiesOf(propertiesOf(expectation)['leadsTo']))),
    predicates,
    formatSection('Read-outs', formatReadouts()),
    formatSection(
      'Figures',
      `\`metrics[account].NAME\`, and in \`report.metrics\` also ${formatWords([...figureGroups.keys()])} for several at once.\n\n${formatFigures()}`,
    ),
  ]
  return `${sections.join('\n\n')}\n`
}

const predicates = `## Predicates

A predicate is a text, such as \`price.BTC.mid >= 49500 and order[bid].status in ['open', 'filled']\`, or a mapping of read-outs
to values or operators: \`{market.BTC.status: active, price.BTC.mid: {gte: 49500}}\`. Operators are \`eq ne lt lte gt gte between in\`; a key such as \`"order[bid].status"\` needs quotes. \`between\` and \`in\` take a list: \`price.BTC.mid between [49000, 51000]\`. The operators of a text, from the loosest binding: \`or\`, \`and\`, \`not\`, \`== != < <= > >= in between\`, \`+ -\`,
\`*\`, \`abs()\`. Numbers are exact decimals. What does not exist (an order not placed yet) is unknown: it neither fulfils nor breaks.
\`order[*]\`, \`quote[*]\` and \`fill\` run over all of them (\`fill\` over the fills since the last look, with \`at\` over all so far): the
predicate holds when it holds for some, with \`always\` for all.`

function formatSection(title: string, text: string): string {
  return `## ${title}\n\n${text}`
}

function formatActionSection(name: string, schema: Shape): string {
  const { description = '' } = schema
  const properties = propertiesOf(schema)
  const text =
    Object.keys(properties).length === 0 ? description : `${description}\n\n${formatKeysTable(properties)}`
  return `### ${name}\n\n${text}`
}

function formatKindSections(name: string, schema: Shape | undefined): readonly string[] {
  return (schema?.oneOf ?? []).map((given) => {
    const branch = resolve(given)
    const properties = propertiesOf(branch)
    const kind = String(properties['kind']?.const ?? '')
    const keys = Object.keys(properties).filter((key) => key !== 'kind')
    const table =
      name === 'agents'
        ? formatAgentTable(properties)
        : keys.length === 0
          ? ''
          : formatKeysTable(properties, (key) => key !== 'kind')
    return `### ${name}: ${kind}\n\n${branch.description ?? ''}${table === '' ? '' : `\n\n${table}`}`
  })
}

/** Formats the parameters of one kind of agent, by their paths, and the other keys that only this kind has. */
function formatAgentTable({ params, steps }: { readonly [name: string]: Shape }): string {
  const parameters = Object.entries(propertiesOf(params)).map(([key, schema]) => [`params.${key}`, schema])
  return formatKeysTable({ ...Object.fromEntries(parameters), ...(steps === undefined ? {} : { steps }) })
}

function formatKeysTable(
  properties: { readonly [name: string]: Shape },
  isShown: (key: string) => boolean = () => true,
): string {
  const shown = Object.entries(properties).filter(([key]) => isShown(key))
  const rows = shown.flatMap(([key, given]) => formatRows(key, key, given))
  return rows.length === 0 ? '' : ['| key | value | meaning |', '|---|---|---|', ...rows].join('\n')
}

/**
 * Formats the row of a key, and the rows of its values' keys where these are mappings without a section of their own.
 */
function formatRows(path: string, key: string, given: Shape): readonly string[] {
  const schema = resolve(given)
  if (schema['x-refused'] !== undefined) return []
  const fallback = schema.default === undefined ? '' : ` Default \`${schema.default}\`.`
  const row = `| \`${path}\` | ${escapeCell(formatNoun(schema) + formatNarrowedRange(given))} | ${escapeCell(`${schema.description ?? ''}${fallback}`)} |`
  if (ownSections.has(key)) return [row]
  const below = listNested(path, schema).flatMap(([lead, properties]) =>
    Object.entries(properties).flatMap(([name, given]) => formatRows(`${lead}.${name}`, name, given)),
  )
  return [row, ...below]
}

const ownSections: ReadonlySet<string> = new Set([
  ...['accounts', 'agents', 'assets', 'clock', 'dynamics', 'expect', 'flow', 'impact', 'informed'],
  ...['leadsTo', 'limits', 'liquidity', 'market', 'model', 'params', 'timeline'],
  // The keys whose values are predicates.
  ...['always', 'eventually', 'from', 'never', 'that', 'to', 'when'],
])

/** Lists the mappings with keys of their own that a value may be or contain, each with the path to its keys. */
function listNested(
  path: string,
  schema: Shape,
): readonly (readonly [string, NonNullable<Shape['properties']>])[] {
  const choices = [schema, ...(schema.oneOf ?? []).map(resolve)]
  return choices.flatMap((choice) => {
    const item = itemOf(choice)
    return [
      [path, propertiesOf(choice)] as const,
      [`${path}[]`, propertiesOf(item)] as const,
      [`${path}.SYMBOL`, propertiesOf(valueSchemaOf(choice))] as const,
    ].filter(([, properties]) => Object.keys(properties).length > 0)
  })
}

function formatNoun(schema: Shape): string {
  if (schema.const !== undefined) return `\`${schema.const}\``
  if (schema.enum !== undefined) return schema.enum.map((word) => `\`${word}\``).join(', ')
  if (schema.title !== undefined) return schema.title
  if (schema.oneOf !== undefined) {
    const kinds = schema.oneOf
      .filter((branch) => branch['x-refused'] === undefined)
      .flatMap((branch) => propertiesOf(resolve(branch))['kind']?.const ?? [])
    if (kinds.length > 0) return `a mapping; \`kind\` is ${formatWords(kinds.map(String))}`
    return schema.oneOf.map((branch) => formatNoun(resolve(branch))).join(', or ')
  }
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? [])
  const range = formatRange(schema)
  return types.map((type) => typeNouns[type]).join(' or ') + range
}

/** Formats the range of an amount, where it is narrower than that of all amounts. */
const formatNarrowedRange = (given: Shape): string => (given.$ref === undefined ? '' : formatRange(given))

function formatRange({ minimum, maximum, exclusiveMinimum }: Shape): string {
  if (minimum !== undefined && maximum !== undefined) return ` from ${minimum} to ${maximum}`
  if (minimum !== undefined) return ` from ${minimum}`
  if (maximum !== undefined) return ` up to ${maximum}`
  return exclusiveMinimum === undefined ? '' : ` above ${exclusiveMinimum}`
}

function formatReadouts(): string {
  const lines = Object.values(families).flatMap(({ path, fields }) => {
    const names = Object.entries(fields).map(([name, { type }]) =>
      type === 'number' ? name : `${name} (${type})`,
    )
    return path === null ? [] : `| \`${path}\` | ${names.join(', ')} |`
  })
  const more = [
    ...Object.keys(lockedFields).map((name) => `| \`account[id].${name}.SYMBOL\` | a number |`),
    ...Object.keys(counterFields).map((name) => `| \`${name}\` | a number |`),
    '| `clock` | seconds since the start |',
    '| `happened[id]` | whether an entry of the timeline has acted, or what it awaits has come |',
    '| `order[id.clientOrderId]` | the order of the request that the fault `id` struck |',
  ]
  const text = `Brackets of \`requests\` hold a method and a path, a path (\`*\` for any text), a key, an account or \`*\`. A \`refusal\` is the
error type of the interface or, where it has none, the reason: ${formatWords([...new Set([...orderRefusals, ...quoteRefusals])])}.`
  return `${text}\n\n| read-out | fields |\n|---|---|\n${[...lines, ...more].join('\n')}`
}

function formatFigures(): string {
  const rows = Object.entries(figures).map(
    ([name, { description }]) => `| \`${name}\` | ${escapeCell(description)} |`,
  )
  return ['| figure | meaning |', '|---|---|', ...rows].join('\n')
}

const formatWords = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ')

const escapeCell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

const propertiesOf = (schema: Shape | undefined): { readonly [name: string]: Shape } =>
  schema === undefined ? {} : (resolve(schema).properties ?? {})

const mergeProperties = (schema: Shape | undefined): { readonly [name: string]: Shape } =>
  Object.assign({}, ...[schema, ...(schema?.oneOf ?? [])].map(propertiesOf))

const nestedProperties = (kinds: Shape | undefined, key: string): { readonly [name: string]: Shape } =>
  mergeProperties(kinds?.oneOf?.flatMap((branch) => propertiesOf(branch)[key] ?? [])[0])

function valueSchemaOf(schema: Shape | undefined): Shape {
  const value = schema === undefined ? false : resolve(schema).additionalProperties
  return typeof value === 'object' ? resolve(value) : {}
}

function itemOf(schema: Shape | undefined): Shape {
  const items = schema?.items
  return items === undefined || isTupleOfShapes(items) ? {} : resolve(items)
}

const resolve = (schema: Shape): Shape => resolveRef(schema, scenarioSchema)
