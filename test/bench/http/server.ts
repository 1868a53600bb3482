import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type Koa from 'koa'
import { ownReader, plainKoa, type State } from './plain-koa.ts'

/*
 * The plainest Koa application in a process of its own: PORT, and the package.json of a folder that has @koa/bodyparser, if
 * bodies are to be read by that.
 */

const [port = '0', packages] = process.argv.slice(2)
const readers = packages === undefined ? [ownReader] : bodyParser(packages)
createServer(plainKoa(readers).callback()).listen(Number(port), '127.0.0.1')

function bodyParser(folder: string): readonly Koa.Middleware<State>[] {
  const { bodyParser: parser } = createRequire(folder)('@koa/bodyparser')
  const keep: Koa.Middleware<State> = async (ctx, next) => {
    // Source: the parser's documentation, "Raw Body".
    const { rawBody = '' }: { readonly rawBody?: string } = Object(ctx.request)
    ctx.state.body = rawBody
    await next()
  }
  return [parser({ enableTypes: ['json'], jsonLimit: '1mb' }), keep]
}
