import manifest from '../../package.json' with { type: 'json' }

/** The package's version, as the banner, the ready line and `--version` show it. */
export const version: string = manifest.version
