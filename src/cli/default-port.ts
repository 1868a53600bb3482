/** The port of a venue that was told no other. */
export const defaultPort = 4010
