import { assert } from '../../numeric/assert.ts'
import { bisectItems } from '../../numeric/columns.ts'
import { ownValue, readStated, schemaInFile } from '../../shape/in-file.ts'
import { kind, list, price, type RecordOf, record, type Shape, span } from '../../shape/shape.ts'
import { hundredYearsMillis, isIntegerWithin, problem, type SpecProblem } from '../../shape/spec-checks.ts'
import { parseChange, units } from '../../shape/units.ts'
import type { Waypoint } from '../scripted-path.ts'
import { BridgedLine, type SegmentFinder } from './bridged-line.ts'
import { type AssetInput, defineModel, noiseVol } from './model-definition.ts'
import type { PriceModel, StreamNames } from './price-model.ts'

const description = 'Through the points, log-linear between them.'
const shape = record(
  {
    kind: kind('waypoints'),
    points: list(
      record({
        offsetMillis: span(0, hundredYearsMillis, "After the path's first instant."),
        price: price('USD a unit.'),
      }),
      null,
    ),
    noiseVol,
  },
  description,
)

/** Schema of points in a scenario file: pairs of an offset and a price, where the price may be a change. */
export const pointsFileSchema: Shape = {
  type: 'array',
  minItems: 1,
  maxItems: 10_000,
  items: {
    title: 'a pair [offset, price], such as [+5m, -4%] or [+5m, 48000]',
    type: 'array',
    minItems: 2,
    maxItems: 2,
    items: [
      { title: 'an offset, such as +5m', type: 'string', pattern: '^\\+([0-9]+(\\.[0-9]+)?(ms|s|m|h|d))+$' },
      { $ref: '#/definitions/priceTerm' },
    ],
  },
}

/** Model `waypoints`: a path through given points, with optional noise between them. */
export const waypoints = defineModel<WaypointsSpec>({
  shape,
  stated: {
    shape: {
      type: 'object',
      additionalProperties: false,
      description,
      required: ['kind'],
      properties: {
        kind: schemaInFile(kind('waypoints')),
        points: {
          ...pointsFileSchema,
          description: 'Offsets from the start with prices, or with changes from the start price.',
        },
        noiseVol: schemaInFile(noiseVol),
        asReturnsFrom: {
          $ref: '#/definitions/price',
          description:
            "Prices of the points are read as ratios to this one; the path starts at the asset's price.",
        },
      },
    },
    read: (stated, asset, problems) => ({
      kind: 'waypoints',
      points: readPoints(stated, asset, problems),
      noiseVol: readStated(noiseVol, ownValue(stated, 'noiseVol'), undefined, 'noiseVol', problems),
    }),
  },
  rule: ({ points }) => {
    let previousMillis = 0
    for (const [place, { offsetMillis }] of points.entries()) {
      if (!isIntegerWithin(offsetMillis, previousMillis, hundredYearsMillis)) {
        return problem(
          `model.points[${place}].offsetMillis`,
          'is not a whole number at or after the point before',
        )
      }
      previousMillis = offsetMillis
    }
    return null
  },
  path: (price, { points, noiseVol }, { names }) => {
    const startsByItself = points[0]?.offsetMillis === 0
    const whole = startsByItself ? points : [{ offsetMillis: 0, price }, ...points]
    return createWaypoints(whole, 0, noiseVol, names, 'path')
  },
})

export type WaypointsSpec = RecordOf<typeof shape>

/**
 * Reads the points that a file states. Percentages are of the asset's start price, and the path starts there.
 * With `asReturnsFrom`, prices keep only their ratio to that one, so that a past event can be replayed at
 * today's prices.
 */
function readPoints(stated: unknown, { price }: AssetInput, problems: SpecProblem[]): readonly Waypoint[] {
  const read = (value: number | string, path: string): number => {
    if (typeof value === 'number') return value
    problems.push(problem(path, value))
    return 1
  }
  const origin = ownValue(stated, 'asReturnsFrom') ?? null
  const ratio = origin === null ? 1 : price / read(units.price.read(String(origin)), 'asReturnsFrom')
  const points: Waypoint[] = []
  const pairs = ownValue(stated, 'points')
  for (const [place, pair] of (Array.isArray(pairs) ? pairs : []).entries()) {
    const [offset, target] = [String(pair[0]), String(pair[1])]
    const offsetMillis = read(units.duration.read(offset.slice(1)), `points[${place}][0]`)
    if (points.length === 0 && offsetMillis > 0) points.push({ offsetMillis: 0, price })
    if (offsetMillis < (points.at(-1)?.offsetMillis ?? 0))
      problems.push(problem(`points[${place}][0]`, 'offsets never fall'))
    const change = parseChange(target)
    const at = `points[${place}][1]`
    points.push({
      offsetMillis,
      price:
        change === null
          ? read(units.price.read(target), at) * ratio
          : (price * (1_000_000 + read(change, at))) / 1_000_000,
    })
  }
  return points.length > 0 ? points : [{ offsetMillis: 0, price }]
}

/**
 * Creates a path that is log-linear from point to point and hits each exactly, with bridge noise of an annual
 * volatility between them. Offsets count from `startMillis` (after the market's start) and never fall; of two
 * points at one instant the later one holds there, which is a jump. Choice: after the last point the price
 * stays; before the first one only the noise moves it, so that a market has a history.
 */
export function createWaypoints(
  points: readonly Waypoint[],
  startMillis: number,
  noiseVol: number,
  names: StreamNames,
  purpose: string,
): PriceModel {
  const findSegment: SegmentFinder = (offsetMillis, segment) => {
    const next = bisectItems(points, (point) => point.offsetMillis > offsetMillis - startMillis)
    const from = points[next - 1]
    const to = points[next]
    const fromMillis = startMillis + (from?.offsetMillis ?? 0)
    const toMillis = startMillis + (to?.offsetMillis ?? 0)
    if (from === undefined) {
      assert(to !== undefined, 'a path has a point')
      segment.set('tail', Number.NEGATIVE_INFINITY, to.price, toMillis, to.price)
    } else if (to === undefined)
      segment.set('still', fromMillis, from.price, Number.POSITIVE_INFINITY, from.price)
    else segment.set('bridge', fromMillis, from.price, toMillis, to.price)
  }
  return new BridgedLine(findSegment, noiseVol, names, purpose)
}
