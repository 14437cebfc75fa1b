/** Characters of a title in a file name; systems count up to 255 bytes, and Chinese has three a character. */
const LONGEST = 60
/** Names that Windows keeps for itself. */
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)$/i

/** A name that every system takes, from a title that somebody else may have written. */
export function fileNameOf(title: string, fallback: string, ending: string): string {
  const plain = title
    .toWellFormed()
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\uFFFD]/gu, '')
    .replace(/[\\/:*?"<>|]/g, ' ')
    .replace(/\s+/g, ' ')
  const cut = Array.from(plain)
    .slice(0, LONGEST)
    .join('')
    .replace(/^[\s.]+|[\s.]+$/g, '')
  const base = cut.split('.')[0] ?? ''
  return `${cut === '' || RESERVED.test(base.trim()) ? fallback : cut}.${ending}`
}
