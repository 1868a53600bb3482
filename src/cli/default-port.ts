/** The port of a venue unless another is given. */
export const defaultPort = 4010

/** The address of a venue on that port. */
export const usualAddress = `http://127.0.0.1:${defaultPort}`
