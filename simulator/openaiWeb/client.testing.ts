import { randomUUID } from 'node:crypto'
import type { Simulator } from '../simulator.ts'
import type { WebMessage } from './state/conversation.ts'
import { WEB_TOKEN } from './state/web.ts'

export type WebEvent = {
  type?: string
  title?: string
  conversation_id?: string
  error?: unknown
  message?: WebMessage
}

/** Sends requests as a client of the web protocol would. */
export function aWebClient(simulator: Simulator, token = WEB_TOKEN, account_id: string | null = null) {
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    ...(account_id !== null && { 'chatgpt-account-id': account_id }),
  }
  const send = (method: string, path: string, body?: unknown) =>
    fetch(`${simulator.webUrl}${path}`, {
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
    })

  return {
    send,
    /** Parsed, with its status. */
    async read(method: string, path: string, body?: unknown) {
      const response = await send(method, path, body)
      return { status: response.status, body: await response.json() }
    },
    ask: (words: string, more: Record<string, unknown> = {}) =>
      send('POST', 'conversation', {
        action: 'next',
        arkose_token: null,
        conversation_id: null,
        model: 'gpt-4',
        parent_message_id: randomUUID(),
        plugin_ids: null,
        messages: [question(words)],
        ...more,
      }),
  }
}

export const question = (words: string, metadata: Record<string, unknown> = {}) => ({
  id: randomUUID(),
  author: { role: 'user' },
  content: { content_type: 'text', parts: [words] },
  metadata,
})

export function webEventsIn(stream: string): (WebEvent | string)[] {
  return stream
    .split('\n')
    .filter(line => line.startsWith('data: '))
    .map(line => line.slice('data: '.length))
    .map(data => (data === '[DONE]' ? data : JSON.parse(data)))
}

/** The messages of a whole stream in their last state, in their order. */
export function messagesIn(stream: string): WebMessage[] {
  const found = new Map<string, WebMessage>()
  for (const event of webEventsIn(stream)) {
    if (typeof event !== 'string' && event.message) found.set(event.message.id, event.message)
  }
  return [...found.values()]
}

export async function answered(response: Promise<Response>) {
  const stream = await (await response).text()
  const events = webEventsIn(stream)
  const conversation_id = events
    .map(event => (typeof event === 'string' ? undefined : event.conversation_id))
    .find(Boolean)
  return { events, messages: messagesIn(stream), conversation_id: conversation_id ?? '' }
}
