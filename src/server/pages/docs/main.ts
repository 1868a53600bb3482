import type { BrowserDocument, BrowserPlace, SwaggerUi } from './browser.ts'
import { type KeyChoice, keyChoices, textOf } from './key-list.ts'
import { keepFieldsNamed } from './name-fields.ts'
import { type PageKey, type PageRequest, signRequest } from './sign-request.ts'

/*
 * The script of the docs page: Swagger UI over our document. Every request is signed with the key that is chosen
 * above it. Everything that the page loads comes from its own server.
 */

declare const document: BrowserDocument
declare const location: BrowserPlace
declare const SwaggerUIBundle: SwaggerUi

const byId = (id: string) => document.getElementById(id)
const keyList = byId('key')
const status = byId('status')
const tokenForm = byId('token-form')
const token = byId('token')

let choices: readonly KeyChoice[] = []

tokenForm.addEventListener('submit', (event) => {
  event.preventDefault()
  open()
})
open()

async function open(): Promise<void> {
  try {
    const [description, worlds] = await Promise.all([ask('openapi.json'), ask('worlds')])
    tokenForm.hidden = true
    choices = keyChoices(worlds)
    showKeys()
    say('', false)
    show(description)
  } catch (failure) {
    say(failure instanceof Error ? failure.message : String(failure), true)
  }
}

/** A request to the admin API, which may ask for a token. */
async function ask(path: string): Promise<unknown> {
  const headers: Record<string, string> = token.value === '' ? {} : { Authorization: `Bearer ${token.value}` }
  const response = await fetch(new URL(`../${path}`, location.href), { headers })
  if (response.status === 401) {
    tokenForm.hidden = false
    throw new Error('This server asks for its admin token')
  }
  if (!response.ok) throw new Error(`The server answered ${response.status}`)
  return response.json()
}

function showKeys(): void {
  const labels = [...choices.map(({ label }) => label), 'nobody: not signed']
  const options = labels.map((label, index) => {
    const option = document.createElement('option')
    option.value = String(index)
    option.textContent = label
    return option
  })
  keyList.replaceChildren(...options)
  keyList.disabled = false
}

/** Whatever address the document names, the page calls its own server: no other origin is allowed. */
function show(description: unknown): void {
  const spec = { ...Object(description), servers: [{ url: location.origin }] }
  SwaggerUIBundle({
    spec,
    dom_id: '#docs',
    deepLinking: true,
    displayRequestDuration: true,
    tryItOutEnabled: true,
    defaultModelsExpandDepth: 0,
    filter: true,
    validatorUrl: null,
    // The usual highlighting has numbers too dark for their background.
    syntaxHighlight: { theme: 'obsidian' },
    requestInterceptor: sign,
  })
  keepFieldsNamed(byId('docs'))
}

async function sign(request: PageRequest): Promise<PageRequest> {
  const choice = choices[Number(keyList.value)]
  if (choice === undefined) return request
  const { text, signature } = signRequest(request, choice.key, location.origin, await timeOf(choice.key))
  byId('signed-text').textContent = text
  byId('signed-signature').textContent = signature
  byId('signed').hidden = false
  return request
}

/** If a world checks timestamps by its own clock, the page asks it for the time. */
async function timeOf({ clock, world }: PageKey): Promise<number> {
  if (clock === 'wall') return Date.now()
  return Date.parse(textOf(await ask(`worlds/${encodeURIComponent(world)}`), 'now'))
}

function say(text: string, isBad: boolean): void {
  status.textContent = text
  status.classList.toggle('bad', isBad)
}
