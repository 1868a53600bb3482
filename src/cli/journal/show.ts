import { stripVTControlCharacters } from 'node:util'
import { gzipSync } from 'node:zlib'
import { isObject } from '../../api/json.ts'
import { hashSource } from '../../backtest/report/page-assets.ts'
import { leaveOutSecrets } from '../../journal/leave-out-secrets.ts'
import { escapeText } from '../../pages/svg-text.ts'
import { createVenueServer } from '../../server/create-venue-server.ts'
import { createPageReader } from '../../server/pages/serve-pages.ts'
import { noReplayLimit, replayJournal } from '../../world/journals/replay.ts'
import { notesName } from '../../world/logs/test-failure.ts'
import { createShippedLibrary } from '../../world/shipped/shipped-scenarios.ts'
import { accountViews } from '../../world/views/world-views.ts'
import { defineCommand } from '../define-command.ts'
import { dataFailure } from '../failure.ts'
import { refuseOwnInput, writeOutput } from '../files.ts'
import { aFlag, aSwitch, type FlagsOf, parsedFlag, parsePort } from '../flags.ts'
import { journalFailure, withJournal } from '../read-journal.ts'
import type { Terminal } from '../terminal.ts'
import { version } from '../version.ts'
import {
  collectPicture,
  drawFailurePicture,
  type FailurePicture,
  formatFailureDiagram,
} from './failure-picture.ts'
import { type ShownWorld, serveShown, showReplayed } from './replay.ts'

const showFlags = {
  port: parsedFlag(parsePort, '<number>', 'where to serve it; 0 takes a free one', { default: 0 }),
  open: { ...aSwitch('serve it only, and open no browser', { default: true }), isNegated: true },
  html: aFlag('<file>', 'write the console with the recording as one file instead of serving it'),
  markdown: aSwitch(
    'print the failed test, what the venue knows of it and a picture of its market as Markdown, for the summary of a CI job',
  ),
  picture: aFlag('<file>', 'write the picture of the market of the failed test as an SVG file'),
}

type ShowOptions = FlagsOf<typeof showFlags>

export const showCommand = defineCommand({
  flags: showFlags,
  takes: { '<journal>': 'the journal that a failed test kept, or any other' },
  act: show,
})

/**
 * Runs `otcsim show`: replays a journal and serves the world as it was at the end, with the requests and the failed
 * test that were kept beside it. Errors: an output is the journal itself (2); the journal is missing or damaged (5);
 * a line has another outcome than recorded (3).
 */
async function show(
  { html, markdown, open, picture: file, port }: ShowOptions,
  terminal: Terminal,
  journal: string,
): Promise<void> {
  for (const output of [html, file]) refuseOwnInput(terminal.cwd, journal, output)
  const replayed = withJournal(journal, terminal, (lines) => replayJournal(lines, noReplayLimit))
  if (replayed.kind !== 'done') throw journalFailure(journal, replayed)
  const shown = showReplayed(journal, replayed, terminal)
  const { failure } = shown
  if (failure !== null && markdown !== true)
    terminal.err(`${failure.test}\n  ${failure.message.split('\n')[0]}\n`)
  if (html !== undefined) {
    const sayCut = (kept: number, all: number): void =>
      terminal.err(`${html} has the newest ${kept} of ${all} moments; show without --html has them all\n`)
    writeOutput(terminal, html, await buildPage(shown, { sayCut }))
  }
  const picture = markdown === true || file !== undefined ? collectPicture(shown.worlds, shown.world) : null
  if (file !== undefined) {
    if (picture === null) throw dataFailure(`${journal}: there is no market to draw`)
    writeOutput(terminal, file, drawFailurePicture(picture))
  }
  if (markdown === true) terminal.out(formatMarkdown(journal, failure, picture))
  if (html === undefined && file === undefined && markdown !== true)
    await serveShown(shown, { open, port }, terminal)
}

/**
 * Formats a failed test with what the venue knows of its cause as Markdown. Errors: nothing was noted beside the
 * journal (5).
 */
function formatMarkdown(
  file: string,
  failure: ShownWorld['failure'],
  picture: FailurePicture | null,
): string {
  if (failure === null)
    throw dataFailure(`${file}: no failed test was noted beside it, in ${notesName(file)}`)
  const { answer, at, seed, test } = failure
  const message = stripVTControlCharacters(failure.message)
  // A block that is only indented would belong to the list before it, and a fence must be longer than any in the text.
  const fence = '`'.repeat(Math.max(3, ...[...message.matchAll(/`+/g)].map(([run]) => run.length + 1)))
  return [
    `### ✗ ${escapeMarkdown(test)}`,
    '',
    ...answer.map((sentence) => `- ${escapeMarkdown(sentence)}`),
    '',
    `${fence}text`,
    message,
    fence,
    '',
    ...(picture === null ? [] : [formatFailureDiagram(picture), '']),
    `Seed \`${seed}\`, at ${at}. To see it: \`npx --no otcsim show ${file}\``,
    '',
    '',
  ].join('\n')
}

/** Escapes what Markdown and HTML would take for their own. */
const escapeMarkdown = (text: string): string =>
  text.replace(/[\\`*_[\]<>|#]/g, (character) => `\\${character}`).replaceAll('\n', ' ')

/**
 * Builds the console and a recording of its world as one file that needs no server, to be kept as a CI artifact. It
 * holds the answers of the admin API for each of the newest moments (300, or `mostMoments`), and no secrets of keys.
 * Where there are more, `sayCut` is called with how many were kept and how many there are.
 */
export async function buildPage(shown: ShownWorld, cut: MomentCut = {}): Promise<string> {
  const recording = await recordWorld(shown, cut)
  const packed = gzipSync(JSON.stringify(recording), { level: 9 }).toString('base64')
  const readPageFile = createPageReader()
  const text = (name: string): string => {
    const file = readPageFile('console', name)
    if (file === null) throw dataFailure('the console needs the built package: npm run build')
    // The hash of a script depends on its line ends; `</script` inside a script would end it.
    const { bytes } = file.forms.identity()
    return bytes.toString('utf8').replaceAll('\r\n', '\n').replaceAll('</script', '<\\/script').trim()
  }
  const [style, theme, script] = [text('console.css'), text('theme.js'), text('console.js')]
  const policy = `default-src 'none'; script-src ${hashSource(theme)} ${hashSource(script)}; style-src ${hashSource(style)}; img-src data:; base-uri 'none'; form-action 'none'`
  const title = shown.failure === null ? 'otcsim console' : `${shown.failure.test}: otcsim console`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escapeText(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeText(title)}</title>
<script>${theme}</script>
<style>${style}</style>
</head>
<body>
<div id="console"></div>
<noscript>The console needs JavaScript.</noscript>
<script type="text/plain" id="recording" data-place="${escapeText(shown.place)}">${packed}</script>
<script type="module">${script}</script>
</body>
</html>
`
}

/** The number of moments that are kept, newest first: each has the views of all accounts. */
const maximumMoments = 300

interface MomentCut {
  readonly mostMoments?: number
  readonly sayCut?: (kept: number, all: number) => void
}

interface Moment {
  readonly sequence: number
  readonly at: string
}

/** Asks the admin API for everything that the console shows: history, views of each moment, books, prices, requests. */
async function recordWorld(
  { worlds, world, failure }: ShownWorld,
  { mostMoments = maximumMoments, sayCut }: MomentCut,
): Promise<object> {
  const server = await createVenueServer({ worlds, scenarios: createShippedLibrary(), version })
  const ask = async (path: string): Promise<Answer> => {
    const answer: unknown = await (await fetch(`${server.adminUrl}/worlds/${world.id}${path}`)).json()
    if (!isObject(answer)) throw new Error(`the admin API does not answer ${path} with an object`)
    return answer
  }
  try {
    const history = await fetchHistory(ask)
    const present = await ask('/view?digest=')
    const accounts = accountViews(world)
    const assets = selectTexts(present['assets'])
    const all = history.places.length
    if (all > mostMoments) sayCut?.(mostMoments, all)
    const places = [...history.places.slice(-mostMoments), null]
    const moments: object[] = []
    for (const place of places) {
      const words = place === null ? 'digest=' : `sequence=${place.sequence}&at=${place.at}`
      const views: Answer[] = []
      for (const { id: account } of accounts)
        views.push(await ask(`/view?depth=11&${words}&account=${encodeURIComponent(account)}`))
      const books: Record<string, unknown> = {}
      for (const asset of assets)
        books[asset] = (await ask(`/view?depth=11&${words}&asset=${encodeURIComponent(asset)}`))['book']
      const [{ sequence, now: at } = present] = views
      moments.push({ place: { sequence, at }, views, books })
    }
    const { requests } = await ask('/requests')
    const { notes } = await ask('/notes')
    const prices: Answer[] = []
    for (const asset of assets)
      prices.push(await ask(`/history/prices?spans=2000&asset=${encodeURIComponent(asset)}`))
    const journal = leaveOutSecrets([...(worlds.journalOf(world)?.text() ?? [])].join(''))
    return {
      version,
      world: world.id,
      failure,
      history: history.page,
      requests,
      notes,
      prices,
      moments,
      journal,
    }
  } finally {
    await server.close()
  }
}

type Answer = Readonly<Record<string, unknown>>

/** Fetches the world's whole history, page by page, and lists the moments in it. */
async function fetchHistory(
  ask: (path: string) => Promise<Answer>,
): Promise<{ readonly page: Answer; readonly places: readonly Moment[] }> {
  const items: unknown[] = []
  for (;;) {
    const page = await ask(`/history?from=${items.length}`)
    items.push(...(Array.isArray(page['items']) ? page['items'] : []))
    if (page['isWhole'] !== true) continue
    const places = new Map<string, Moment>()
    for (const item of [page['begins'], ...items]) {
      if (!isObject(item) || typeof item['sequence'] !== 'number' || typeof item['at'] !== 'string') continue
      const { sequence, at } = item
      places.set(`${sequence} ${at}`, { sequence: Number(sequence), at: String(at) })
    }
    return { page: { ...page, items }, places: [...places.values()] }
  }
}

const selectTexts = (values: unknown): readonly string[] =>
  Array.isArray(values) ? values.filter((value) => typeof value === 'string') : []
