/** Plain JSON, as data. What is undefined is left out of the text. */
export type Json =
  | string
  | number
  | boolean
  | null
  | readonly Json[]
  | { readonly [key: string]: Json | undefined }
