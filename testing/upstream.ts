import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo, Server } from 'node:net'
import { onTestFinished } from 'vitest'
import type { Message } from '#contract/messages.ts'
import type { Source } from '#contract/models.ts'
import type { RefusalKey, RefusalValues } from '#contract/refusals.ts'
import { isThoughts, textOf } from '#contract/messages.ts'
import type { HeldProvider } from './heldProvider.ts'
import { aMessage, words } from './messages.ts'
import { openOutbound } from '#server/foundation/outbound/outbound.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import { heldOpenaiApi } from '#server/providers/openai_api/held.testing.ts'
import { heldOpenaiWeb } from '#server/providers/openai_web/held.testing.ts'
import type { ProviderEndpoint } from '#server/providers/endpoint.ts'
import type { Provider, ProviderEvent, ProviderUpstream, Question } from '#server/providers/provider.ts'
import { startSimulator, type Simulator } from '#simulator/simulator.ts'

/** One line a provider. One that is added here is held to the provider contract. */
const HELD = {
  heldOpenaiApi,
  heldOpenaiWeb,
}
export const PROVIDERS: readonly HeldProvider[] = Object.values(HELD)

/** Timeouts of a fast upstream, long enough for a busy machine. */
const PATIENT = {
  connect_timeout: 5,
  first_token_timeout: 5,
  read_timeout: 5,
  ask_timeout: 10,
  max_answer_length: 2_000_000,
}

/** The result of one reply: its events in order, the text they add up to, and the refusal that ended it. */
export type Replied = {
  events: ProviderEvent[]
  text: string
  last: Message | null
  refusal: { key: RefusalKey; values: RefusalValues; message: string; cause: unknown } | null
}

export type Asking = {
  simulator: Simulator
  endpoint: ProviderEndpoint
  provider: Provider
  /** Asks one question and waits for the end; `onEvent` gets each event as it comes. */
  reply(
    text: string,
    upstream?: Partial<ProviderUpstream>,
    signal?: AbortSignal,
    onEvent?: (event: ProviderEvent) => void,
    question?: Partial<Question>,
  ): Promise<Replied>
}

/** A provider on real outbound HTTP, with a simulator of its own; closed at the end of the test. */
export async function askingProvider({ source, make, address }: HeldProvider): Promise<Asking> {
  const simulator = await startSimulator({ tokens_per_second: 0 })
  const outbound = openOutbound()
  onTestFinished(async () => {
    await outbound.close()
    await simulator.close()
  })
  const provider = make(outbound)
  const endpoint = {
    base_url: address(simulator),
    key: 'test-key',
    key_header: null,
    proxy: null,
    addresses: 'any' as const,
  }
  return {
    simulator,
    endpoint,
    provider,
    reply: (text, upstream = {}, signal = new AbortController().signal, onEvent = () => {}, question = {}) =>
      toTheEnd(emit =>
        provider.reply(
          {
            question: { ...aQuestion(source), ...question },
            thread: [userMessage(source, text)],
            upstream: { ...endpoint, model_name: 'some-model', ...PATIENT, ...upstream },
          },
          event => {
            emit(event)
            onEvent(event)
          },
          signal,
        ),
      ),
  }
}

async function toTheEnd(asked: (emit: (event: ProviderEvent) => void) => Promise<void>): Promise<Replied> {
  const events: ProviderEvent[] = []
  let refusal: Replied['refusal'] = null
  try {
    await asked(event => {
      events.push(event)
    })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    refusal = { key: error.key, values: error.values, message: error.message, cause: error.cause }
  }
  return {
    events,
    refusal,
    text: grown(events),
    last: events.findLast(event => event.type === 'message')?.message ?? null,
  }
}

/** The text that the events add up to, without thoughts. */
export function grown(events: readonly ProviderEvent[]): string {
  return grownOf(events, false)
}

/** The thoughts that the events add up to. */
export function thoughtsOf(events: readonly ProviderEvent[]): string {
  return grownOf(events, true)
}

function grownOf(events: readonly ProviderEvent[], ofThoughts: boolean): string {
  let text = ''
  let isMeant = false
  for (const event of events) {
    if (event.type === 'text') {
      if (isMeant) text += event.text
      continue
    }
    if (event.type !== 'message') continue
    const { content } = event.message
    isMeant = isThoughts(event.message) === ofThoughts
    if (isMeant) text = content?.content_type === 'thoughts' ? content.text : textOf(event.message)
  }
  return text
}

/** An upstream that answers as the test says; returns its base URL. */
export async function rawUpstream(answer: RequestListener): Promise<string> {
  return `http://127.0.0.1:${await portOf(createServer(answer))}/v1/`
}

/** Listens on loopback until the end of the test and returns the port. */
export async function portOf(server: Server & { closeAllConnections?(): void }): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections?.()
    server.close()
  })
  return (server.address() as AddressInfo).port // it listens on TCP, so it is no string
}

export const aQuestion = (source: Source): Question => ({
  source,
  model: 'gpt_4',
  parent: 'question',
  create_time: '2026-01-01T00:00:00.000Z',
  reply_id: 'reply',
  thoughts_id: 'thoughts',
  continues: false,
  upstream_conversation_id: null,
  parameters: {},
  extras: {},
})

const userMessage = (source: Source, text: string) =>
  aMessage({ id: 'question', source, role: 'user', content: words(text) })
