import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'

/** A module that lets a thread load TypeScript: unless it is called, tsx registers itself for main threads only. */
export function typeScriptLoader(): string {
  const folder = pathToFileURL(createRequire(import.meta.url).resolve('tsx/package.json'))
  const api = new URL('dist/esm/api/index.mjs', folder).href
  return `data:text/javascript,import{register}from${encodeURIComponent(JSON.stringify(api))};register()`
}
