import type { Finding, TextFile } from './source.ts'

/** Folders that exist only on one machine. */
const machineNames = /(?<![\w.$})-])\/(?:home|Users|root|work|workspace|mnt)\/[\w.-]+|[A-Z]:\\Users\\/g

/** Refuses paths of one machine: the repository must work wherever it is cloned. */
export function machineNameRule(file: TextFile): readonly Finding[] {
  return [...file.text.matchAll(machineNames)].map((match) => ({
    path: file.path,
    line: file.text.slice(0, match.index).split('\n').length,
    message: `${match[0]} is a place on one machine`,
  }))
}

/** Refuses download addresses: packages come from the registry that the user has configured. */
export function lockFileRule(file: TextFile): readonly Finding[] {
  return [...file.text.matchAll(/"resolved": "([^"]*)"/g)].map((match) => ({
    path: file.path,
    line: file.text.slice(0, match.index).split('\n').length,
    message: `${match[1] ?? ''} is an address`,
  }))
}
