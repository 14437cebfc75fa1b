import type { FrameReader } from '#server/foundation/outbound/outbound.ts'
import type { ReaderSignal } from '#server/foundation/outbound/answer.ts'
import { silenceBound } from '../eventStream.ts'
import { fieldOf, isFields, parsed } from '../looseJson.ts'

/** What Azure calls its protocol whose frames are acknowledged. */
export const SUBPROTOCOL = 'json.reliable.webpubsub.azure.v1'

const ACKNOWLEDGE_EACH = 11
const END_OF_LINE = Buffer.from('\n\n')
/** Milliseconds that more is waited for after an answer has said that it is whole: its end, and a title. */
const AFTER_WHOLE = 5_000

type Taking = {
  /** Reads bytes of the stream of events. */
  take(bytes: Uint8Array): ReaderSignal
  /** Whether the answer has said that it is whole. */
  isWhole(): boolean
}

/**
 * Reads the frames of one conversation, each with a line of the stream of events, and acknowledges what comes. Frames that come again are
 * ignored, and those that never came are noticed.
 */
export function conversationFrames(conversation_id: string, { take, isWhole }: Taking) {
  let last = 0
  let unacknowledged = 0
  let hasLost = false
  const silence = silenceBound()

  const read: FrameReader = (frame, socket) => {
    const fields = parsed(frame)
    silence.note({ bytes: 0, unknown_events: isFields(fields) ? 0 : 1, says: false })
    const sequence = fieldOf(fields, 'sequenceId')
    if (typeof sequence === 'number' && Number.isSafeInteger(sequence)) {
      if (sequence <= last) return 'continue'
      hasLost ||= last > 0 && sequence > last + 1
      last = sequence
      unacknowledged += 1
    }
    const signal = readData(fieldOf(fields, 'data'))
    if (unacknowledged >= ACKNOWLEDGE_EACH || (signal !== 'continue' && unacknowledged > 0)) {
      socket.send(JSON.stringify({ type: 'sequenceAck', sequenceId: last }))
      unacknowledged = 0
    }
    if (isWhole()) socket.setIdleTimeout(AFTER_WHOLE)
    return signal
  }

  function readData(data: unknown): ReaderSignal {
    if (!isFields(data) || data['conversation_id'] !== conversation_id) return 'continue'
    const { body } = data
    if (typeof body !== 'string') return 'continue'
    return take(Buffer.concat([Buffer.from(body, 'base64'), END_OF_LINE]))
  }

  return { read, hasLost: () => hasLost }
}
