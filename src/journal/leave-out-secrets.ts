import { isObject } from '../api/json.ts'
import type { CompiledScenario } from '../scenario/compile/compiled.ts'
import { digestSource } from '../scenario/file/source.ts'
import { encodeEntry, type JournalEntry, SnapshotTable } from './entry.ts'
import { encodeHeader, type JournalHeader, toSource } from './header.ts'
import { linesOfBytes, readEntries, seal } from './lines.ts'
import { makeSnapshotDocument, readSnapshotDocument } from './snapshot-document.ts'
import type { WorldChange, WorldSnapshot } from './world-snapshot.ts'

/**
 * Copies a journal without the secrets of its keys, for people who must not know them, such as readers of a CI
 * artifact. The copy has a hash chain of its own and replays to the same digests, because secrets are not part of a
 * world's state. Throws an Error for a text that is not a journal.
 */
export function leaveOutSecrets(text: string): string {
  const read = readEntries(linesOfBytes(Buffer.from(text)))
  if ('reason' in read) throw new Error(`line ${read.line} of the journal: ${read.reason}`)
  const table = new SnapshotTable()
  const stripped = new Map<WorldSnapshot, WorldSnapshot>()
  // A snapshot that several lines restore must remain one object, so that it is written once.
  const once = (snapshot: WorldSnapshot): WorldSnapshot => {
    const known = stripped.get(snapshot) ?? stripSnapshot(snapshot)
    stripped.set(snapshot, known)
    return known
  }
  let { line, hash } = seal('', encodeHeader(stripHeader(read.header)))
  const lines = [line]
  for (const entry of read.entries) {
    ;({ line, hash } = seal(hash, encodeEntry(stripEntry(entry, once), table)))
    lines.push(line)
  }
  return `${lines.join('\n')}\n`
}

/** What stands in place of a secret. It is not empty, so that readers see that something was left out. */
const apiSecret = 'left-out'

function stripHeader(header: JournalHeader): JournalHeader {
  const { scenario, start } = header
  const document = stripDocument(scenario.document)
  const digest = digestSource({ ...toSource(scenario), document })
  return {
    ...header,
    scenario: { ...scenario, document, digest },
    start: start === null ? null : { ...start, snapshot: stripSnapshotDocument(start.snapshot) },
  }
}

function stripSnapshotDocument(document: unknown): unknown {
  const read = readSnapshotDocument(document)
  if (!read.ok) throw new Error(`${read.field} of the snapshot ${read.reason}`)
  return makeSnapshotDocument(stripSnapshot(read.snapshot))
}

function stripSnapshot(snapshot: WorldSnapshot): WorldSnapshot {
  const { keys, lags, scenario } = snapshot
  return {
    ...snapshot,
    scenario: stripScenario(scenario),
    keys: keys.map((key) => ({ ...key, apiSecret })),
    lags: lags.map((lag) => ({ ...lag, shadow: stripSnapshot(lag.shadow) })),
  }
}

function stripScenario({ source, ...scenario }: CompiledScenario): CompiledScenario {
  return { ...scenario, source: { ...source, document: stripDocument(source.document) } }
}

/**
 * Removes the secrets of a scenario's keys. A key without one gets a public secret made from the names of world and
 * account.
 */
function stripDocument(document: unknown): unknown {
  if (!isObject(document) || !Array.isArray(document['accounts'])) return document
  return { ...document, accounts: document['accounts'].map(stripAccount) }
}

function stripAccount(account: unknown): unknown {
  if (!isObject(account) || !Array.isArray(account['keys'])) return account
  const keys = account['keys'].map((key: unknown) => {
    if (!isObject(key)) return key
    const { secret: _, ...others } = key
    return others
  })
  return { ...account, keys }
}

function stripEntry(entry: JournalEntry, once: (snapshot: WorldSnapshot) => WorldSnapshot): JournalEntry {
  return entry.kind === 'command' ? entry : { ...entry, change: stripChange(entry.change, once) }
}

function stripChange(change: WorldChange, once: (snapshot: WorldSnapshot) => WorldSnapshot): WorldChange {
  switch (change.kind) {
    case 'account-opened':
      return { ...change, keys: change.keys.map((key) => ({ ...key, apiSecret })) }
    case 'key-given':
      return { ...change, apiSecret }
    case 'restored':
      return { ...change, snapshot: once(change.snapshot) }
    default:
      return change
  }
}
