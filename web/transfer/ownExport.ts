import { Content, MessageMetadata, Role } from '#contract/messages.ts'
import { ModelCode } from '#contract/models.ts'
import type { ImportedConversation } from '#contract/transfer.ts'
import { conversationOf, type LooseMessage, nodesFrom } from './importedTree.ts'
import { type Raw, rawAt, storable, textAt, timeAt } from '#contract/rawValues.ts'

/** A history document of ours. */
export function fromOwnExport(raw: Raw): ImportedConversation | null {
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
