/** A decimal number with commas between its thousands: `1,234,567.8901`. */
export function withCommas(value: number | string): string {
  const [whole = '', ...fraction] = String(value).split('.')
  return [whole.replace(/\B(?=(\d{3})+$)/g, ','), ...fraction].join('.')
}
