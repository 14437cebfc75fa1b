import { WebFileId } from '#contract/files.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import type { Fields } from '../looseJson.ts'
import type { ProviderPorts } from '../ports.ts'
import { downloadUrlIn, type FileRefusals, orMissing, orUploadLimit, requireSuccess } from './fileAnswers.ts'
import { toError } from '../upstreamErrors.ts'
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
