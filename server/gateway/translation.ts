import type { RelaySink } from '#server/providers/relay.ts'
import { FORMS, type ToolRequest } from './dialects/readRequest.ts'
import { type Fields, sseEvent, type StreamFacts } from './dialects/form.ts'
import { codeInStream, type ToolRefusal } from './dialects/toolRefusal.ts'
import { chatAnswerToMessages, chatToMessages } from './translators/chatToMessages.ts'
import { chatAnswerToResponses, chatToResponses } from './translators/chatToResponses.ts'
import { messagesToChat } from './translators/messagesToChat.ts'
import { responsesToChat } from './translators/responsesToChat.ts'
import type { StreamEvent, StreamTranslator, WholeAnswer } from './translators/translated.ts'

/**
 * A request as a chat, for upstreams that speak nothing else, and what makes its answer one of the request's dialect.
 */
export type Translation = {
  body: Fields
  /** What a chat has no counterpart for: it is refused where no upstream speaks the dialect itself. */
  refused: readonly string[]
  stream(): StreamTranslator
  whole(answer: unknown): WholeAnswer
}

/** Null of a chat, which needs none. */
export function translationOf(request: ToolRequest, facts: StreamFacts): Translation | null {
  const { dialect, body, model, input_tokens } = request
  const options = { id: facts.id, model, input_tokens }
  if (dialect === 'messages') {
    const { tools, thinks, ...chat } = messagesToChat(body)
    const of = { ...options, tools, thinks }
    return { ...chat, stream: () => chatToMessages(of), whole: answer => chatAnswerToMessages(answer, of) }
  }
  if (dialect === 'chat') return null
  const { tools, ...chat } = responsesToChat(body)
  const of = () => ({
    ...{ ...options, tools, request: body, sequence_number: facts.sequence },
    created_at: Math.floor(facts.create_time / 1000),
  })
  return { ...chat, stream: () => chatToResponses(of()), whole: answer => chatAnswerToResponses(answer, of()) }
}

/** Takes a chat's answer for whoever asked in another dialect. */
export type TranslatingSink = RelaySink & {
  /** The rest of the answer, when its upstream has said all; null where none of it came this way. */
  finish(refusal: ToolRefusal | null): string | null
}

export function translatingSink(to: RelaySink, { stream }: Pick<Translation, 'stream'>): TranslatingSink {
  let translator: StreamTranslator | null = null
  return {
    began(head) {
      // Not before: events of the portal may have come first, which are numbered with the others.
      translator = stream()
      to.began({ ...head, content_type: 'text/event-stream; charset=utf-8' })
    },
    write(bytes) {
      const written = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString()
      const events = dataIn(written).flatMap(chunk => translator?.push(chunk) ?? [])
      return events.length === 0 ? null : to.write(Buffer.from(textOf(events)))
    },
    refused: to.refused,
    finish(refusal) {
      if (translator === null) return null
      const { message = '', kind = null } = refusal ?? {}
      return textOf(kind === null ? translator.end() : translator.fail({ message, code: codeInStream(kind) }))
    },
  }
}

const textOf = (events: readonly StreamEvent[]): string =>
  events.map(({ event, data }) => sseEvent(event, data)).join('')

/** What whole events hold. Of a chat, its end is known by the ask's. */
export function dataIn(events: string): unknown[] {
  return events.split(/\r?\n\r?\n/).flatMap(event => {
    const data = event
      .split(/\r?\n/)
      .filter(line => line.startsWith('data:'))
      .map(line => line.slice('data:'.length).trimStart())
      .join('\n')
    return data === '' || data === '[DONE]' ? [] : [parsedChunk(data)]
  })
}

function parsedChunk(data: string): unknown {
  try {
    return JSON.parse(data)
  } catch {
    return null // an event that is no JSON says nothing to any tool
  }
}

/** What an upstream of chats says of a wrong request, in the form of the request's dialect. */
export function translatedRefusal(dialect: ToolRequest['dialect'], body: Uint8Array) {
  const said = parsedChunk(Buffer.from(body).toString()) as { error?: { message?: unknown } } | null // only texts of it are used
  const message = said?.error?.message
  return FORMS[dialect].refused({
    kind: 'invalid',
    message: typeof message === 'string' ? message : 'The provider did not accept the request.',
    again: null,
    param: null,
  })
}
