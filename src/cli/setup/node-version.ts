/** The first sufficient release of each line; `engines` in package.json says the same. */
const least = { major: 20, minor: 19 }

/** What to say when Node is too old, before something fails halfway; null when it is not. */
export function nodeProblem(version: string): string | null {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major > least.major || (major === least.major && minor >= least.minor)) return null
  return `otcsim needs Node ${least.major}.${least.minor} or newer; this is Node ${version}`
}
