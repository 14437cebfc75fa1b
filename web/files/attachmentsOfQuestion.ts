import type { Attachment, Message } from '#contract/messages.ts'

/** The files that were sent along with a question. */
export function attachmentsOfQuestion({ metadata }: Pick<Message, 'metadata'>): Attachment[] {
  return metadata?.source === 'openai_web' ? (metadata.attachments ?? []) : []
}
