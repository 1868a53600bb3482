/** The port of a venue that was told no other. */
export const defaultPort = 4010

/** Where it then is. */
export const usualAddress = `http://127.0.0.1:${defaultPort}`
