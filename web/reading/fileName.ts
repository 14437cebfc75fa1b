import { beginningOf } from '#contract/cutText.ts'

/** Characters of a name. Systems allow 255 bytes, and the server as many characters. */
const MAX_NAME = 200
const MAX_EXTENSION = 12

/**
 * A name as it is shown, stored and sent: one line, no folders, nothing that turns the direction of the text around it,
 * so that the extension which is read is the one that it has.
 */
export function cleanFileName(name: string, fallback = 'file'): string {
  const [base = ''] = name
    .toWellFormed()
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/[\p{Cf}\uFFFD]/gu, '')
    .split(/[\\/]/)
    .slice(-1)
  const plain = base
    .replace(/[:*?"<>|]/g, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[\s.]+|[\s.]+$/g, '')
  if (plain === '') return fallback
  if (plain.length <= MAX_NAME) return plain
  const extension = /\.[^.\s]+$/.exec(plain)?.[0] ?? ''
  const kept = extension.length <= MAX_EXTENSION ? extension : ''
  return `${beginningOf(plain, MAX_NAME - kept.length - 1).trimEnd()}…${kept}`
}

export function extensionOf(name: string): string {
  return /\.([^.\s]+)$/.exec(name)?.[1]?.toLowerCase() ?? ''
}

const PICTURE_EXTENSIONS: Readonly<Record<string, readonly string[]>> = {
  'image/jpeg': ['jpg', 'jpeg', 'jpe', 'jfif'],
  'image/png': ['png'],
  'image/webp': ['webp'],
  'image/gif': ['gif'],
}

/** The name of a picture that has become one of another type. */
export function pictureName(name: string, type: string): string {
  const extensions = PICTURE_EXTENSIONS[type] ?? []
  const extension = extensionOf(name)
  if (extensions[0] === undefined || extensions.includes(extension)) return name
  return `${extension === '' ? name : name.slice(0, -extension.length - 1)}.${extensions[0]}`
}
