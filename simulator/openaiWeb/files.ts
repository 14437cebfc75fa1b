import { isRecord } from '../foundation/http.ts'
import { answer, refuse, type WebCall, conversationOf } from './state/call.ts'
import { newFile, type WebFile, completeFile } from './state/account.ts'
import { nodeOf, type WebConversation, now } from './state/conversation.ts'

const MAX_BYTES = 536_870_912

/** POST files: {file_name, file_size, use_case} */
export function announce(call: WebCall) {
  const { file_name, file_size, use_case } = isRecord(call.body) ? call.body : {}
  if (typeof file_name !== 'string' || file_name === '' || !isSize(file_size) || typeof use_case !== 'string')
    return refuse(call, 422, 'file_name, file_size and use_case are wanted')
  if (file_size > MAX_BYTES) return fail(call, 'file_too_large', 'Files may have up to 512 MB')
  const file = newFile({ name: file_name, size: file_size, use_case }, call.web.file_ids)
  call.account.addFile(file)
  answer(call, { status: 'success', upload_url: addressOf(call, file), file_id: file.id, ...NO_ERROR })
}

const NO_ERROR = { error_code: null, error_message: null }

const isSize = (size: unknown): size is number => typeof size === 'number' && Number.isSafeInteger(size) && size >= 0

/** POST files/{id}/uploaded: works once. */
export function complete(call: WebCall) {
  const file = call.account.files.get(call.id)
  if (!file) return refuse(call, 404, 'File not found', 'file_not_found')
  if (file.state === 'announced') return fail(call, 'file_not_uploaded', 'The content of the file has not arrived')
  if (file.state === 'complete') return fail(call, 'already_uploaded', 'The upload is complete already')
  file.state = 'complete'
  answer(call, { status: 'success', download_url: addressOf(call, file), ...NO_ERROR })
}

/** GET files/{id}/download */
export function downloadFile(call: WebCall) {
  const file = call.account.files.get(call.id)
  if (!file) return refuse(call, 404, 'File not found', 'file_not_found')
  if (file.state !== 'complete') return fail(call, 'file_not_ready', 'The upload is not complete')
  answer(call, { status: 'success', download_url: addressOf(call, file), ...NO_ERROR })
}

/** The address to which its content is sent and from which it is read. It needs no token. */
function addressOf({ web }: WebCall, { id, signature }: WebFile): string {
  return `${web.storageUrl()}${id}?sv=2020-04-08&sig=${signature}`
}

/** Answers a failure with status 200, as the upstream does. */
function fail(call: WebCall, error_code: string, error_message: string) {
  answer(call, { status: 'error', download_url: null, error_code, error_message })
}

/** Seconds that the interpreter and its files stay after it was last used. */
const LIFETIME = 1_800

/** GET conversation/{id}/interpreter */
export function interpreterState(call: WebCall) {
  const conversation = conversationOf(call)
  if (!conversation) return
  const remaining = remainingOf(conversation)
  answer(call, { kernel_started: remaining > 0, time_remaining_ms: Math.round(remaining * 1_000) })
}

const remainingOf = ({ interpreter_used }: WebConversation): number =>
  interpreter_used === null ? 0 : Math.max(0, interpreter_used + LIFETIME - now())

/** GET conversation/{id}/interpreter/download?message_id&sandbox_path */
export function downloadFromSandbox(call: WebCall) {
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
