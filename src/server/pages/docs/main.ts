import type { BrowserDocument, BrowserPlace, SwaggerUi } from './browser.ts'
import { type KeyChoice, keyChoices, textField } from './key-list.ts'
import { keepFieldsNamed } from './name-fields.ts'
import { type PageKey, type PageRequest, signRequest } from './sign-request.ts'

/*
 * The script of the docs page: Swagger UI over the document of the venue, or that of the admin API. Every request to the
 * venue is signed with the key that is chosen above it. Everything that the page loads comes from its own server.
 */

declare const document: BrowserDocument
declare const location: BrowserPlace
declare const SwaggerUIBundle: SwaggerUi

const byId = (id: string) => document.getElementById(id)
const interfaceList = byId('interface')
const keyList = byId('key')
const status = byId('status')
const tokenForm = byId('token-form')
const token = byId('token')

/** Without a slash at its end. */
const adminAddress = new URL('..', location.href).href.slice(0, -1)

let choices: readonly KeyChoice[] = []

tokenForm.addEventListener('submit', (event) => {
  event.preventDefault()
  open()
})
interfaceList.addEventListener('change', open)
open()

async function open(): Promise<void> {
  say('Loading', false)
  const file = interfaceList.value
  try {
    const [description, worlds] = await Promise.all([ask(file), ask('worlds')])
    // Another one has been chosen meanwhile.
    if (file !== interfaceList.value) return
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
  const response = await fetch(`${adminAddress}/${path}`, { headers: authorization() })
  if (response.status === 401) {
    tokenForm.hidden = false
    throw new Error('This server asks for its admin token')
  }
  if (!response.ok) throw new Error(`The server answered ${response.status}`)
  return response.json()
}

function authorization(): Record<string, string> {
  return token.value === '' ? {} : { Authorization: `Bearer ${token.value}` }
}

function isOfVenue(): boolean {
  return interfaceList.value === 'openapi.json'
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
  keyList.disabled = !isOfVenue()
}

/** Whatever address the document names, the page calls its own server: no other origin is allowed. */
function show(description: unknown): void {
  const url = isOfVenue() ? location.origin : adminAddress
  const spec = { ...Object(description), servers: [{ url }] }
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
  if (request.url.startsWith(`${adminAddress}/`)) {
    Object.assign(request.headers, authorization())
    return request
  }
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
  return Date.parse(textField(await ask(`worlds/${encodeURIComponent(world)}`), 'now'))
}

function say(text: string, isBad: boolean): void {
  status.textContent = text
  status.classList.toggle('bad', isBad)
}
