import * as z from 'zod/mini'
import {
  AskRequest,
  attachmentsOfRequest,
  DELTA_PROTOCOL,
  inconsistentField,
  MAX_TEXT_LENGTH,
  ResumeRequest,
  StopRequest,
} from '#contract/asking.ts'
import type { Configuration } from '#contract/configuration/configuration.ts'
import type { RefusalValues } from '#contract/refusals.ts'
import type { Clock } from '#server/foundation/clock.ts'
import { parseJson } from '#server/foundation/json.ts'
import type { Log } from '#server/foundation/logging.ts'
import { Refusal, storageRefusalOf } from '#server/foundation/refusal.ts'
import type { Socket } from '#server/foundation/socket/socket.ts'
import type { RequestedAsk } from '#server/asks/ask.ts'
import { newId } from '#server/foundation/ids.ts'
import type { SourceObject, Sources } from '#server/sources/source.ts'
import { sessionCaller } from '#server/users/callers.ts'
import type { Caller, User } from '#server/users/user.ts'
import type { Asks } from './asks.ts'
import type { Followed, RemoteAsks } from './remoteAsks.ts'
import { followAsEvents, followAsMessages } from './followers.ts'
import { type Closing, closingOf, encoded, errorEvent, errorResponse, oldClosingOf } from './frames.ts'
import type { Failure, LiveReply } from './liveReply.ts'
import { quietUntil } from './quiet/quietUntil.ts'
import type { RunningAsks } from './runningAsks.ts'

/** Milliseconds that a socket may stay silent after it was opened, as it is while somebody writes. */
const FIRST_MESSAGE = 45_000

/** Wrong fields that a refusal names. */
const MAX_NAMED = 10

type ChatSocket = Socket<User>
type Dependencies = {
  asks: Asks
  running: RunningAsks
  remoteAsks: RemoteAsks
  sources: Sources
  configuration(): Configuration
  clock: Clock
  log: Log
  /** One more waits until it is quiet. */
  onWaiting(): void
}

/** Milliseconds that followers have to receive the end of an answer before their sockets are closed. */
const LAST_FRAMES = 2_000

/** One socket, one ask. The twin of foundation/http/: here refusals and unexpected errors become frames. */
export function openChat({ asks, running, remoteAsks, sources, configuration, clock, log, onWaiting }: Dependencies) {
  /** Sockets that follow an ask of this process, until they are closed after its end. */
  const following = new Map<ChatSocket, PromiseWithResolvers<void>>()

  async function chat(socket: ChatSocket): Promise<void> {
    const modern = socket.protocol === DELTA_PROTOCOL
    let closing: Closing | null
    try {
      closing = await (modern ? converseInEvents(socket) : converseInMessages(socket))
    } catch (error) {
      const failure = failureFrom(error, log)
      socket.send(modern ? encoded(errorEvent(failure, false)) : errorResponse(failure))
      closing = modern ? closingOf(failure.key) : oldClosingOf(failure)
    }
    if (closing !== null) socket.close(closing.code, closing.reason)
    following.get(socket)?.resolve()
    following.delete(socket)
  }

  /** Our page: an ask, or one that is resumed. Closing the socket does not end it; only `stop` does. */
  async function converseInEvents(socket: ChatSocket): Promise<Closing | null> {
    const first = await firstMessage(socket)
    const resumed = isResume(first) ? valid(ResumeRequest, first) : null
    const after = resumed?.after ?? 0
    const { reply, leave } = await (resumed === null
      ? askOrResume(socket, valid(AskRequest, first))
      : resume(socket, resumed))
    const { ask_id, conversation_id, question } = reply
    if (conversation_id === null) {
      leave()
      throw new Refusal('askNotFound') // this socket speaks of conversations
    }
    socket.onMessage(text => {
      if (StopRequest.safeParse(parsed(text)).success) void stop(ask_id)
    })
    if (running.has(ask_id)) following.set(socket, Promise.withResolvers())
    socket.send(encoded({ type: 'accepted', ask_id, conversation_id, question }))
    try {
      return await followAsEvents(socket, reply, after)
    } finally {
      leave()
    }
  }

  /** Old clients: one ask. Closing the socket stops it. */
  async function converseInMessages(socket: ChatSocket): Promise<Closing | null> {
    const request = valid(AskRequest, await firstMessage(socket))
    // Closing the socket would stop it.
    if (request.when === 'quiet') throw new Refusal('invalidAskRequest', { field: 'when' })
    const reply = await ask(socket, request, true)
    following.set(socket, Promise.withResolvers())
    const stopAtClose = () => void stop(reply.ask_id)
    socket.closed.addEventListener('abort', stopAtClose)
    if (socket.closed.aborted) stopAtClose()
    return followAsMessages(socket, reply)
  }

  /**
   * A question that is sent twice, because its acknowledgement was lost, may run in another process or have ended by
   * now.
   */
  async function askOrResume(socket: ChatSocket, request: AskRequest): Promise<Followed> {
    try {
      return request.when === 'quiet' ? await askWhenQuiet(socket, request) : here(await ask(socket, request))
    } catch (error) {
      const again = error instanceof Refusal && error.key === 'askAlreadyUsed'
      const known = again && request.ask_id ? await find(socket.user.id, request.ask_id) : null
      if (known === null) throw error
      return known
    }
  }

  /** Admission checks the session; an ask that runs here already does not go through admission again. */
  async function ask(socket: ChatSocket, request: AskRequest, removesUnanswered = false): Promise<LiveReply> {
    if (request.ask_id && running.has(request.ask_id)) await requireSession(socket)
    const caller = sessionCaller(socket.user, clock)
    return asks.ask(requestedAsk(request, { caller, source: sources.of(request.source), removesUnanswered }))
  }

  /** It waits in the database, and is followed from there, like one of another process. */
  async function askWhenQuiet(socket: ChatSocket, request: AskRequest): Promise<Followed> {
    const until = quietUntil(request.quiet_until ?? null, clock.now(), configuration().portal.time_zone)
    const caller = sessionCaller(socket.user, clock)
    const asked = requestedAsk(request, { caller, source: sources.of(request.source), removesUnanswered: false })
    await asks.askWhenQuiet({ ...asked, quiet_until: until })
    onWaiting()
    return requireFound(await find(socket.user.id, asked.ask_id))
  }

  async function resume(socket: ChatSocket, request: ResumeRequest): Promise<Followed> {
    const { id: user_id } = await requireSession(socket)
    return requireFound(await find(user_id, request.resume))
  }

  async function find(user_id: number, ask_id: string): Promise<Followed | null> {
    const local = running.find(user_id, ask_id)
    return local === null ? remoteAsks(user_id, ask_id) : here(local)
  }

  async function stop(ask_id: string): Promise<void> {
    await running
      .stop(ask_id)
      .catch((error: unknown) => log.error({ err: error, ask_id }, 'an ask could not be stopped'))
  }

  return {
    chat,
    /** Resolves when all followers have received the end of their ask, or have had the time to. */
    async waitForFollowers(): Promise<void> {
      const time = Promise.withResolvers<void>()
      const timer = setTimeout(time.resolve, LAST_FRAMES)
      await Promise.race([Promise.all([...following.values()].map(({ promise }) => promise)), time.promise])
      clearTimeout(timer)
    },
  }
}

type AskOrigin = { caller: Caller; source: SourceObject; removesUnanswered: boolean }

/** What a client of this socket asks. */
function requestedAsk(request: AskRequest, { caller, source, removesUnanswered }: AskOrigin): RequestedAsk {
  const inconsistent = inconsistentField(request)
  if (inconsistent !== null) throw new Refusal('invalidAskRequest', inconsistent)
  const { new_conversation, new_title, conversation_id, parent, variant_of } = request
  return {
    ask_id: request.ask_id ?? newId(),
    caller,
    tool: null,
    source: source.code,
    model: request.model,
    text: request.text_content,
    attachments: attachmentsOfRequest(request),
    parameters: request.parameters ?? {},
    conversation: {
      id: new_conversation ? null : (conversation_id ?? null),
      title: new_title || null,
      parent: parent ?? null,
      variant_of: variant_of ?? null,
      context_message_count: request.api_context_message_count ?? null,
      instructions: (new_conversation ? request.instructions : null) ?? null,
      removesUnanswered,
    },
    earlier: [],
    relay: null,
    extras: source.asks?.extras?.(request) ?? {},
    destination: { allowedUpstreams: null, source_id: null },
    quiet_until: null,
  }
}

function requireFound(found: Followed | null): Followed {
  if (found === null) throw new Refusal('askNotFound')
  return found
}

const here = (reply: LiveReply): Followed => ({ reply, leave: () => undefined })

async function firstMessage(socket: ChatSocket): Promise<unknown> {
  const message = await socket.next(FIRST_MESSAGE)
  if (message === null) throw new Refusal('timeout')
  return parsed(message.text)
}

/** The user as of now: the socket may have been opened long before, and sessions expire. */
async function requireSession(socket: ChatSocket): Promise<User> {
  const user = await socket.userNow()
  if (user === null) throw new Refusal('loginExpired')
  return user
}

function parsed(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}

const isResume = (message: unknown): boolean => typeof message === 'object' && message !== null && 'resume' in message

/** Refuses an invalid request with the names of its wrong fields; the sentence is for the authors of clients. */
function valid<T>(schema: z.ZodMiniType<T>, message: unknown): T {
  const { success, data, error } = schema.safeParse(message)
  if (success) return data
  const fields = [...new Set(error.issues.map(({ path }) => path.join('.')))].filter(field => field !== '')
  const reason = error.issues[0]?.message ?? ''
  const named: RefusalValues = fields.length === 0 ? {} : { field: fields.slice(0, MAX_NAMED).join(', ') }
  throw new Refusal('invalidAskRequest', { ...named, reason }, { cause: z.prettifyError(error) })
}

function failureFrom(error: unknown, log: Log): Failure {
  if (error instanceof Refusal) return { key: error.key, values: error.values }
  const ofStorage = storageRefusalOf(error)
  log.error({ err: error, refusal: ofStorage?.key }, 'a chat socket broke off')
  if (ofStorage !== null) return { key: ofStorage.key, values: {} }
  return { key: 'internal', values: {} }
}

/**
 * Bytes. The longest first message: a question of maximum length, each unit an escape of six bytes, and its
 * attachments.
 */
export const MAX_PAYLOAD = 6 * MAX_TEXT_LENGTH + 512 * 1024
