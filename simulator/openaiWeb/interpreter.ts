import { answer, conversationOf, type WebCall } from './call.ts'
import { nodeOf, type WebConversation, now } from './conversation.ts'
import { completeFile } from './files/file.ts'
import { addressOf, fail } from './files/files.ts'

/** Seconds that the interpreter and its files stay after it was last used. */
const LIFETIME = 1_800

/** GET conversation/{id}/interpreter */
export function read(call: WebCall) {
  const conversation = conversationOf(call)
  if (!conversation) return
  const remaining = remainingOf(conversation)
  answer(call, { kernel_started: remaining > 0, time_remaining_ms: Math.round(remaining * 1_000) })
}

const remainingOf = ({ interpreter_used }: WebConversation): number =>
  interpreter_used === null ? 0 : Math.max(0, interpreter_used + LIFETIME - now())

/** GET conversation/{id}/interpreter/download?message_id&sandbox_path */
export function download(call: WebCall) {
  const conversation = conversationOf(call)
  if (!conversation) return
  const path = call.query.get('sandbox_path') ?? ''
  const text = Object.hasOwn(conversation.sandbox, path) ? conversation.sandbox[path] : undefined
  if (remainingOf(conversation) === 0) return fail(call, 'ace_pod_expired', 'The code interpreter has expired')
  if (text === undefined || !nodeOf(conversation, call.query.get('message_id')))
    return fail(call, 'file_not_found', `There is no file at ${path}`)
  const file = completeFile(path.split('/').at(-1) ?? '', Buffer.from(text))
  call.account.addFile(file)
  answer(call, { status: 'success', download_url: addressOf(call, file), error_code: null, error_message: null })
}
