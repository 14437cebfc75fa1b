import { WebFileId } from '#contract/files.ts'
import type { RefusalKey } from '#contract/refusals.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import { meaningOf } from '../errorMeanings.ts'
import type { Fields } from '../looseJson.ts'
import type { ProviderPorts } from '../ports.ts'
import { toError, type UpstreamError } from '../upstreamErrors.ts'
import { refusalOfError, UpstreamRefusal } from '../upstreamRefusal.ts'
import { type AskWeb, pathPart } from './request.ts'
import { storageAddress } from './storage.ts'

type Ports = Pick<ProviderPorts, 'beginFile' | 'completeFile' | 'fileUrl'>

const REFUSALS: FileRefusals = { missing: 'resourceNotFound', other: 'chatgptResponseError' }

/** The files of a web account; their contents go to and come from a storage host. */
export function filePorts(ask: AskWeb): Ports {
  return {
    beginFile(endpoint, { file_name, file_size, use_case }, signal) {
      const body = { file_name, file_size, use_case }
      return orUploadLimit(ask(endpoint, { method: 'POST', path: 'files', body }, begunIn, signal))
    },

    completeFile(endpoint, file_id, signal) {
      const path = `files/${pathPart(file_id)}/uploaded`
      const done = ask(endpoint, { method: 'POST', path, body: {} }, completedIn, signal)
      return orUploadLimit(orMissing(done, REFUSALS.missing)).then(download_url => ({ download_url }))
    },

    fileUrl(endpoint, file_id, signal) {
      const path = `files/${pathPart(file_id)}/download`
      return orMissing(ask(endpoint, { method: 'GET', path }, addressIn, signal), REFUSALS.missing)
    },
  }
}

function begunIn(answer: Fields): { file_id: string; upload_url: string } | null {
  requireSuccess(answer, REFUSALS)
  const file_id = WebFileId.safeParse(answer['file_id']).data
  const { upload_url } = answer
  return file_id === undefined || typeof upload_url !== 'string'
    ? null
    : { file_id, upload_url: storageAddress(upload_url) }
}

/** What is said of a file whose content has not come to the storage. */
const NOT_SENT = /not[_ ](?:been[_ ])?(?:uploaded|arrived|received)/

function completedIn(answer: Fields): string | null {
  const { status } = answer
  const { codes, words } = toError(answer)
  if (status !== 'success' && NOT_SENT.test(`${codes.code ?? ''} ${words}`.toLowerCase()))
    throw new Refusal('fileContentMissing')
  return addressIn(answer)
}

const addressIn = (answer: Fields): string | null => downloadUrlIn(answer, REFUSALS)

/** The refusals for a file that is not there, and for anything else that is wrong with it. */
export type FileRefusals = { missing: RefusalKey; other: RefusalKey }

const MISSING = /not[_ ]?found|no such|not exist|expired|deleted|missing|\bgone\b/i

/**
 * Throws what an answer says that is wrong with a file: its status is then no `success`, although that of HTTP is good.
 */
function requireSuccess(answer: Fields, { missing, other }: FileRefusals): void {
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

/**
 * What the upstream says itself that it does not have, a file or a plugin, is missing; so is what was in a conversation
 * that it does not know.
 */
export async function orMissing<Answer>(asked: Promise<Answer>, missing: RefusalKey): Promise<Answer> {
  try {
    return await asked
  } catch (error) {
    if (!(error instanceof Refusal) || !['openai.404', 'conversationGone'].includes(error.key)) throw error
    throw new Refusal(missing, {}, { cause: error.cause })
  }
}

/** An account that takes no more files for now still answers questions. */
async function orUploadLimit<Answer>(asked: Promise<Answer>): Promise<Answer> {
  try {
    return await asked
  } catch (error) {
    if (!(error instanceof Refusal) || error.key !== 'openai.429') throw error
    throw new Refusal('openai.uploadLimit', error.values, { cause: error.cause })
  }
}
