import { Refusal } from '#server/foundation/refusal.ts'
import type { Question } from '../provider.ts'
import type { ErrorCodes } from '../errorCodes.ts'
import type { UpstreamError } from '../upstreamErrors.ts'
import { UpstreamRefusal } from '../upstreamRefusal.ts'

/** That the account that is asked does not know a conversation, or may not see it. */
const UNKNOWN =
  /conversation_(?:not_found|inaccessible|deleted|unavailable|expired)|(?:can(?:['’]?t|not)|unable to|failed to) (?:load|find|access) (?:this |the )?conversation|no such conversation|conversation\b[^\n]{0,60}(?:not found|(?:does not|doesn['’]t|no longer) exist|deleted|inaccessible|not accessible|unavailable|belongs to another)|(?:对话|会话)[^\n]{0,40}(?:不存在|已删除|未找到|无权)|找不到[^\n]{0,10}(?:对话|会话)/
/** Other statuses are of the account, of the moment, or of its gateway. */
const STATUSES = new Set([200, 400, 403, 404, 409, 410, 422])

/** That a custom GPT is gone, private, or not for the account that is asked. */
const GIZMO =
  /gizmo|\b(?:this|custom|the) gpts?\b[^\n]{0,80}(?:not|no longer|n['’]t|deleted|removed|private|inaccessible|unavailable|disabled|restricted)|no access to (?:this|the) gpts?\b|(?:自定义|定制) ?gpts?[^\n]{0,40}(?:不存在|无权|不可用|删除)/

/** The refusal for an error that says that the account does not know the conversation; null for any other. `promised`: the status of HTTP. */
export function unknownConversation({ words, codes, status }: UpstreamError, promised: number): Refusal | null {
  const said = status ?? promised
  const isUnknown = said === 410 || (STATUSES.has(said) && (UNKNOWN.test(codes.code ?? '') || UNKNOWN.test(words)))
  return isUnknown ? refusalFor('conversationGone', said, codes) : null
}

/** The refusal for an error of an ask that is about its conversation, and neither about the account nor about the question; else null. */
export function conversationRefusal(
  error: UpstreamError,
  promised: number,
  { upstream_conversation_id, gizmo_id }: Pick<Question, 'upstream_conversation_id' | 'gizmo_id'>,
): Refusal | null {
  const said = error.status ?? promised
  if (gizmo_id !== null && STATUSES.has(said) && GIZMO.test(`${error.codes.code ?? ''}\n${error.words}`))
    return refusalFor('customGptRefused', said, error.codes)
  return upstream_conversation_id === null ? null : unknownConversation(error, promised)
}

const refusalFor = (key: 'conversationGone' | 'customGptRefused', status: number, codes: ErrorCodes): Refusal =>
  new Refusal(key, {}, { cause: new UpstreamRefusal({ status, ...codes }) })
