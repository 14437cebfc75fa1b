import { Content, MessageMetadata } from '#contract/messages.ts'
import { ModelCode } from '#contract/models.ts'
import type { ImportedConversation } from '#contract/transfer.ts'
import { conversationOf, type FileNode, type LooseMessage } from './importedTree.ts'
import { isRaw, type Raw, rawAt, textAt, timeAt } from './rawValues.ts'
import { storable } from './storable.ts'

const ROLES = ['system', 'user', 'assistant', 'tool'] as const

/** A history document of ours. */
export function fromOwnExport(raw: Raw): ImportedConversation | null {
  const id = textAt(raw, '_id')
  const mapping = rawAt(raw, 'mapping')
  if (id === null || id === '') return null
  const nodes = new Map<string, FileNode>()
  for (const [key, message] of Object.entries(mapping)) {
    if (isRaw(message))
      nodes.set(key, {
        parent: textAt(message, 'parent'),
        children: textsIn(message['children']),
        messages: [looseMessage(message)],
      })
  }
  return conversationOf(
    {
      id,
      title: textAt(raw, 'title'),
      create_time: timeAt(raw, 'create_time'),
      update_time: timeAt(raw, 'update_time'),
      current_node: textAt(raw, 'current_node'),
      current_model: modelIn(raw, 'current_model'),
    },
    nodes,
  )
}

export function textsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter(each => typeof each === 'string') : []
}

function looseMessage(raw: Raw): LooseMessage {
  const content = Content.safeParse(storable(raw['content'] ?? null))
  const metadata = MessageMetadata.safeParse(storable(raw['metadata'] ?? null))
  return {
    role: ROLES.find(role => role === raw['role']) ?? 'tool',
    author_name: textAt(raw, 'author_name'),
    model: modelIn(raw, 'model'),
    create_time: timeAt(raw, 'create_time'),
    content: content.data ?? null,
    // What we cannot read is kept to be shown as it is.
    metadata:
      content.success || raw['content'] == null
        ? (metadata.data ?? null)
        : { source: 'openai_web', fallback_content: storable(raw['content']) },
  }
}

function modelIn(raw: Raw, key: string): string | null {
  return ModelCode.safeParse(raw[key]).data ?? null
}
