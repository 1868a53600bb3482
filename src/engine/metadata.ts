/** Caller-supplied key-value pairs, already bounded and known to be JSON. */
export type Metadata = { readonly [key: string]: unknown }
