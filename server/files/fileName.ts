import { extname } from 'node:path'

/** UTF-16 units, as in the contract. */
const MAX_NAME = 255

/** Characters that cannot be seen: controls, and those that turn the direction of what follows. */
const UNSEEN = /[\p{Cc}\u2028\u2029\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu

/** A file's name as it is shown and offered for saving: never a path, on no system. It is not where the file lies. */
export function cleanName(given: string): string {
  const own = given.toWellFormed().replaceAll(UNSEEN, '').split(/[/\\]/).at(-1)?.trim() ?? ''
  if (own === '' || /^\.+$/.test(own)) return 'file'
  if (own.length <= MAX_NAME) return own
  const end = extname(own).slice(0, 20)
  // A character of two units may have been cut through.
  return own.slice(0, MAX_NAME - end.length).replace(/[\uD800-\uDBFF]$/, '') + end.toWellFormed()
}
