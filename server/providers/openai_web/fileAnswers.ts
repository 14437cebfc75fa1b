import type { RefusalKey } from '#contract/refusals.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import type { Fields } from '../looseJson.ts'
import { meaningOf } from '../errorMeanings.ts'
import { toError, type UpstreamError } from '../upstreamErrors.ts'
import { refusalOfError, UpstreamRefusal } from '../upstreamRefusal.ts'
import { storageAddress } from './storage.ts'

/** The refusals for a file that is not there, and for anything else that is wrong with it. */
export type FileRefusals = { missing: RefusalKey; other: RefusalKey }

const MISSING = /not[_ ]?found|no such|not exist|expired|deleted|missing|\bgone\b/i

/** Throws what an answer says that is wrong with a file: its status is then no `success`, although that of HTTP is good. */
export function requireSuccess(answer: Fields, { missing, other }: FileRefusals): void {
  const { status } = answer
  if (status === undefined || status === 'success') return
  const error = toError(answer)
  const meaning = meaningOf(error, null)
  // It may say until when.
  if (meaning === 'openai.uploadLimit') throw refusalOfError(error, { promised: 200, hasText: false })
  const cause = new UpstreamRefusal({ status: 200, ...error.codes })
  throw new Refusal(isMissing(error) ? missing : (meaning ?? other), {}, { cause })
}

const isMissing = ({ codes, words }: UpstreamError): boolean => MISSING.test(codes.code ?? '') || MISSING.test(words)

/** The address in such an answer. */
export function downloadUrlIn(answer: Fields, refusals: FileRefusals): string | null {
  requireSuccess(answer, refusals)
  const { download_url } = answer
  return typeof download_url === 'string' ? storageAddress(download_url) : null
}

/** What the upstream says itself that it does not have, a file or a plugin, is missing; so is what was in a conversation that it does not know. */
export async function orMissing<Answer>(asked: Promise<Answer>, missing: RefusalKey): Promise<Answer> {
  try {
    return await asked
  } catch (error) {
    if (!(error instanceof Refusal) || !['openai.404', 'conversationGone'].includes(error.key)) throw error
    throw new Refusal(missing, {}, { cause: error.cause })
  }
}

/** An account that takes no more files for now still answers questions. */
export async function orUploadLimit<Answer>(asked: Promise<Answer>): Promise<Answer> {
  try {
    return await asked
  } catch (error) {
    if (!(error instanceof Refusal) || error.key !== 'openai.429') throw error
    throw new Refusal('openai.uploadLimit', error.values, { cause: error.cause })
  }
}
