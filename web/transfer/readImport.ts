import { Unzip, type UnzipFile, UnzipInflate } from 'fflate'
import { attachmentsOf, Content, isShown, MessageMetadata, Role, textOf } from '#contract/messages.ts'
import { EXPORT_FORMAT, EXPORT_VERSION, type ImportedConversation, type ImportedMessage } from '#contract/transfer.ts'
import { isRaw, type Raw, rawAt, rawsAt, someTextAt, storable, textAt, timeAt } from '#contract/rawValues.ts'
import { ModelCode } from '#contract/models.ts'
import { type ImportReason, type RefusedConversation, UnreadableFile } from './unreadableFile.ts'
import { fromChatGptExport } from './chatGptExport.ts'
import { fromClaudeExport, isClaudeExport } from './claudeExport.ts'
import { fromDeepSeekExport, isDeepSeekExport } from './deepSeekExport.ts'
import { fromLibreChatExport, isLibreChatExport } from './libreChatExport.ts'
import { fromOpenWebuiExport, isOpenWebuiExport } from './openWebuiExport.ts'
import { conversationOf, type LooseMessage, nodesFrom } from './importedTree.ts'

type ReadImport = { conversations: ImportedConversation[]; refused: RefusedConversation[] }

/** More than any person has. */
const MAX_CONVERSATIONS = 100_000
/** Reasons by which a file of a zip has nothing to do with conversations. */
const OTHER_FILE: ReadonlySet<ImportReason> = new Set(['transfer.no.unknownFile', 'transfer.no.notJson'])
/** Fields that hold the list of conversations where it is not the whole file. */
const LISTS = ['conversations', 'chats', 'data'] as const

/** The conversations of a file: our JSON, an export of a known product, or the zip that it comes in. */
export async function readImport(file: Blob): Promise<ReadImport> {
  const read: ReadImport = { conversations: [], refused: [] }
  const { texts, isNamed } = await textsOf(file)
  let product: string | null = null
  for (const text of texts) {
    try {
      for (const raw of conversationsIn(parsed(text))) readConversation(raw, read)
    } catch (error) {
      if (isNamed || !(error instanceof UnreadableFile) || !OTHER_FILE.has(error.reason)) throw error
      product ??= error.product
    }
  }
  if (read.conversations.length === 0 && read.refused.length === 0)
    throw new UnreadableFile(isNamed ? 'transfer.no.empty' : 'transfer.no.emptyZip', { product })
  return read
}

function readConversation(raw: unknown, { conversations, refused }: ReadImport): void {
  const conversation = isRaw(raw) ? (formatOf(raw)?.read(raw) ?? null) : null
  // Empty conversations are skipped: every large export has some that were never used.
  if (conversation?.messages.some(saysSomething)) conversations.push(conversation)
  else {
    const title = isRaw(raw) ? (someTextAt(raw, 'title', 'name') ?? '') : ''
    const reason: ImportReason = conversation === null ? 'transfer.no.unknownShape' : 'transfer.no.noMessages'
    refused.push({ title, reason })
  }
}

/** Whether the message has anything that the page shows. */
function saysSomething(message: ImportedMessage): boolean {
  const { content, metadata } = message
  if (!isShown(message)) return false
  if (content === null) return metadata?.fallback_content !== undefined
  if (textOf({ content }).trim() !== '') return true
  return content.content_type === 'multimodal_text' || attachmentsOf(message).length > 0
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
  if (list !== null && list.length > MAX_CONVERSATIONS) throw new UnreadableFile('transfer.no.tooLarge')
  // A list without any known conversation is one wrong file, not a thousand refused conversations.
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
  if (formatOf(file) !== undefined) return isEmptyTree(file) ? null : [file]
  return LISTS.map(key => file[key]).find((list): list is unknown[] => Array.isArray(list)) ?? null
}

function isEmptyTree(file: Raw): boolean {
  return isRaw(file['mapping']) && Object.keys(file['mapping']).length === 0
}

/** Bytes of JSON that a browser can hold as one string, with some room. */
const MAX_BYTES = 400 * 1024 * 1024
/** The usual name of the file; a large export has several. */
const CONVERSATIONS = /(?:^|\/)conversations(?:-\d+)?\.json$/
const ANY = /\.json$/i
/** The end of a zip: a signature, 18 bytes and a comment. */
const END = [0x50, 0x4b, 0x05, 0x06]
const MIN_END = 22
const MAX_END = MIN_END + 65_535
const MAX_FILES = 200

/** The JSON texts of a file. `isNamed`: their names say that they hold conversations. */
type FileTexts = { texts: string[]; isNamed: boolean }

/** The text of the file itself. Of a zip, the files that are called conversations, or else all JSON. */
async function textsOf(file: Blob): Promise<FileTexts> {
  const start = new Uint8Array(await file.slice(0, 4).arrayBuffer())
  if (start[0] === 0x50 && start[1] === 0x4b) {
    if (!(await isWholeZip(file))) throw new UnreadableFile('transfer.no.notAZip')
    const named = await unzipped(file, CONVERSATIONS)
    if (named.length > 0) return { texts: named.map(decoded), isNamed: true }
    const any = await unzipped(file, ANY)
    if (any.length === 0) throw new UnreadableFile('transfer.no.emptyZip')
    return { texts: any.map(decoded), isNamed: false }
  }
  if (file.size > MAX_BYTES) throw new UnreadableFile('transfer.no.tooLarge')
  return { texts: [decoded([new Uint8Array(await file.arrayBuffer())])], isNamed: true }
}

/**
 * Checks the list of files at the end of a zip: without it the download broke off, and conversations may be missing.
 */
async function isWholeZip(file: Blob): Promise<boolean> {
  const end = new Uint8Array(await file.slice(-MAX_END).arrayBuffer())
  for (let at = end.length - MIN_END; at >= 0; at--)
    if (END.every((byte, offset) => end[at + offset] === byte)) return true
  return false
}

/** Read as a stream: an export also holds pictures and sound, which may be larger than memory. */
async function unzipped(file: Blob, names: RegExp): Promise<Uint8Array[][]> {
  const files: Uint8Array[][] = []
  const read = { bytes: 0, failed: false }
  const unzip = new Unzip(entry => {
    if (!names.test(entry.name) || files.length >= MAX_FILES) return
    const chunks: Uint8Array[] = []
    files.push(chunks)
    collect(entry, chunks, read)
  })
  unzip.register(UnzipInflate)
  try {
    const reader = file.stream().getReader()
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      unzip.push(next.value)
      // A zip bomb unpacks to far more than its own size.
      if (read.bytes > MAX_BYTES) throw new UnreadableFile('transfer.no.tooLarge')
    }
    unzip.push(new Uint8Array(), true)
  } catch (cause) {
    throw cause instanceof UnreadableFile ? cause : new UnreadableFile('transfer.no.notAZip', { cause })
  }
  if (read.failed) throw new UnreadableFile('transfer.no.notAZip')
  return files
}

function collect(entry: UnzipFile, chunks: Uint8Array[], read: { bytes: number; failed: boolean }): void {
  entry.ondata = (error, chunk) => {
    if (error !== null) read.failed = true
    else if (read.bytes <= MAX_BYTES) {
      read.bytes += chunk.length
      chunks.push(chunk)
    }
  }
  entry.start()
}

function decoded(chunks: readonly Uint8Array[]): string {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    return chunks.map(chunk => decoder.decode(chunk, { stream: true })).join('') + decoder.decode()
  } catch (cause) {
    throw new UnreadableFile('transfer.no.notJson', { cause })
  }
}

/**
 * The format of a product: `fits` recognises a conversation by its shape, whatever the file is called, `read` converts
 * it.
 */
type Format = { fits(raw: Raw): boolean; read(raw: Raw): ImportedConversation | null }

/** The first that fits wins: ours and DeepSeek's have the tree of ChatGPT, and more. */
const FORMATS: readonly Format[] = [
  { fits: raw => isRaw(raw['mapping']) && textAt(raw, '_id') !== null, read: fromOwnExport },
  { fits: isDeepSeekExport, read: fromDeepSeekExport },
  { fits: raw => isRaw(raw['mapping']), read: fromChatGptExport },
  { fits: isClaudeExport, read: fromClaudeExport },
  { fits: isLibreChatExport, read: fromLibreChatExport },
  { fits: isOpenWebuiExport, read: fromOpenWebuiExport },
]

/** Products whose exports are recognised but cannot be read, by the whole file or one entry of its list. */
const OTHERS: readonly { product: string; fits(raw: Raw): boolean }[] = [
  { product: 'Gemini', fits: raw => /^(?:Gemini|Bard)\b/.test(textAt(raw, 'header') ?? '') && 'time' in raw },
  { product: 'Grok', fits: raw => isRaw(raw['conversation']) && Array.isArray(raw['responses']) },
  { product: 'NextChat', fits: raw => isRaw(raw['chat-next-web-store']) },
  { product: 'LobeChat', fits: raw => textAt(raw, 'exportType') !== null && isRaw(raw['state']) },
  {
    product: 'Chatbot UI',
    fits: raw => Array.isArray(raw['history']) && Array.isArray(raw['folders']) && Array.isArray(raw['prompts']),
  },
  { product: 'TypingMind', fits: raw => Array.isArray(rawAt(raw, 'data')['chats']) },
  { product: 'Cherry Studio', fits: raw => isRaw(raw['localStorage']) && isRaw(raw['indexedDB']) },
  { product: 'LM Studio', fits: raw => rawsAt(raw, 'messages').some(message => Array.isArray(message['versions'])) },
]

function formatOf(raw: unknown): Format | undefined {
  return isRaw(raw) ? FORMATS.find(({ fits }) => fits(raw)) : undefined
}

function otherProduct(raw: unknown): string | null {
  return isRaw(raw) ? (OTHERS.find(({ fits }) => fits(raw))?.product ?? null) : null
}

/** A history document of ours. */
function fromOwnExport(raw: Raw): ImportedConversation | null {
  const id = textAt(raw, '_id')
  if (id === null || id === '') return null
  return conversationOf(
    {
      id,
      title: textAt(raw, 'title'),
      create_time: timeAt(raw, 'create_time'),
      update_time: timeAt(raw, 'update_time'),
      current_node: textAt(raw, 'current_node'),
      current_model: modelAt(raw, 'current_model'),
    },
    nodesFrom(rawAt(raw, 'mapping'), message => [messageFrom(message)]),
  )
}

function messageFrom(raw: Raw): LooseMessage {
  const content = Content.safeParse(storable(raw['content'] ?? null))
  const metadata = MessageMetadata.safeParse(storable(raw['metadata'] ?? null))
  return {
    role: Role.safeParse(raw['role']).data ?? 'tool',
    author_name: textAt(raw, 'author_name'),
    model: modelAt(raw, 'model'),
    create_time: timeAt(raw, 'create_time'),
    content: content.data ?? null,
    // Unknown content is kept and shown raw.
    metadata:
      content.success || raw['content'] == null
        ? (metadata.data ?? null)
        : { source: 'openai_web', fallback_content: storable(raw['content']) },
  }
}

function modelAt(raw: Raw, key: string): string | null {
  return ModelCode.safeParse(raw[key]).data ?? null
}
