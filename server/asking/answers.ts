import type { Outcome } from '#contract/asking.ts'
import type { Message } from '#contract/messages.ts'
import type { AdmittedAsk } from '#server/asks/ask.ts'
import { iso } from '#server/conversations/history.ts'
import { idFrom } from '#server/foundation/ids.ts'
import { Refusal, storageRefusalOf } from '#server/foundation/refusal.ts'
import type { ProviderEvent, Question } from '#server/providers/provider.ts'
import type { AskPorts } from '#server/sources/ports.ts'
import type { Upstream } from '#server/upstreams/upstream.ts'
import { askedModel } from './askedModel.ts'
import type { AskDependencies, AskMeter } from './dependencies.ts'
import { NONE_LEFT_OUT, tokensOf } from './fitting.ts'
import { fittingAsk, type Service, askUntilFree } from './fittingAsk.ts'
import type { Failure, LiveReply } from './liveReply.ts'
import { type Asking, relayed } from './relayed.ts'
import { outputLimit } from './reservation.ts'
import type { Stop } from './runningAsks.ts'
import { instructionMessage, readOne, readThread, type Thread } from './thread.ts'

/** What came of an ask. `first_token_time` in epoch milliseconds. */
type AnswerResult = {
  outcome: Outcome
  failure: Failure | null
  first_token_time: number | null
  /** Whose turn it was: an ask that waits may move. */
  upstream: Upstream
  /** Null when there was none for this ask. */
  service: Service | null
  /** What was sent of the conversation; null when nothing was. */
  thread: readonly Message[] | null
}

type Dependencies = Pick<
  AskDependencies,
  | 'open'
  | 'clock'
  | 'log'
  | 'queue'
  | 'upstreams'
  | 'providers'
  | 'sources'
  | 'instructions'
  | 'configuration'
  | 'loadAttached'
  | 'picturesOf'
  | 'priceAt'
  | 'notices'
>

/** Takes the answer of an admitted ask from its upstream into the live reply. */
export function openAnswers(dependencies: Dependencies) {
  const { open, clock, log, queue, upstreams, sources, configuration, priceAt } = dependencies
  const portsOf = ({ source }: AdmittedAsk): AskPorts => sources.of(source).asks ?? {}

  /** Waits for the ask's turn and takes the answer from the upstream. Never throws: the result says how it ended. */
  async function fetchAnswer(
    admitted: AdmittedAsk,
    reply: LiveReply,
    meter: AskMeter,
    signal: AbortSignal,
  ): Promise<AnswerResult> {
    let { upstream } = admitted
    let service: Service | null = null
    let failure: Failure | null = null
    let first_token_time: number | null = null
    let thread: readonly Message[] | null = null
    const noteText = () => {
      if (reply.hasText) first_token_time ??= clock.now()
    }
    const noteThread = (sent: readonly Message[]) => void (thread = sent)
    try {
      upstream = await ownTurn(admitted, reply, signal)
      reply.upstream_id = upstream.id
      meter.started()
      service = serviceOf(dependencies, admitted, upstream)
      const asking = { admitted, upstream, service, reply, meter, signal, noteText, noteThread }
      if (admitted.relay === null) await askThread(asking)
      else await withReport(dependencies, asking, () => relayed(dependencies, asking))
      if (!signal.aborted) meter.answered()
    } catch (error) {
      if (!signal.aborted) failure = failureFrom(error, log)
    }
    if (signal.aborted && signal.reason === 'interrupted') failure = { key: 'interrupted', values: {} }
    // runningAsks.ts gives no other reason
    const outcome = signal.aborted ? (signal.reason as Stop) : failure === null ? 'finished' : 'failed'
    return { outcome, failure, first_token_time, upstream, service, thread }
  }

  /** Asks with the thread that leads to the question. */
  async function askThread(asking: Asking & { noteThread(thread: readonly Message[]): void }): Promise<void> {
    const { admitted, upstream, service, reply, meter, signal, noteText, noteThread } = asking
    const read = await readThreadOf(admitted, upstream, service)
    const thread = await asSiblingOfFirst(portsOf(admitted), admitted, service, read.messages, signal)
    noteThread(thread)
    const sent = { thread, left_out: read.left_out }
    meter.asked()
    const take = (event: ProviderEvent) => {
      meter.received()
      reply.take(event)
      noteText()
    }
    const questionTo = (messages: readonly Message[]) => {
      noteThread(messages)
      const price = priceAt(upstream.id, admitted.model, admitted.create_time)
      const input_tokens = admitted.reserved.use === undefined ? 0 : tokensOf(messages, service.upstream.model_name)
      const max_output_tokens = outputLimit(admitted.reserved.use, input_tokens, { upstream_id: upstream.id, price })
      return { ...questionOf(admitted, messages, clock.now()), max_output_tokens }
    }
    const asked = { user_id: admitted.caller.user_id, upstream_id: upstream.id }
    const ask = fittingAsk(dependencies, service, asked, signal)
    await withReport(dependencies, asking, () =>
      askUntilFree({ ask: () => ask(sent, questionTo, take), hasBegun: () => reply.hasTokens, signal }).catch(
        async (error: unknown) => {
          throw await ofConversation(portsOf(admitted), error, admitted, service, signal)
        },
      ),
    )
  }

  async function ownTurn(admitted: AdmittedAsk, reply: LiveReply, signal: AbortSignal): Promise<Upstream> {
    if (!admitted.queueing) return admitted.upstream
    const granted = await queue.turn(
      admitted,
      ({ position, ...wait }) => reply.reach({ at: 'queueing', place: position, ...wait }),
      signal,
    )
    reply.reach({ at: 'replying' })
    const { caller, conversation_id, create_time } = admitted
    void dependencies.notices.turn({ user_id: caller.user_id, conversation_id, create_time })
    return granted
  }

  async function readThreadOf(admitted: AdmittedAsk, { id }: Upstream, { upstream }: Service): Promise<Thread> {
    const { source, model, own, conversation, conversation_id, earlier, parent, question } = admitted
    const { keepsConversations } = sources.of(source)
    const before = keepsConversations ? [] : await instructionsOf(admitted, dependencies.instructions)
    // Nothing comes before it that is sent and stored, so there is nothing to read.
    if (question !== null && (conversation_id === null || conversation?.id === null || keepsConversations))
      return { messages: [...before, ...earlier, question], left_out: NONE_LEFT_OUT }
    if (conversation_id === null) return { messages: [...before, ...earlier], left_out: NONE_LEFT_OUT }
    if (keepsConversations)
      return { messages: await readOne(open.database, source, conversation_id, parent), left_out: NONE_LEFT_OUT }
    const settings = configuration()
    const { max_ask_bytes: max_bytes } = settings.files
    const count = conversation?.context_message_count ?? settings.asking.default_context_message_count
    const asked = askedModel(upstreams, settings, { source, model, own, upstream_id: id, endpoint: upstream })
    const picturesOf = (ids: readonly string[]) => dependencies.picturesOf(admitted.caller.user_id, ids)
    const wanted = { source, conversation_id, last_id: parent, count, model: asked, max_bytes, before, picturesOf }
    return readThread(open, wanted)
  }

  return fetchAnswer
}

/** Who answers an ask, in the name of which account. */
function serviceOf(
  { providers, upstreams, sources }: Pick<Dependencies, 'providers' | 'upstreams' | 'sources'>,
  { source, model, own, destination, ...admitted }: AdmittedAsk,
  upstream: Upstream,
): Service {
  const provider = providers[source]
  if (provider === null) throw new Refusal('chatTypeNotEnabled')
  const asked = upstreams.endpoint(upstream, model, own)
  const { accounts } = sources.of(source).asks ?? {}
  if (accounts === undefined) return { provider, upstream: asked }
  const { source_id } = destination
  const hasMoved = upstream.id !== admitted.upstream.id
  return { provider, upstream: accounts.reach(asked, hasMoved ? accounts.afterMove(source_id, upstream) : source_id) }
}

/** Reports the outcome of an ask to the health of its upstream, unless the ask was stopped. */
async function withReport(
  { upstreams, clock }: Pick<Dependencies, 'upstreams' | 'clock'>,
  { admitted: { model }, upstream: { id }, signal }: Asking,
  ask: () => Promise<void>,
): Promise<void> {
  const began = clock.now()
  try {
    await ask()
    if (!signal.aborted) upstreams.report(id, 'answered', { began, model })
  } catch (error) {
    if (!signal.aborted && error instanceof Refusal) upstreams.report(id, error, { began, model })
    throw error
  }
}

/** An unexpected error is a bug: people read that something went wrong, the log has the rest. */
function failureFrom(error: unknown, log: AskDependencies['log']): Failure {
  if (error instanceof Refusal) return { key: error.key, values: error.values }
  log.error({ err: error }, 'an ask broke off')
  return { key: storageRefusalOf(error)?.key ?? 'unknownError', values: {} }
}

/** What the model is told first. An upstream that keeps conversations has settings of its own for that. */
async function instructionsOf(
  { caller, source, conversation_id, create_time }: AdmittedAsk,
  { forAsk }: AskDependencies['instructions'],
): Promise<Message[]> {
  const layers = await forAsk(caller, conversation_id)
  return layers.length === 0 ? [] : [instructionMessage(source, layers, create_time)]
}

/** A 404 in a conversation that the upstream keeps may be about the conversation or about the model. */
async function ofConversation(
  { refusalOf }: AskPorts,
  error: unknown,
  { upstream_conversation_id: id }: AdmittedAsk,
  { upstream: endpoint }: Service,
  signal: AbortSignal,
): Promise<unknown> {
  if (refusalOf === undefined || id === null || signal.aborted || !(error instanceof Refusal)) return error
  return refusalOf(error, { endpoint, id }, signal)
}

/**
 * A further first question of a conversation gets the parent that the first one has at the upstream, so that it becomes
 * a branch there.
 */
async function asSiblingOfFirst(
  { firstParent }: AskPorts,
  { upstream_conversation_id: id }: AdmittedAsk,
  { upstream: endpoint }: Service,
  thread: Message[],
  signal: AbortSignal,
): Promise<Message[]> {
  const [first] = thread
  if (firstParent === undefined || id === null || first?.role !== 'user' || first.parent !== null) return thread
  return [{ ...first, parent: await firstParent({ endpoint, id }, signal) }]
}

function questionOf(
  admitted: AdmittedAsk,
  thread: readonly Message[],
  now: number,
): Omit<Question, 'max_output_tokens'> {
  const { source, model, reply_id, parent, question, upstream_conversation_id, parameters, extras } = admitted
  const last = thread.at(-1)
  return {
    source,
    model,
    parent,
    create_time: iso(now),
    reply_id,
    thoughts_id: idFrom(reply_id, 'thoughts'),
    continues: question === null && last !== undefined && last.role !== 'user',
    upstream_conversation_id,
    parameters,
    extras,
  }
}
