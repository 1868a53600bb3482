import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { adminRoutes } from '../../src/server/admin/routes.ts'

it('tells every operation on a world', () => {
  const readme = readFileSync(new URL('../../src/server/README.md', import.meta.url), 'utf8')
  const words = new Set(
    [...readme.matchAll(/`([^`\n]+)`/g)].flatMap(([, code = '']) => code.split(/[^a-z-]+/)),
  )
  const paths = adminRoutes.map(({ path }) => path).filter((path) => path.startsWith('/worlds/:world/'))
  const named = (path: string) =>
    path.split('/').every((word) => word === '' || word.startsWith(':') || words.has(word))
  expect(paths.length).toBeGreaterThan(30)
  expect(paths.filter((path) => !named(path))).toEqual([])
})
