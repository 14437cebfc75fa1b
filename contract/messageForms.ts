import type { MessageForm } from './messageForm.ts'
import type { Content, MessageMetadata } from './messages.ts'
import { type Source, SOURCES } from './models.ts'
import { webForm } from './webMessages/form.ts'

/** The source stands in metadata too, since older clients look at either one. */
const BARE: MessageMetadata = Object.freeze({ source: 'openai_api' })

const apiForm: MessageForm = {
  read: (_author, stored) => ({ ...stored, isHidden: false }),
  isOwn: () => false,
  content: content => content,
  metadata: metadata => metadata ?? BARE,
  addressed: ({ metadata }) => metadata,
  madePictures: () => [],
  ofConversation: () => null,
}

export const MESSAGE_FORMS: Readonly<Record<Source, MessageForm>> = { openai_api: apiForm, openai_web: webForm }

/** The source whose form content has, whichever its conversation is of: content of several may be imported. */
export const formedBy = (content: Content | null): Source | undefined =>
  SOURCES.find(source => MESSAGE_FORMS[source].isOwn(content))
