import type { EquityPage } from '../model/documents.ts'
import { formatSigned, formatUsd } from '../model/format.ts'
import { useShown } from '../parts/use-console.ts'

const [width, height] = [360, 84]

/** What the account is worth in the shown world and in the one that lies over it, from the fork on. */
export function EquityOverlay() {
  const { others, world, account } = useShown()
  const [own, other] = others?.equity ?? []
  if (others === null || own === undefined || own === null || other === undefined || other === null)
    return null
  const from = others.fork === null ? Number.NEGATIVE_INFINITY : Date.parse(others.fork.at)
  const [here, there] = [listPoints(own, from), listPoints(other, from)]
  const all = [...here, ...there]
  const [low, high] = [Math.min(...all.map(([, usd]) => usd)), Math.max(...all.map(([, usd]) => usd))]
  const [begin, end] = [Math.min(...all.map(([at]) => at)), Math.max(...all.map(([at]) => at))]
  const x = (at: number) => ((at - begin) / Math.max(1, end - begin)) * width
  const y = (usd: number) => height - 4 - ((usd - low) / Math.max(0.01, high - low)) * (height - 8)
  const path = (points: readonly Point[]) =>
    points
      .map(
        ([at, usd], place) =>
          `${place === 0 ? 'M' : 'H'}${x(at).toFixed(1)}${place === 0 ? ' ' : 'V'}${y(usd).toFixed(1)}`,
      )
      .join('')
  const [mine = 0, theirs = 0] = [here.at(-1)?.[1], there.at(-1)?.[1]]
  const told = `Equity of ${account} from the fork on: ${formatUsd(mine)} in ${world}, ${formatUsd(theirs)} in ${others.world}`
  return (
    <figure class="equity" aria-label={told}>
      <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true">
        <path class="theirs" d={path(there)} />
        <path class="mine" d={path(here)} />
      </svg>
      <figcaption>
        <span class="mine">{world}</span> {formatUsd(mine)}, <span class="theirs">{others.world}</span>{' '}
        {formatUsd(theirs)}: {formatSigned(mine - theirs)}
      </figcaption>
    </figure>
  )
}

type Point = readonly [at: number, usd: number]

/** Lists the equity from an instant on, with what it was then, up to where it was read. */
function listPoints({ rows, reached }: EquityPage, from: number): readonly Point[] {
  const points = rows.map(([at, , usd]): Point => [Number(at), Number(usd)])
  const held = points.findLast(([at]) => at <= from)
  const later = points.filter(([at]) => at > from)
  const last = later.at(-1) ?? held
  return [
    ...(held === undefined ? [] : [[from, held[1]] as const]),
    ...later,
    ...(last === undefined ? [] : [[Math.max(Date.parse(reached.at), last[0]), last[1]] as const]),
  ]
}
