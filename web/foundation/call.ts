import * as z from 'zod/mini'
import { create } from 'zustand'
import { login, logout } from '#contract/users.ts'
import type { Call, CallArguments, ResultOf } from '#contract/call.ts'
import { Envelope, SUCCESS_CODES, type ValidationDetail } from '#contract/envelope.ts'
import { type RefusalKey, refusalKeyOf, REFUSALS, type RefusalValues } from '#contract/refusals.ts'
import { takePreloaded, takeSentAhead } from './preloadedAnswers.ts'

/** The server refused. `message` is a key of the language files. */
export class RefusedCall extends Error {
  readonly code: number
  readonly result: unknown
  /** Fill the slots of the text. */
  readonly values: RefusalValues
  /** The fields that are wrong. */
  readonly detail: ValidationDetail[]

  constructor({ code, message, result, values = {}, detail = [] }: Envelope) {
    super(message)
    this.code = code
    this.result = result
    this.values = values
    this.detail = detail
  }

  get key(): RefusalKey | null {
    return refusalKeyOf(this.message)
  }

  /** Whether there is no session: it has ended, or was never there. A wrong password has the same code. */
  get isSessionLost(): boolean {
    return this.code === REFUSALS.loginExpired.code
  }
}

/** There was no answer, or one that could not be parsed. */
export class TransportFailure extends Error {
  /** Of an answer that is not the portal's, mostly of a proxy before it. */
  readonly status: number | null

  constructor(message: string, { status = null, ...options }: ErrorOptions & { status?: number | null } = {}) {
    super(message, options)
    this.status = status
  }
}

type CallOptions = {
  signal?: AbortSignal
  /** What to do when the session is lost: open the dialog, or only throw. */
  lostSession?: 'dialog' | 'throw'
  /** Replaces fetch where the caller wants to know the progress. */
  send?: Send
}

/** The part of fetch that a call needs. Resolves for every status, and rejects when there is no answer. */
export type Send = (address: string, request: SentRequest) => Promise<Response>
type SentRequest = {
  method: string
  headers: Record<string, string>
  body: Exclude<BodyInit, ReadableStream> | null
  signal: AbortSignal | null
}

/** Makes a call that the contract declares. Throws RefusedCall, TransportFailure, or the signal's own reason. */
export async function call<C extends Call>(
  declaration: C,
  given: CallArguments<C>,
  options: CallOptions = {},
): Promise<ResultOf<C>> {
  const answer = await exchange(declaration, given, options)
  if (!SUCCESS_CODES.includes(answer.code)) {
    const refused = new RefusedCall(answer)
    if (refused.isSessionLost && options.lostSession !== 'throw' && !isOfSignIn(declaration))
      useLoginExpired.setState({ open: true })
    throw refused
  }
  const result = declaration.result.safeParse(answer.result)
  if (!result.success)
    throw new TransportFailure(`${declaration.method} ${declaration.path}: ${z.prettifyError(result.error)}`)
  return result.data as ResultOf<C> // parsed by the schema that the type comes from
}

/** The specification, section 8: these two say nothing about a session that there was. */
const isOfSignIn = ({ path }: Call): boolean => path === login.path || path === logout.path

async function exchange(
  declaration: Call,
  given: CallParts,
  { signal, send = fetchHere }: CallOptions,
): Promise<Envelope> {
  const preloaded = declaration.method === 'GET' ? takePreloaded(declaration) : undefined
  if (preloaded !== undefined) return Envelope.parse(preloaded)
  const { method } = declaration
  const address = addressOf(declaration, given)
  const sendNow = () => send(address, { method, signal: signal ?? null, ...bodyOf(declaration, given.body) })
  try {
    const response = await (takeSentAhead(method, address)?.catch(sendNow) ?? sendNow())
    return await envelopeIn(response)
  } catch (error) {
    if (signal?.aborted || error instanceof TransportFailure) throw error
    throw new TransportFailure('', { cause: error })
  }
}

/**
 * An answer of another form is not the portal's: a proxy before it has answered, with a page or with JSON of its own.
 */
async function envelopeIn(response: Response): Promise<Envelope> {
  const answer: unknown = await response.text().then(jsonIn)
  const envelope = Envelope.safeParse(answer)
  if (envelope.success) return envelope.data
  throw new TransportFailure(`HTTP ${response.status}`, { status: response.status })
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const fetchHere: Send = (address, request) => fetch(address, { ...request, credentials: 'same-origin' })

type CallParts = { params?: unknown; query?: unknown; body?: unknown }

export function addressOf(declaration: Call, { params, query }: CallParts): string {
  const parts = textsOf(params)
  const path = declaration.path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(parts[name] ?? ''))
  const search = new URLSearchParams(textsOf(query)).toString()
  return `/api${path}${search === '' ? '' : `?${search}`}`
}

function bodyOf(declaration: Call, body: unknown): Pick<SentRequest, 'body' | 'headers'> {
  if (declaration.body === null) return { body: null, headers: {} }
  if (declaration.bodyKind === 'form') return { body: new URLSearchParams(textsOf(body)), headers: {} }
  if (declaration.bodyKind === 'file' || declaration.bodyKind === 'parts') return { body: formWith(body), headers: {} }
  if (body instanceof Blob) return { body, headers: { 'content-type': body.type || 'application/octet-stream' } }
  return { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
}

function formWith(body: unknown): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(body ?? {})) form.set(name, value instanceof Blob ? value : String(value))
  return form
}

/** Missing values are left out, not sent as the word "undefined". */
function textsOf(part: unknown): Record<string, string> {
  const given = Object.entries(part ?? {}).filter(([, value]) => value !== undefined && value !== null)
  return Object.fromEntries(given.map(([name, value]) => [name, String(value)]))
}

/** Whether the dialog is open: one, however many calls find the session lost. */
export const useLoginExpired = create<{ open: boolean }>(() => ({ open: false }))
