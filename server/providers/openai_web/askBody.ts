import { webFileIn, webFilePointer } from '#contract/files.ts'
import { attachmentsOf, type ImagePart, type Message, textOf } from '#contract/messages.ts'
import { newId } from '#server/foundation/ids.ts'
import type { ProviderAsk } from '../provider.ts'

/** What a web account is asked with. It keeps the conversation itself, so that only the question goes there. */
export function askBody({ question, thread, upstream }: ProviderAsk): Record<string, unknown> {
  const last = thread.at(-1)
  const asked = question.continues ? undefined : last
  const isNew = question.upstream_conversation_id === null
  return {
    action: question.continues ? 'continue' : 'next',
    arkose_token: question.arkose_token,
    conversation_id: question.upstream_conversation_id,
    conversation_mode: modeOf(question),
    force_paragen: false,
    force_rate_limit: false,
    history_and_training_disabled: false,
    messages: asked === undefined ? null : [toUpstream(asked)],
    model: upstream.model_name,
    // The first message stands under a root that nobody knows yet.
    parent_message_id: (question.continues ? last?.id : last?.parent) ?? newId(),
    plugin_ids: isNew && question.plugin_ids.length > 0 ? question.plugin_ids : null,
    suggestions: [],
    timezone_offset_min: null,
  }
}

/** A conversation that was had with a custom GPT goes on with it. */
const modeOf = ({ gizmo_id }: ProviderAsk['question']) =>
  gizmo_id === null ? { kind: 'primary_assistant', gizmo: null } : { kind: 'gizmo_interaction', gizmo_id }

/** The question, with its pictures and files. */
function toUpstream(message: Message) {
  const images = imagesOf(message)
  const files = attachmentsOf(message)
  const text = textOf(message)
  return {
    id: message.id,
    author: { role: 'user' },
    content:
      images.length === 0
        ? { content_type: 'text', parts: [text] }
        : { content_type: 'multimodal_text', parts: [...images.map(pictured), text] },
    metadata: files.length > 0 ? { attachments: files } : {},
  }
}

const imagesOf = ({ content }: Message): ImagePart[] =>
  content?.content_type === 'multimodal_text' ? content.parts.filter(part => typeof part !== 'string') : []

/** Older clients write one scheme for both forms of ids. */
function pictured(part: ImagePart): ImagePart {
  const id = webFileIn(part.asset_pointer)
  return {
    ...part,
    content_type: 'image_asset_pointer',
    asset_pointer: id === null ? part.asset_pointer : webFilePointer(id),
  }
}
