import { webFileIn } from '#contract/files.ts'
import { MESSAGE_FORMS } from '#contract/messageForms/messageForms.ts'
import { attachmentsOf, type Content, type MessageMetadata } from '#contract/messages.ts'

type Stored = { content: unknown; message_metadata: unknown }

/**
 * The files that a message has: attached, shown, or made by a model or by what it ran. What stands in its text is no
 * file of it.
 */
export function filesNamedIn({ content, message_metadata }: Stored): string[] {
  // Both were checked when they were stored.
  const [shown, metadata] = [content as Content | null, message_metadata as MessageMetadata | null]
  const parts = shown?.content_type === 'multimodal_text' ? shown.parts : []
  const pointers = [
    ...parts.flatMap(part => (typeof part === 'string' ? [] : [part.asset_pointer])),
    ...(metadata === null ? [] : MESSAGE_FORMS[metadata.source].madePictures(metadata)),
  ]
  return [...attachmentsOf({ metadata }).map(({ id }) => id), ...pointers.flatMap(pointer => webFileIn(pointer) ?? [])]
}

export const isMessageNaming = (message: Stored, web_file_id: string): boolean =>
  filesNamedIn(message).includes(web_file_id)
