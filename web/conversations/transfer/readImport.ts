import { EXPORT_FORMAT, EXPORT_VERSION, type ImportedConversation } from '#contract/transfer.ts'
import { fromDataExport } from './dataExport.ts'
import { textsOf } from './fileText.ts'
import { type ImportReason, type RefusedConversation, UnreadableFile } from './importReasons.ts'
import { fromOwnExport } from './ownExport.ts'
import { isRaw, type Raw, rawAt, textAt } from './rawValues.ts'

export type ReadImport = { conversations: ImportedConversation[]; refused: RefusedConversation[] }

/** More than anyone has said; a file with more is none that a person has made. */
const MOST_CONVERSATIONS = 100_000

/** The conversations of a file: our JSON, a data export of ChatGPT, or the zip it comes in. */
export async function readImport(file: Blob): Promise<ReadImport> {
  const read: ReadImport = { conversations: [], refused: [] }
  for (const text of await textsOf(file)) {
    for (const raw of conversationsIn(parsed(text))) take(raw, read)
  }
  if (read.conversations.length === 0 && read.refused.length === 0) throw new UnreadableFile('transfer.no.empty')
  return read
}

function take(raw: unknown, read: ReadImport): void {
  const refuse = (reason: ImportReason) => { read.refused.push({ title: isRaw(raw) ? textAt(raw, 'title') ?? '' : '', reason }) }
  if (!isRaw(raw) || !isRaw(raw['mapping'])) return refuse('transfer.no.unknownShape')
  const conversation = textAt(raw, '_id') !== null ? fromOwnExport(raw) : fromDataExport(raw)
  if (conversation === null) return refuse('transfer.no.unknownShape')
  // Among thousands there are always some that were begun and never used.
  if (conversation.messages.length === 0) return refuse('transfer.no.noMessages')
  read.conversations.push(conversation)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, '')) as unknown
  } catch (cause) {
    throw new UnreadableFile('transfer.no.notJson', { cause })
  }
}

function conversationsIn(file: unknown): readonly unknown[] {
  const list = Array.isArray(file) ? file : isRaw(file) ? listIn(file) : null
  if (list === null) throw new UnreadableFile('transfer.no.unknownFile')
  if (list.length > MOST_CONVERSATIONS) throw new UnreadableFile('transfer.no.tooLarge')
  // A list of something else altogether is a wrong file, not a thousand wrong conversations.
  if (list.length > 0 && !list.some(each => isRaw(each) && isRaw(each['mapping']))) throw new UnreadableFile('transfer.no.unknownFile')
  return list
}

function listIn(file: Raw): readonly unknown[] | null {
  if (file['format'] === EXPORT_FORMAT) {
    if (typeof file['version'] !== 'number' || file['version'] > EXPORT_VERSION) throw new UnreadableFile('transfer.no.newerVersion')
    return Array.isArray(file['conversations']) ? file['conversations'] : null
  }
  return Object.keys(rawAt(file, 'mapping')).length > 0 ? [file] : null
}
