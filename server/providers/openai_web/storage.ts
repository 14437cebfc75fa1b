import { isIP } from 'node:net'
import { MAX_FILE_BYTES } from '#contract/files.ts'
import { isPublic } from '#server/foundation/outbound/addresses.ts'
import {
  type AddressPolicy,
  type Outbound,
  type OutboundAnswer,
  OutboundFailure,
} from '#server/foundation/outbound/outbound.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import type { ProviderEndpoint } from '../endpoint.ts'
import type { ProviderPorts } from '../ports.ts'
import { refusalOfFailure, UpstreamRefusal } from '../upstreamRefusal.ts'
import { COMMON_SETTINGS, commonTimeout } from './reach.ts'

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
