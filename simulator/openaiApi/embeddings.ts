import { createHash } from 'node:crypto'
import { isRecord, sendJson } from '../foundation/http.ts'
import type { Answering, Protocol } from './answering.ts'
import { refuse, refuseByFault } from './errors.ts'
import { readChatRequest } from './request.ts'

/** Numbers of a vector. */
const SIZE = 8

/** Reads the texts as questions of a chat. */
const read: Protocol['read'] = body => {
  const input = isRecord(body) ? body.input : undefined
  const texts: unknown[] = Array.isArray(input) ? input : [input]
  const messages = texts.map(content => ({ role: 'user', content }))
  return readChatRequest({ model: isRecord(body) ? body.model : undefined, messages })
}

/** The same text has the same vector. */
const vectorOf = (text: string): number[] =>
  Array.from(createHash('sha256').update(text).digest().subarray(0, SIZE), byte => byte / 255 - 0.5)

function answer({ chat, reply: { prompt_tokens }, fault, entry, response, upstream: { journal } }: Answering): void {
  if (fault?.kind === 'status') {
    journal.end(entry, 'fault')
    return void refuseByFault(response, fault)
  }
  response.on('finish', () => journal.end(entry, 'complete'))
  sendJson(response, 200, {
    object: 'list',
    data: chat.messages.map(({ text }, index) => ({
      ...{ object: 'embedding', index, embedding: vectorOf(text) },
    })),
    model: chat.model,
    usage: { prompt_tokens, total_tokens: prompt_tokens },
  })
}

export const EMBEDDINGS: Protocol = { path: '/v1/embeddings', read, refuse, answer }
