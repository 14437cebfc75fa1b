import type { IncomingMessage } from 'node:http'
import type { WebDetails } from '../journal.ts'

/** What the journal keeps of a request beside its path, token and body. */
export function detailsOf(request: IncomingMessage): WebDetails {
  const account_id = request.headers['chatgpt-account-id']
  return {
    method: request.method ?? '',
    query: new URL(request.url ?? '/', 'http://simulator').searchParams.toString(),
    account_id: typeof account_id === 'string' ? account_id : null,
    headers: request.headers,
    transport: 'http',
    acknowledged: [],
  }
}
