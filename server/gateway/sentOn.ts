import type { IncomingHttpHeaders } from 'node:http'
import type { Dialect } from '#contract/gateway.ts'

/** Headers that are sent on: which form of the dialect is spoken, and which trials are asked for. */
const SENT_ON: Readonly<Record<Dialect, readonly string[]>> = {
  chat: [],
  responses: ['openai-beta', 'x-codex-beta-features', 'x-openai-internal-codex-responses-lite'],
  messages: ['anthropic-version', 'anthropic-beta'],
}

/** Of a header. */
const MAX_LENGTH = 2_000

export function headersSentOn(dialect: Dialect, headers: IncomingHttpHeaders): Record<string, string> {
  const found = SENT_ON[dialect].flatMap(name => {
    const value = headers[name]
    return typeof value === 'string' && value.length <= MAX_LENGTH ? [[name, value] as const] : []
  })
  return Object.fromEntries(found)
}
