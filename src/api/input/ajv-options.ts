/**
 * How schemas are compiled, at build time too. The first error is enough, and finding all of them can be made to take
 * long. Only own properties count, or a required `toString` would be there on every object. Formats are notes for
 * readers here, so none is checked. `validator.ts` words the messages.
 */
export const ajvOptions = {
  strict: true,
  strictTypes: false,
  allErrors: false,
  ownProperties: true,
  validateFormats: false,
  messages: false,
} as const
