/** Where a venue is that was not told another port. */
export const defaultPort = 4010
