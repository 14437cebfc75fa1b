import type { ImportedConversation } from '#contract/transfer.ts'
import { fromChatGptExport } from './chatGptExport.ts'
import { fromClaudeExport, isClaudeExport } from './claudeExport.ts'
import { fromDeepSeekExport, isDeepSeekExport } from './deepSeekExport.ts'
import { fromLibreChatExport, isLibreChatExport } from './libreChatExport.ts'
import { fromOpenWebuiExport, isOpenWebuiExport } from './openWebuiExport.ts'
import { fromOwnExport } from './ownExport.ts'
import { isRaw, type Raw, rawAt, rawsAt, textAt } from '#contract/rawValues.ts'

/** The format of a product: `fits` recognises a conversation by its shape, whatever the file is called, `read` converts it. */
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
