import { expect, it } from 'vitest'
import { listMistakes } from '../fixtures.ts'
import { independent, mistakes, placeIn, planted, sound } from './planted-mistakes.ts'

it('the unchanged file is valid', () => {
  expect(listMistakes(sound)).toEqual([])
})

it.each(mistakes)('%s as %s', (...mistake) => {
  const [found, , says] = mistake
  expect(sound.split(found)).toHaveLength(2)
  const text = planted([mistake])
  const [first = ''] = listMistakes(text)
  expect(first).toMatch(says)
  const place = placeIn(text, mistake, 's.yaml')
  expect(first.slice(0, place.length)).toBe(place)
})

it('all of them in one file are told at once, each at its own place and nothing beside them', () => {
  const text = planted(independent)
  const told = listMistakes(text)
  const missed = independent.filter((mistake) => {
    const place = placeIn(text, mistake, 's.yaml')
    return !told.some((line) => line.startsWith(place) && mistake[2].test(line))
  })
  expect(missed).toEqual([])
  expect(told).toHaveLength(independent.length)
  const lines = told.map((line) => Number(line.split(':')[1]))
  expect(lines).toEqual(lines.toSorted((left, right) => left - right))
})
