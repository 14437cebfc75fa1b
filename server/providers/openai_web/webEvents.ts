import { type Fields, isFields } from '../looseJson.ts'
import { errorIn, type UpstreamError } from '../upstreamErrors.ts'
import { titleIn } from './read.ts'

/** What one event of the stream means; what is left out it does not say. */
export type WebEvent = {
  conversation_id?: string
  message?: Fields
  title?: string
  error?: UpstreamError
  /** The service's own rules have stopped the answer. */
  is_blocked?: true
  /** All of the answer has come. */
  is_complete?: true
  /** Where the rest of the answer comes. */
  wss_url?: string
}

const ID = /^[\w:.-]{1,64}$/
const MAX_ADDRESS = 8_000

/** What an event means. Types that nobody knows mean nothing but where they belong. */
export function readEvent(fields: Fields): WebEvent {
  const event: WebEvent = {}
  const { conversation_id, type, wss_url } = fields
  const message = type === 'input_message' ? fields['input_message'] : fields['message']
  if (typeof conversation_id === 'string' && ID.test(conversation_id)) event.conversation_id = conversation_id
  if (isFields(message) && isFields(message['content'])) event.message = message
  else {
    const error = errorIn(fields, message !== undefined && message !== null)
    if (error !== null) event.error = error
  }
  if (type === 'title_generation') event.title = titleIn(fields['title']) ?? ''
  if (isBlocked(fields['moderation_response'])) event.is_blocked = true
  if (type === 'message_stream_complete') event.is_complete = true
  if (typeof wss_url === 'string' && wss_url.length <= MAX_ADDRESS) event.wss_url = wss_url
  return event
}

const isBlocked = (moderation: unknown): boolean => isFields(moderation) && moderation['blocked'] === true
