import { isObject } from '../api/json.ts'
import type { CompiledScenario } from '../scenario/compile/compiled.ts'
import { digestSource } from '../scenario/file/source.ts'
import { encodeEntry, type JournalEntry, SnapshotShelf } from './entry.ts'
import { encodeHeader, type JournalHeader, toSource } from './header.ts'
import { linesOfBytes, readEntries, seal } from './lines.ts'
import { readSnapshotDocument, snapshotDocument } from './snapshot-document.ts'
import type { WorldChange, WorldSnapshot } from './world-snapshot.ts'

/**
 * A journal for people who must not learn the secrets of its keys, such as readers of a CI artifact: a chain of its own,
 * which replays to the same digests, because secrets are no part of a world's state. Throws for a text that is no journal.
 */
export function leaveOutSecrets(text: string): string {
  const read = readEntries(linesOfBytes(Buffer.from(text)))
  if ('reason' in read) throw new Error(`line ${read.line} of the journal: ${read.reason}`)
  const shelf = new SnapshotShelf()
  const snapshots = new Map<WorldSnapshot, WorldSnapshot>()
  // A snapshot that several lines go back to stays one.
  const once = (snapshot: WorldSnapshot): WorldSnapshot => {
    const known = snapshots.get(snapshot) ?? stripSnapshot(snapshot)
    snapshots.set(snapshot, known)
    return known
  }
  let { line, hash } = seal('', encodeHeader(stripHeader(read.header)))
  const lines = [line]
  for (const entry of read.entries) {
    ;({ line, hash } = seal(hash, encodeEntry(stripEntry(entry, once), shelf)))
    lines.push(line)
  }
  return `${lines.join('\n')}\n`
}

/** Not empty, or nobody would see that something was there. */
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
  return snapshotDocument(stripSnapshot(read.snapshot))
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

/** A key of a scenario without a secret has a public one, made from the names of world and account. */
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
