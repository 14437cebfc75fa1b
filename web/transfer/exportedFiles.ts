import { Zip, ZipPassThrough } from 'fflate'
import { readContent } from '#contract/files.ts'
import { attachmentsOf, type Message, textOf } from '#contract/messages.ts'
import { addressOf } from '#web/foundation/call.ts'
import { fetchFile } from '#web/foundation/refusedFile.ts'
import { fileNameOf } from './exportedFile.ts'

/** Where a file is in the zip, by its id. */
export type ExportedPaths = ReadonlyMap<string, string>

type ExportedFiles = { paths: ExportedPaths; contents: ReadonlyMap<string, Blob> }

/** Bytes of all files of an export together: a zip has at most 4 GB, and the browser holds it once. */
const MAX_BYTES = 1024 * 1024 * 1024
const FOLDER = 'files'
const KEPT_HERE = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/
const IN_TEXT = /\(\/api\/files\/([\da-f-]{36})\/content\)/g

/** The files that went with the questions of a thread, and the pictures of its answers, as far as they are there. */
export async function exportedFiles(messages: readonly Message[]): Promise<ExportedFiles> {
  const paths = new Map<string, string>()
  const contents = new Map<string, Blob>()
  let bytes = 0
  for (const [id, name] of namesIn(messages)) {
    // Gone files are not there; those of others are not found.
    const content = await fetchFile(addressOf(readContent, { params: { id } }), null).catch(() => null)
    if (content === null || bytes + content.size > MAX_BYTES) continue
    bytes += content.size
    const path = freePath(name ?? `picture.${extensionOf(content.type)}`, contents)
    paths.set(id, path)
    contents.set(path, content)
  }
  return { paths, contents }
}

/** In their order; null: a picture without a name. */
function namesIn(messages: readonly Message[]): Map<string, string | null> {
  const names = new Map<string, string | null>()
  for (const message of messages) {
    for (const { id, name } of attachmentsOf(message)) if (KEPT_HERE.test(id)) names.set(id, name)
    if (message.role === 'user') continue
    for (const [, id = ''] of textOf(message).matchAll(IN_TEXT))
      if (KEPT_HERE.test(id) && !names.has(id)) names.set(id, null)
  }
  return names
}

const extensionOf = (type: string): string => /^image\/(png|jpeg|gif|webp|avif)/.exec(type)?.[1] ?? 'bin'

function freePath(name: string, taken: ReadonlyMap<string, Blob>): string {
  const [, base = name, extension = 'bin'] = /^(.+)\.(\w{1,10})$/s.exec(name) ?? []
  for (let number = 1; ; number++) {
    const path = `${FOLDER}/${fileNameOf(number === 1 ? base : `${base} ${number}`, 'file', extension)}`
    if (!taken.has(path)) return path
  }
}

/** The text with its pictures from the zip, where they are in it. */
export const withPaths = (text: string, files: ExportedPaths): string =>
  text.replace(IN_TEXT, (whole, id: string) => {
    const path = files.get(id)
    return path === undefined ? whole : `(<${path}>)`
  })

/** Stored without compression, since most files are packed already; piece by piece, so that no file is held twice. */
export async function zipOf(contents: ReadonlyMap<string, Blob>, now: Date): Promise<Blob> {
  const pieces: Blob[] = []
  let failure: Error | null = null
  const zip = new Zip((error, piece) => {
    if (error !== null) failure = error
    else pieces.push(new Blob([new Uint8Array(piece)]))
  })
  for (const [path, content] of contents) {
    const entry = new ZipPassThrough(path)
    entry.mtime = now
    zip.add(entry)
    const reader = content.stream().getReader()
    for (let next = await reader.read(); !next.done; next = await reader.read()) entry.push(next.value)
    entry.push(new Uint8Array(), true)
  }
  zip.end()
  if (failure !== null) throw failure
  return new Blob(pieces, { type: 'application/zip' })
}
