import { PassThrough } from 'node:stream'
import { pino } from 'pino'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { Configuration } from '#contract/configuration/configuration.ts'
import type { Dialect } from '#contract/gateway.ts'
import { type AskEnd, LiveReply } from '#server/asking/liveReply.ts'
import { systemClock } from '#server/foundation/clock.ts'
import type { RelaySink } from '#server/providers/relay.ts'
import { aRequestedAsk } from '#testing/asks.ts'
import { DIALECTS, questionIn } from './gateway.testing.ts'
import { openToolAsks } from './toolAsks.ts'

const SECOND = 1_000
const STOPPED: AskEnd = { outcome: 'stopped', charged: false, failure: null, stored: null }
const STREAM = { status: 200, content_type: 'text/event-stream', headers: {} }
const queueing = (position: number) =>
  ({ at: 'queueing', place: position, estimate_seconds: null, cooling_until: null }) as const

/** What a tool asks while no time passes but what the test lets pass. It is third in the queue. */
async function asked(dialect: Dialect, { stream }: { stream: boolean }) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const reply = new LiveReply({ ask_id: 'an-ask', source: 'openai_api', conversation_id: null, question: null })
  reply.reach(queueing(3))
  const stopped: string[] = []
  let to: RelaySink | null = null
  const toolAsks = openToolAsks({
    asking: {
      ask: ({ relay }) => {
        to = relay?.forms[0]?.to ?? null
        return Promise.resolve(reply)
      },
      stop: async ask_id => {
        stopped.push(ask_id)
        reply.reach({ at: 'ended', ...STOPPED })
        return true
      },
    },
    configuration: () => Configuration.parse({}),
    ...{ clock: systemClock, log: pino({ level: 'silent' }), usage: () => Promise.resolve([]) },
    ...{ secretBox: { digest: text => text }, keepExchange: () => Promise.resolve() },
    bus: { subscribe: () => () => undefined, publish: () => undefined, close: () => Promise.resolve() },
  })
  const [, body] = questionIn[dialect]('Hello')
  const answer = toolAsks.answer({
    ...{ dialect, embeddings: false, body: { ...body, stream }, headers: {}, caller: aRequestedAsk().caller },
    key: { name: 'Laptop', keeps_conversations: false },
    ...{ request_id: 'request', gone: new AbortController().signal, trial: null },
  })
  answer.catch(() => undefined) // awaited below
  const events: { at: number; text: string }[] = []
  const begin = performance.now()
  if (stream) {
    const given = (await answer).body
    if (!(given instanceof PassThrough)) throw new Error('not a stream')
    given.on('data', (text: Buffer) => events.push({ at: performance.now() - begin, text: String(text) }))
  }
  return {
    ...{ answer, reply, events, stopped },
    sink: () => to as RelaySink, // the ask has one
    pass: (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds),
  }
}

const SIGNS: Record<Dialect, RegExp> = {
  chat: /^: place 3\n\n$/,
  responses: /^: place 3\n\nevent: response\.queued\ndata: \{.*"status":"queued".*\}\n\n$/,
  messages: /^: place 3\n\nevent: ping\ndata: \{"type":"ping"\}\n\n$/,
}
const ERROR = /^event: error\ndata: \{"type":"error"/

describe('a stream that waits', () => {
  test.each(DIALECTS)('says so in the manner of %s at once, and then each 10 s or sooner', async dialect => {
    const { events, pass } = await asked(dialect, { stream: true })
    await pass(130 * SECOND)
    expect(events.length).toBeGreaterThanOrEqual(13)
    for (const [index, { at, text }] of events.entries()) {
      expect(text).toMatch(SIGNS[dialect])
      expect(at - (events[index - 1]?.at ?? 0)).toBeLessThanOrEqual(10 * SECOND)
    }
  })
  test('is not silent for longer where something has come in between', async () => {
    const { events, reply, pass } = await asked('chat', { stream: true })
    await pass(9 * SECOND)
    reply.reach(queueing(2))
    await pass(1)
    expect(events.at(-1)).toEqual({ at: 9 * SECOND, text: ': place 2\n\n' })
    await pass(10 * SECOND)
    expect(events.at(-1)?.at).toBeGreaterThan(9 * SECOND)
  })
  test('has nothing but comments of ours once its upstream has begun', async () => {
    for (const dialect of DIALECTS) {
      const { events, reply, sink, pass } = await asked(dialect, { stream: true })
      reply.reach({ at: 'replying' })
      sink().began(STREAM)
      await pass(0)
      events.length = 0
      await pass(40 * SECOND)
      expect(new Set(events.map(({ text }) => text))).toEqual(new Set([': waiting for the answer\n\n']))
    }
  })
  test('ends after 590 s with one error, in the dialect of messages', async () => {
    const { events, stopped, pass } = await asked('messages', { stream: true })
    await pass(589 * SECOND)
    expect([stopped.length, events.at(-1)?.text]).toEqual([0, expect.stringMatching(SIGNS.messages)])
    await pass(SECOND)
    expect([stopped.length, events.at(-1)?.text]).toEqual([1, expect.stringMatching(ERROR)])
    await pass(600 * SECOND)
    expect(events.filter(({ text }) => ERROR.test(text))).toHaveLength(1)
  })
  test.each(['chat', 'responses'] as const)('waits for as long as it takes, in the dialect of %s', async dialect => {
    const { events, stopped, pass } = await asked(dialect, { stream: true })
    await pass(3_600 * SECOND)
    expect([stopped.length, events.at(-1)?.text]).toEqual([0, expect.stringMatching(SIGNS[dialect])])
  })
  test('does not end when its upstream has begun by then', async () => {
    const { stopped, reply, sink, pass } = await asked('messages', { stream: true })
    reply.reach({ at: 'replying' })
    sink().began(STREAM)
    await pass(3_600 * SECOND)
    expect(stopped).toEqual([])
  })
})

describe('what is not streamed and waits', () => {
  test.each(DIALECTS)('is refused after 285 s, before the tool hangs up: in the dialect of %s', async dialect => {
    const { answer, stopped, pass } = await asked(dialect, { stream: false })
    let isDecided = false
    void answer.then(() => (isDecided = true))
    await pass(284 * SECOND)
    expect([isDecided, stopped.length]).toEqual([false, 0])
    await pass(SECOND)
    expect(await answer).toMatchObject({ status: 429, headers: { 'retry-after': '61' } })
    expect(stopped).toHaveLength(1)
  })
  test('is answered when it has had its turn by then', async () => {
    const { answer, reply, stopped, sink, pass } = await asked('chat', { stream: false })
    reply.reach({ at: 'replying' })
    await pass(400 * SECOND)
    sink().began({ ...STREAM, content_type: 'application/json' })
    void sink().write(Buffer.from('{}'))
    reply.reach({ at: 'ended', ...STOPPED, outcome: 'finished' })
    expect(await answer).toMatchObject({ status: 200, body: Buffer.from('{}') })
    expect(stopped).toEqual([])
  })
})
