import { isShown, textOf } from '#contract/messages.ts'
import { EXPORT_FORMAT, EXPORT_VERSION, type ImportedConversation, type ImportedMessage } from '#contract/transfer.ts'
import { textsOf } from './fileText.ts'
import { formatOf, otherProduct } from './formats.ts'
import { type ImportReason, type RefusedConversation, UnreadableFile } from './importReasons.ts'
import { isRaw, type Raw, someTextAt } from './rawValues.ts'

export type ReadImport = { conversations: ImportedConversation[]; refused: RefusedConversation[] }

/** More than anyone has said; a file with more is none that a person has made. */
const MOST_CONVERSATIONS = 100_000
const ANYTHING: ReadonlySet<ImportReason> = new Set(['transfer.no.unknownFile', 'transfer.no.notJson'])
/** What lists of conversations are called where they are not the whole file. */
const LISTS = ['conversations', 'chats', 'data'] as const

/** The conversations of a file: our JSON, an export of a product that is known, or the zip it comes in. */
export async function readImport(file: Blob): Promise<ReadImport> {
  const read: ReadImport = { conversations: [], refused: [] }
  const { texts, isNamed } = await textsOf(file)
  let product: string | null = null
  for (const text of texts) {
    try {
      for (const raw of conversationsIn(parsed(text))) take(raw, read)
    } catch (error) {
      // Other files of a zip may be anything.
      if (isNamed || !(error instanceof UnreadableFile) || !ANYTHING.has(error.reason)) throw error
      product ??= error.product
    }
  }
  if (read.conversations.length === 0 && read.refused.length === 0)
    throw new UnreadableFile(isNamed ? 'transfer.no.empty' : 'transfer.no.emptyZip', { product })
  return read
}

function take(raw: unknown, read: ReadImport): void {
  const refuse = (reason: ImportReason) => {
    read.refused.push({ title: isRaw(raw) ? (someTextAt(raw, 'title', 'name') ?? '') : '', reason })
  }
  const conversation = isRaw(raw) ? (formatOf(raw)?.read(raw) ?? null) : null
  if (conversation === null) return refuse('transfer.no.unknownShape')
  // Among thousands there are always some that were begun and never used.
  if (!conversation.messages.some(saysSomething)) return refuse('transfer.no.noMessages')
  read.conversations.push(conversation)
}

/** Whether anybody sees anything of it. */
function saysSomething(message: ImportedMessage): boolean {
  const { content, metadata } = message
  if (!isShown(message)) return false
  if (content === null) return metadata?.fallback_content !== undefined
  if (textOf({ content }).trim() !== '') return true
  return (
    content.content_type === 'multimodal_text' ||
    (metadata?.source === 'openai_web' && (metadata.attachments?.length ?? 0) > 0)
  )
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
  if (list !== null && list.length > MOST_CONVERSATIONS) throw new UnreadableFile('transfer.no.tooLarge')
  // A list of something else altogether is a wrong file, not a thousand wrong conversations.
  if (list === null || (list.length > 0 && !list.some(formatOf))) {
    const product = otherProduct(file) ?? list?.map(otherProduct).find(each => each !== null) ?? null
    throw new UnreadableFile('transfer.no.unknownFile', { product })
  }
  return list
}

function listIn(file: Raw): readonly unknown[] | null {
  if (file['format'] === EXPORT_FORMAT) {
    if (typeof file['version'] !== 'number' || file['version'] > EXPORT_VERSION)
      throw new UnreadableFile('transfer.no.newerVersion')
    return Array.isArray(file['conversations']) ? file['conversations'] : null
  }
  if (formatOf(file) !== undefined) return isUnused(file) ? null : [file]
  return LISTS.map(key => file[key]).find((list): list is unknown[] => Array.isArray(list)) ?? null
}

/** An empty tree alone is no conversation of anybody. */
function isUnused(file: Raw): boolean {
  return isRaw(file['mapping']) && Object.keys(file['mapping']).length === 0
}
