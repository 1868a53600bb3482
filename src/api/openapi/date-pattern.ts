/* The dates and times that `numeric/time-text` reads, as a pattern without look-ahead, which several languages lack. */

const year = '([1-9][0-9]{3}|0[1-9][0-9]{2}|00[1-9][0-9]|000[1-9])'
/** Divisible by 4, and by 400 when it ends a century. */
const leapYear = '([0-9]{2}(0[48]|[2468][048]|[13579][26])|(0[48]|[2468][048]|[13579][26])00)'
const day =
  '((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|1[0-9]|2[0-8]))'
const hourAndMinute = '([01][0-9]|2[0-3]):[0-5][0-9]'
const time = `T${hourAndMinute}:[0-5][0-9](\\.[0-9]{1,9})?(Z|[+-]${hourAndMinute})`

/** An ISO 8601 date, or a time with Z or an offset. */
export const dateOrTimePattern = `^(${leapYear}-02-29|${year}-${day})(${time})?$`
