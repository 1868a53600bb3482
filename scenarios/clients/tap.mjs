/* A test runner in twenty lines that prints TAP, so that the two clients beside it need nothing but Node. */

const tests = []

export function test(name, body) {
  tests.push({ name, body })
}

/** Runs the tests one after the other; the process fails when one of them does. */
export async function run() {
  console.log(`TAP version 13\n1..${tests.length}`)
  for (const [index, { name, body }] of tests.entries()) {
    try {
      await body()
      console.log(`ok ${index + 1} - ${name}`)
    } catch (error) {
      console.log(`not ok ${index + 1} - ${name}`)
      console.log(`  ---\n  message: ${JSON.stringify(String(error?.message ?? error))}\n  ...`)
      process.exitCode = 1
    }
  }
}

export function check(condition, message) {
  if (!condition) throw new Error(message)
}

/** Address and credentials, which `otcsim exec` and `otcsim matrix` put into the environment. */
export function surroundings() {
  const { OTC_BASE_URL: baseUrl, OTC_API_KEY: apiKey, OTC_API_SECRET: apiSecret } = process.env
  if (!baseUrl || !apiKey || !apiSecret) {
    console.error('set OTC_BASE_URL, OTC_API_KEY and OTC_API_SECRET')
    process.exit(2)
  }
  return { baseUrl: baseUrl.replace(/\/+$/, ''), apiKey, apiSecret }
}

export const sleep = (millis) => new Promise((resolve) => setTimeout(resolve, millis))
