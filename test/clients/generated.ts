import { delimiter } from 'node:path'
import type { Client, Outcome } from './client.ts'
import type { Venue } from './venue.ts'
import type { Workshop } from './workshop.ts'

/*
 * Clients that generators make of the document, as it is served and with default options. Each is compiled, and then a
 * script makes every call, with optional bodies and without, signing where the client lets its user do so: no line of what was generated is changed.
 */

export const openapiGeneratorPython: Client['run'] = async (venue, workshop) => {
  const document = `${venue.document}?openapi=3.0`
  await workshop.must('openapi-generator-cli', [
    'generate',
    '-g',
    'python',
    '-i',
    document,
    '-o',
    'generated',
  ])
  await workshop.must('python', ['-m', 'compileall', '-q', 'generated'])
  workshop.copy('python', '.')
  await workshop.must('python', ['openapi_generator.py'], { ...venue.variables, PYTHONPATH: 'generated' })
  return judgeCalls(venue)
}

export const openapiGeneratorGo: Client['run'] = async (venue, workshop) => {
  const document = `${venue.document}?openapi=3.0`
  const options = ['--package-name', 'venue', '--additional-properties', 'withGoMod=false']
  await workshop.must('openapi-generator-cli', [
    ...['generate', '-g', 'go', '-i', document, '-o', 'venue'],
    ...options,
  ])
  await workshop.must('go', ['build', './venue'])
  workshop.copy('go/signing', 'signing')
  workshop.copy('go/openapi-generator', '.')
  await workshop.must('go', ['run', '.'], venue.variables)
  return judgeCalls(venue)
}

export const openapiPythonClient: Client['run'] = async (venue, workshop) => {
  await workshop.must('openapi-python-client', [
    ...['generate', '--url', venue.document, '--output-path', 'generated', '--overwrite'],
  ])
  await workshop.must('python', ['-m', 'compileall', '-q', 'generated'])
  workshop.copy('python', '.')
  await workshop.must('python', ['openapi_python_client.py'], { ...venue.variables, PYTHONPATH: 'generated' })
  return judgeCalls(venue)
}

/** Its client of each document compiles, of both versions; what is called is the one that 3.0 makes. */
export const oapiCodegen: Client['run'] = async (venue, workshop) => {
  for (const version of ['3.1', '3.0']) {
    const documents = { venue: venue.readDocument, admin: venue.readAdminDocument }
    for (const [name, read] of Object.entries(documents)) {
      const folder = version === '3.0' ? name : `${name}31`
      workshop.write(`${folder}/openapi.json`, await read(`?openapi=${version}`))
      await workshop.must('oapi-codegen', [
        ...['-generate', 'types,client', '-package', folder, '-o', `${folder}/${name}.go`],
        `${folder}/openapi.json`,
      ])
      await workshop.must('go', ['build', `./${folder}`])
    }
  }
  workshop.copy('go/signing', 'signing')
  workshop.copy('go/oapi-codegen', '.')
  await workshop.must('go', ['run', '.'], venue.variables)
  return judgeCalls(venue)
}

export const openapiGeneratorJava: Client['run'] = async (venue, workshop) => {
  await workshop.must('openapi-generator-cli', [
    ...['generate', '-g', 'java', '-i', `${venue.document}?openapi=3.0`, '-o', 'generated'],
    ...['--additional-properties', 'library=native'],
  ])
  workshop.copy('java/Calls.java', 'generated/src/main/java/Calls.java')
  await workshop.must('mvn', ['-q', '-B', '-f', 'generated', '-Dmaven.test.skip=true', 'package'])
  const path = ['generated/target/classes', 'generated/target/lib/*'].join(delimiter)
  await workshop.must('java', ['-cp', path, 'Calls'], venue.variables)
  return judgeCalls(venue)
}

export const openapiGeneratorTypescript: Client['run'] = async (venue, workshop) => {
  await workshop.must('openapi-generator-cli', [
    ...['generate', '-g', 'typescript-fetch', '-i', `${venue.document}?openapi=3.0`, '-o', 'generated'],
    // Imports with the extensions that Node asks for.
    ...['--additional-properties', 'importFileExtension=.js'],
  ])
  return callInTypescript(venue, workshop, 'typescript-fetch')
}

export const orval: Client['run'] = async (venue, workshop) => {
  workshop.write('openapi.json', await venue.readDocument(''))
  await workshop.must('orval', [
    ...['--input', 'openapi.json', '--output', 'generated/venue.ts', '--client', 'fetch'],
  ])
  return callInTypescript(venue, workshop, 'orval')
}

/** Compiles what was generated with a script that makes every call, and runs it. */
async function callInTypescript(venue: Venue, workshop: Workshop, script: string): Promise<Outcome> {
  for (const file of ['tsconfig.json', 'signing.ts']) workshop.copy(`typescript/${file}`, file)
  workshop.copy(`typescript/${script}/calls.ts`, 'calls.ts')
  // What is generated looks up elements of lists without asking whether they are there.
  await workshop.must('tsc', ['-p', '.', '--noUncheckedIndexedAccess', 'false'])
  await workshop.must('node', ['calls.js'], venue.variables)
  return judgeCalls(venue)
}

export const openapiTypescript: Client['run'] = async (venue, workshop) => {
  await workshop.must('openapi-typescript', [venue.document, '-o', 'venue.ts'])
  workshop.copy('typescript', '.')
  await workshop.must('tsc', ['-p', '.'])
  await workshop.must('node', ['calls.js'], venue.variables)
  return judgeCalls(venue)
}

/** What the venue's own log says, after a script has made every call of the document. */
async function judgeCalls(venue: Venue): Promise<Outcome> {
  const { operations, unanswered, refused } = await venue.coverage()
  return {
    figure: `compiles, ${operations - unanswered.length} of ${operations} operations answered 2xx`,
    misses: [...unanswered.map((name) => `${name} has no answer of 2xx`), ...refused],
  }
}
