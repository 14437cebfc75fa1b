import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import * as z from 'zod/mini'
import { rawUpstream } from './upstream.ts'

export type HeldUpstream = {
  base_url: string
  /** The questions received, in order. */
  asked: string[]
  /** Running answers, and the most at once since `most` was last set. */
  running: number
  most: number
  /** Resolves when the question has arrived. */
  arrived(question: string): Promise<void>
  /** Completes an answer, or breaks it off. */
  answer(question: string): void
  fail(question: string): void
  /** Completes all answers, and from now on answers each question at once. */
  letGo(): void
}

const Asked = z.object({ messages: z.array(z.object({ content: z.string() })) })
const ANSWER = 'data: {"choices":[{"delta":{"content":"answer"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n'
const TOKEN = 'data: {"choices":[{"delta":{"content":"first "}}]}\n\n'

/** An upstream that completes an answer when the test says so, so that the test decides who is running. */
export async function heldUpstream(): Promise<HeldUpstream> {
  const held = new Map<string, ServerResponse>()
  const waiting = new Map<string, () => void>()
  let isHolding = true
  const base_url = await rawUpstream(async (request, response) => {
    if (request.method === 'GET') return void response.writeHead(404).end()
    const { messages } = Asked.parse(JSON.parse(await text(request)))
    const question = messages.at(-1)?.content ?? ''
    upstream.asked.push(question)
    upstream.most = Math.max(upstream.most, ++upstream.running)
    void once(response, 'close').then(() => {
      upstream.running--
      held.delete(question)
    })
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    if (!isHolding) response.end(ANSWER)
    else {
      response.write(TOKEN)
      held.set(question, response)
    }
    waiting.get(question)?.()
  })
  const upstream: HeldUpstream = {
    base_url,
    asked: [],
    running: 0,
    most: 0,
    arrived: question =>
      upstream.asked.includes(question)
        ? Promise.resolve()
        : new Promise(resolve => {
            waiting.set(question, resolve)
          }),
    answer: question => void held.get(question)?.end(ANSWER),
    fail: question => void held.get(question)?.destroy(),
    letGo() {
      isHolding = false
      for (const response of held.values()) response.end(ANSWER)
    },
  }
  return upstream
}
