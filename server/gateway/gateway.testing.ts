import type { Dialect } from '#contract/gateway.ts'
import type { NewKey } from '#contract/keys.ts'
import type { DatabaseStorage } from '#server/foundation/database/open.ts'
import { portalWithKeys } from '#server/keys/keys.testing.ts'

type Sent = { method?: string; headers?: Record<string, string>; body?: unknown; signal?: AbortSignal }

export const A_CHAT = { model: 'gpt_4', messages: [{ role: 'user', content: 'Hello' }] }

/** A question in each dialect: its path, and the body as the tools of the dialect send it. */
export const questionIn: Readonly<Record<Dialect, (text: string, max_output?: number) => readonly [string, object]>> = {
  chat: (content, max_tokens) => [
    '/v1/chat/completions',
    { ...A_CHAT, messages: [{ role: 'user', content }], max_tokens },
  ],
  responses: (input, max_output_tokens) => ['/v1/responses', { model: 'gpt_4', input, max_output_tokens }],
  messages: (content, max_tokens = 100) => [
    '/v1/messages',
    { model: 'gpt_4', messages: [{ role: 'user', content }], max_tokens },
  ],
}
export const DIALECTS = ['chat', 'responses', 'messages'] as const satisfies readonly Dialect[]

/** Sends as a tool does that has this key. */
export const sendTo = (
  url: string,
  key: string,
  path: string,
  { headers, body, method = 'POST', ...more }: Sent = {},
) =>
  fetch(`${url}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    ...more,
  })

/** A portal with a tool that has somebody's key. */
export async function portalWithTool(storage: DatabaseStorage, fields: Partial<NewKey> = {}) {
  const portal = await portalWithKeys(storage)
  const made = await portal.make(fields)
  const send = (path: string, sent?: Sent) => sendTo(portal.url, made.key, path, sent)
  const logs = () => portal.app.services.open.database.selectFrom('ask_logs').selectAll().execute()
  return { ...portal, made, send, logs }
}

/** What a tool reads of a refusal. */
export async function refusalIn(
  response: Response,
): Promise<{ status: number; message: string; [field: string]: unknown }> {
  const { error } = (await response.json()) as { error: { message: string } } // a test that reads something else fails
  return { status: response.status, ...error }
}

/** The data of the events of a stream, and the comments. */
export function eventsOf(text: string): string[] {
  return text.split('\n\n').filter(event => event !== '')
}
