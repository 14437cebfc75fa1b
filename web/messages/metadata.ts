import type { Ending, KeptAttachment, Message, MessageMetadata } from '#contract/messages.ts'

type Metadata<Form extends MessageMetadata['source']> = Extract<MessageMetadata, { source: Form }>

/** The metadata of a message in the form of the web service; null where they are in another. */
export const webMetadata = ({ metadata }: Pick<Message, 'metadata'>): Metadata<'openai_web'> | null =>
  metadata?.source === 'openai_web' ? metadata : null

/** The same in the form of an endpoint. */
export const apiMetadata = ({ metadata }: Pick<Message, 'metadata'>): Metadata<'openai_api'> | null =>
  metadata?.source === 'openai_api' ? metadata : null

const NOTHING: readonly KeptAttachment[] = []

/** What went with a question to an endpoint: files that are kept here. */
export const keptWith = (message: Pick<Message, 'metadata'>): readonly KeptAttachment[] =>
  apiMetadata(message)?.attachments ?? NOTHING

/** Why an answer is incomplete; null where it is not known to be. */
export function endingOf(message: Pick<Message, 'metadata'>): Ending | 'length' | null {
  const type = webMetadata(message)?.finish_details?.type
  const isCut = type === 'max_tokens' || apiMetadata(message)?.finish_reason === 'length'
  return message.metadata?.ending ?? (isCut ? 'length' : type === 'interrupted' ? 'stopped' : null)
}
