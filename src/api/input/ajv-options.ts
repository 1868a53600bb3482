/**
 * How schemas are compiled, at build time too. One error is enough, and finding all can be made to take long. Own
 * properties alone, or a required `toString` would be there on every object. Formats are notes for readers here, so
 * none is checked. Messages are worded by `validator.ts`.
 */
export const ajvOptions = {
  strict: true,
  strictTypes: false,
  allErrors: false,
  ownProperties: true,
  validateFormats: false,
  messages: false,
} as const
