import { readInterpreter, readInterpreterDownload, readInterpreterFile } from '#contract/conversations.ts'
import { openOwned, type Reader } from '#server/conversations/owned.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import type { Http } from '#server/foundation/http/http.ts'
import { relayedAnswer } from '#server/foundation/http/relayed.ts'
import type { Interpreter } from './interpreter.ts'

export function interpreterRoutes<U extends Reader>(http: Http<U>, interpreter: Interpreter, open: OpenDatabase): void {
  const { requireOwned } = openOwned(open)
  http.answer(readInterpreter, async ({ user, params }) => interpreter.info(await requireOwned(user, params.id)))
  http.answer(readInterpreterDownload, async ({ user, params, query }) =>
    interpreter.fileUrl(await requireOwned(user, params.id), query),
  )
  http.answer(readInterpreterFile, async ({ user, params, query }) =>
    relayedAnswer(await interpreter.file(await requireOwned(user, params.id), query)),
  )
}
