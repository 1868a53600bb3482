import { existsSync, readFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { built } from '../cli/built-command.ts'
import { repository, serve } from '../cli/harness.ts'
import { signedHeaders } from '../server/signed-request.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/* The recipes for services of CI, without these services: what they run runs, and what they set is an option. */

/** A program that asks the venue. */
const client = join(repository, 'scenarios/clients/careful-client.mjs')
const recipe = (name: string) => parse(readFileSync(join(repository, 'scenarios/clients', name), 'utf8'))

it('each command of the GitHub workflow runs', { timeout: 120_000 }, async () => {
  const { jobs } = recipe('github-actions.yml')
  const commands: string[] = jobs.venue.steps.flatMap(({ run }: { readonly run?: string }) => run ?? [])
  expect(commands[0]).toBe('npm ci')
  const ours = commands.filter((command) => command.startsWith('npx --no otcsim '))
  expect(ours).toHaveLength(2)
  for (const command of ours) {
    const words = command.replace('npx --no otcsim ', '').replace('npm test', `node ${client}`).split(' ')
    expect(await built(words, temporaryFolder()), command).toMatchObject({ code: 0 })
  }
})

it('the composed venue answers its client, and listens as the container does', async () => {
  const { venue, client } = recipe('compose.yaml').services
  const dockerfile = readFileSync(join(repository, venue.build.dockerfile), 'utf8')
  expect(dockerfile).toMatch(/^HEALTHCHECK /m)
  expect(client.depends_on.venue).toEqual({ condition: 'service_healthy' })
  const value = (text: string) => text.replace(/^\$\{\w+:-(.*)\}$/, '$1')
  const set = Object.entries<string>(venue.environment).map(([name, text]) => [name, value(text)])
  const env = { ...Object.fromEntries(set), OTCSIM_HOST: '0.0.0.0' }
  const { url } = await serve(['--port', '0'], { env })
  const { OTC_API_KEY, OTC_API_SECRET, OTC_BASE_URL, OTC_ADMIN_URL, OTC_ADMIN_TOKEN } = client.environment
  const { port } = new URL(url)
  const asked = { method: 'GET', target: '/api/sdk/portfolio/balances', body: '' }
  const keys = { apiKey: OTC_API_KEY, apiSecret: OTC_API_SECRET }
  expect(
    await statusOf(port, asked.target, OTC_BASE_URL, signedHeaders({ ...asked, ...keys }, Date.now())),
  ).toBe(200)
  const admin = `${new URL(OTC_ADMIN_URL).pathname}/worlds`
  const token = { Authorization: `Bearer ${value(OTC_ADMIN_TOKEN)}` }
  expect(await statusOf(port, admin, OTC_ADMIN_URL, token)).toBe(200)
  expect(await statusOf(port, admin, OTC_ADMIN_URL, {})).toBe(401)
})

/** As the client in the other container asks: its requests name the service as their host. */
function statusOf(
  port: string,
  path: string,
  address: string,
  headers: Record<string, string>,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = { host: '127.0.0.1', port, path, headers: { ...headers, Host: new URL(address).host } }
    request(sent, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
      .on('error', reject)
      .end()
  })
}

it('are named by the guide', () => {
  const guide = readFileSync(join(repository, 'src/testing/README.md'), 'utf8')
  for (const name of ['github-actions.yml', 'compose.yaml']) {
    expect(existsSync(join(repository, 'scenarios/clients', name))).toBe(true)
    expect(guide).toContain(`](../../scenarios/clients/${name})`)
  }
})
