import { isIP } from 'node:net'
import { WebFileId, MAX_FILE_BYTES } from '#contract/files.ts'
import type { RefusalKey } from '#contract/refusals.ts'
import { isPublic } from '#server/foundation/outbound/addresses.ts'
import {
  type AddressPolicy,
  type Outbound,
  type OutboundAnswer,
  OutboundFailure,
} from '#server/foundation/outbound/outbound.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import type { ProviderEndpoint } from '../endpoint.ts'
import { meaningOf } from '../errorMeanings.ts'
import type { Fields } from '../looseJson.ts'
import type { ProviderPorts } from '../ports.ts'
import { toError, type UpstreamError } from '../upstreamErrors.ts'
import { refusalOfError, UpstreamRefusal, refusalOfFailure } from '../upstreamRefusal.ts'
import { COMMON_SETTINGS, commonTimeout } from './reach.ts'
import { type AskWeb, pathPart } from './request.ts'

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

/** Milliseconds without a byte, while a file is sent or received. */
const PAUSE = 30_000
/** Milliseconds for a whole file that is received. */
const MAX_READING = 3_600_000
/** Characters of an address that an upstream gives. */
const MAX_ADDRESS = 8_000

/** What the storage host wants to be told. Never a key: it is another company's. */
const BLOB = { 'x-ms-blob-type': 'BlockBlob', 'x-ms-version': '2020-04-08' }

/**
 * The storage host of a web account: where the contents of files are, at addresses that the account tells. No redirect
 * is followed.
 */
export function webStorage(outbound: Outbound): Pick<ProviderPorts, 'sendFile' | 'openFile'> {
  async function request(
    endpoint: ProviderEndpoint,
    address: string,
    sent: Pick<Parameters<Outbound['request']>[0], 'method' | 'headers' | 'body' | 'signal' | 'total_timeout_ms'>,
  ): Promise<OutboundAnswer> {
    const timeout = commonTimeout(endpoint)
    try {
      return await outbound.request({
        ...sent,
        url: storageAddress(address),
        proxy: endpoint.proxy,
        addresses: addressesFor(address, endpoint),
        connect_timeout_ms: timeout,
        first_byte_timeout_ms: sent.body === undefined ? timeout : Math.max(timeout, PAUSE),
        idle_timeout_ms: PAUSE,
      })
    } catch (failure) {
      throw failure instanceof OutboundFailure ? refusalOfFailure(failure, COMMON_SETTINGS) : failure
    }
  }

  return {
    async sendFile(endpoint, { upload_url, content, size, content_type, total_timeout_ms }, signal) {
      const headers = { ...BLOB, 'content-type': content_type }
      const body = { content, size }
      const { status, body: answer } = await request(endpoint, upload_url, {
        method: 'PUT',
        headers,
        body,
        signal,
        total_timeout_ms,
      })
      answer.destroy()
      if (status !== 200 && status !== 201) throw refused(status)
    },

    async openFile(endpoint, address, signal) {
      const { status, header, body } = await request(endpoint, address, {
        method: 'GET',
        signal,
        total_timeout_ms: MAX_READING,
      })
      const size = sizeIn(header('content-length'))
      const isReadable = status === 200 && (header('content-encoding') ?? 'identity') === 'identity'
      if (!isReadable || (size ?? 0) > MAX_FILE_BYTES) {
        body.destroy()
        throw status === 404 || status === 410 ? new Refusal('resourceNotFound') : refused(status)
      }
      return { size, content: body.stream(MAX_FILE_BYTES) }
    },
  }
}

const refused = (status: number): Refusal =>
  new Refusal('storageRefused', { status }, { cause: new UpstreamRefusal({ status }) })

function sizeIn(header: string | undefined): number | null {
  return header !== undefined && /^\d{1,15}$/.test(header) ? Number(header) : null
}

/** An address as an upstream gives it. Refuses what is none of the web. */
export function storageAddress(given: string): string {
  const url = given.length > MAX_ADDRESS ? null : URL.parse(given)
  if (url === null || !['https:', 'http:'].includes(url.protocol) || url.username !== '' || url.password !== '')
    throw new Refusal('addressNotAllowed')
  return url.href
}

/**
 * The host that the administrator has named may be anywhere; one that only the upstream names is on the public network,
 * so that no answer leads into the network of the portal. By a proxy names are looked up there: here they may be
 * forged.
 */
function addressesFor(address: string, { base_url, proxy, addresses }: ProviderEndpoint): AddressPolicy {
  const { hostname } = new URL(address)
  if (hostname === URL.parse(base_url)?.hostname) return addresses
  const literal = hostname.replace(/^\[|\]$/g, '')
  const isName = isIP(literal) === 0 && !/(?:^|\.)localhost\.?$/i.test(hostname)
  return proxy !== null && (isName || isPublic(literal)) ? 'any' : { public_only: true, except: [] }
}
