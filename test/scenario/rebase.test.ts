import { expect, it } from 'vitest'
import { loadScenario } from '../../src/scenario/load.ts'

const scenario = (price: string): string => `
version: 1
name: rebased
market:
  assets:
    BTC:
      ${price}
      model: {kind: waypoints, asReturnsFrom: 8000, points: [[+0h, 8000], [+1h, 4000], [+2h, 6000], [+3h, -10%]]}
`

it('moves the points of a path to the price of the start by their ratio', () => {
  const pricesOf = (price: string): readonly number[] => {
    const loaded = loadScenario(scenario(price), 's.yaml')
    if (!loaded.ok) throw new Error('the scenario compiles')
    const [model] = loaded.value.venue.market.assets.map((asset) => asset.model)
    return model?.kind === 'waypoints' ? model.points.map((point) => point.price) : []
  }
  expect(pricesOf('price: 100000')).toEqual([100_000, 50_000, 75_000, 90_000])
  expect(pricesOf('price: 8000')).toEqual([8_000, 4_000, 6_000, 7_200])
})
