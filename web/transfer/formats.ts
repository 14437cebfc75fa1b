import { Content, MessageMetadata, Role } from '#contract/messages.ts'
import { ModelCode } from '#contract/models.ts'
import type { ImportedConversation } from '#contract/transfer.ts'
import { fromChatGptExport } from './chatGptExport.ts'
import { fromClaudeExport, isClaudeExport } from './claudeExport.ts'
import { fromDeepSeekExport, isDeepSeekExport } from './deepSeekExport.ts'
import { fromLibreChatExport, isLibreChatExport } from './libreChatExport.ts'
import { fromOpenWebuiExport, isOpenWebuiExport } from './openWebuiExport.ts'
import { isRaw, type Raw, rawAt, rawsAt, textAt, storable, timeAt } from '#contract/rawValues.ts'
import { conversationOf, type LooseMessage, nodesFrom } from './importedTree.ts'

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

export function formatOf(raw: unknown): Format | undefined {
  return isRaw(raw) ? FORMATS.find(({ fits }) => fits(raw)) : undefined
}

export function otherProduct(raw: unknown): string | null {
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
