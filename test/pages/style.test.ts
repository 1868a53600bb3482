import { expect, it } from 'vitest'
import { chartStyle } from '../../src/pages/style.ts'

/** Relative luminance and contrast as WCAG 2.2 defines them. */
function luminance(color: string): number {
  const digits =
    color.length === 4 ? [...color.slice(1)].map((digit) => digit + digit) : color.slice(1).match(/../g)
  const [red = 0, green = 0, blue = 0] = (digits ?? []).map((pair) => {
    const share = Number.parseInt(pair, 16) / 255
    return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(left: string, right: string): number {
  const [dark = 0, light = 0] = [luminance(left), luminance(right)].sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

const schemes = [...chartStyle.matchAll(/:root\{([^}]*--chart-1[^}]*)\}/g)].map(([, body = '']) => {
  return new Map(
    [...body.matchAll(/--chart-([a-z0-9]+):(#[0-9a-f]+)/g)].map(([, name = '', color = '']) => [name, color]),
  )
})

it('has colours for light, for dark and for paper', () => {
  expect(schemes).toHaveLength(3)
  expect(schemes[2]).toEqual(schemes[0])
  expect(schemes[1]).not.toEqual(schemes[0])
})

it.each([0, 1])('every colour of scheme %d has enough contrast with its background', (place) => {
  const scheme = schemes[place] ?? new Map<string, string>()
  const ground = scheme.get('ground') ?? ''
  for (const color of ['1', '2', '3', '4', '5', '6', '7', '8']) {
    expect(contrast(scheme.get(color) ?? '', ground), `colour ${color}`).toBeGreaterThan(3)
  }
  for (const text of ['ink', 'soft']) {
    expect(contrast(scheme.get(text) ?? '', ground), text).toBeGreaterThan(4.5)
  }
})
