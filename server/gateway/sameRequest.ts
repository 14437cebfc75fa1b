import type { IncomingHttpHeaders } from 'node:http'
import type { ToolRequest } from './dialects/readRequest.ts'

/** Tools that ask for a title beside their first question: characters of such a request at most. */
const TITLES: Readonly<Record<string, number>> = { opencode: 8_000, Codex: 32_000 }

/** Headers by which these tools name their session. */
const SESSION_HEADERS = ['session-id', 'x-session-id'] as const

/** What of a request stays the same when it is asked once more: not whether it is streamed. */
export function sameOf({ dialect, body }: Pick<ToolRequest, 'dialect' | 'body'>): string {
  const { stream: _stream, stream_options: _options, ...same } = body
  return JSON.stringify([dialect, same])
}

/** Whether it is the request for a title. What is not known to be one is a question. */
export function mayRunBeside(
  { body }: Pick<ToolRequest, 'body'>,
  { tool, headers, same }: { tool: string | null; headers: IncomingHttpHeaders; same: string },
): boolean {
  const tools = body['tools']
  return (
    same.length <= (TITLES[tool ?? ''] ?? 0) &&
    (tools === undefined || (Array.isArray(tools) && tools.length === 0)) &&
    SESSION_HEADERS.some(name => typeof headers[name] === 'string')
  )
}
