/** The rows and fields of a comma-separated text. */
export const rowsOf = (text: string): readonly (readonly string[])[] =>
  text
    .trim()
    .split('\n')
    .map((line) => line.trim().split(','))
