import Router from '@koa/router'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { expect } from 'vitest'
import { adminError } from '../../src/api/admin-errors.ts'
import type { AdminRoute } from '../../src/server/admin/route.ts'
import { adminRoutes } from '../../src/server/admin/routes.ts'

const ajv = new Ajv2020({ strict: false, validateFormats: false })
const validators = new Map<string, ValidateFunction>()
const router = new Router({ strict: true, sensitive: true })
for (const { method, path, id } of adminRoutes) router.register(path, [method], () => undefined, { name: id })

/** Every answer of the admin API has a status and a shape that its row in the table of operations tells. */
export function expectDocumented(method: string, target: string, status: number, body: unknown): void {
  const path = target.replace(/\?.*/, '')
  const name = router.match(path, method).pathAndMethod[0]?.name
  const route = adminRoutes.find(({ id }) => id === name)
  if (route === undefined) return
  const { id, response } = route
  expect([id, declared(route)]).toEqual([id, expect.arrayContaining([status])])
  if (status < 300 && route.mediaType !== undefined) return
  const shape = status < 300 ? response : adminError
  const key = status < 300 ? id : 'error'
  const validate = validators.get(key) ?? ajv.compile(shape)
  validators.set(key, validate)
  expect([id, validate(body) || validate.errors]).toEqual([id, true])
}

function declared({ status, errors = [], path, body }: AdminRoute): readonly number[] {
  const named = path.includes(':') ? [404] : []
  const read = body === null ? [] : [413, 415]
  return [status ?? 200, 400, 401, 403, 500, ...named, ...read, ...errors]
}
