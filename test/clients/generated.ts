import type { Client, Outcome } from './client.ts'
import type { Venue } from './venue.ts'

/*
 * Clients that generators make of the document, as it is served and with default options. Each is compiled, and then a
 * script makes every call, signing where the client lets its user do so: no line of what was generated is changed.
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

export const oapiCodegen: Client['run'] = async (venue, workshop) => {
  workshop.write('venue/openapi.json', await venue.readDocument('?openapi=3.0'))
  await workshop.must('oapi-codegen', [
    ...['-generate', 'types,client', '-package', 'venue', '-o', 'venue/venue.go', 'venue/openapi.json'],
  ])
  workshop.copy('go/signing', 'signing')
  workshop.copy('go/oapi-codegen', '.')
  await workshop.must('go', ['build', './venue'])
  await workshop.must('go', ['run', '.'], venue.variables)
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
