import { once } from 'node:events'
import { WebSocket } from 'ws'
import { CHAT_PATH, DELTA_PROTOCOL, type AskRequest, type AskResponse, type DeltaEvent } from '#contract/asking.ts'
import type { Message } from '#contract/messages.ts'
import type { Source } from '#contract/models.ts'
import { newId } from '#web/asking/drafts/newId.ts'
import type { Product } from '../product.ts'
import { type Ask, frameBytes, type Received, type Target } from './target.ts'

/** The product, asked as our own page asks: numbered events and appended text. */
export function deltaTarget(product: Product, cookies: string[], source: Source = 'openai_api'): Target {
  return {
    name: 'product',
    usage: product.child.usage,
    connect: person => connected(product, cookies[person] ?? '', [DELTA_PROTOCOL], deltaReader, source),
  }
}

/** The product, asked as an old client asks: a whole message each time. */
export function wholeTarget(product: Product, cookies: string[]): Target {
  return {
    name: 'product, whole messages',
    usage: product.child.usage,
    connect: person => connected(product, cookies[person] ?? '', [], wholeReader),
  }
}

/** Whether the frame carried a part of the answer. */
type Reader = (frame: string) => boolean

async function connected(
  product: Product,
  cookie: string,
  protocols: string[],
  readerOf: (take: (text: string) => void) => Reader,
  source: Source = 'openai_api',
): Promise<Ask> {
  const socket = new WebSocket(product.url.replace('http', 'ws') + CHAT_PATH, protocols, {
    perMessageDeflate: false,
    headers: { cookie, origin: product.url },
  })
  await once(socket, 'open')
  return (question, take) => converse(socket, source, question, readerOf(take))
}

async function converse(socket: WebSocket, source: Source, question: string, read: Reader): Promise<Received> {
  let bytes = 0
  let frames = 0
  const carried: number[] = []
  socket.on('message', (data: Buffer) => {
    bytes += frameBytes(data.length)
    frames += 1
    if (read(data.toString())) carried.push(performance.now())
  })
  const closed = once(socket, 'close')
  const asked: AskRequest = {
    source,
    model: 'gpt_4',
    new_conversation: true,
    new_title: 'bench',
    text_content: question,
    ask_id: newId(),
  }
  socket.send(JSON.stringify(asked))
  const [code, reason] = await closed
  if (code !== 1000) throw new Error(`the ask ended with ${code} ${String(reason)}`)
  return { bytes, frames, rate: rateOf(carried) }
}

function rateOf(times: readonly number[]): number {
  return ((times.length - 1) * 1_000) / ((times.at(-1) ?? NaN) - (times[0] ?? NaN))
}

function deltaReader(take: (text: string) => void): Reader {
  const whole = growing(take)
  return frame => {
    const event = JSON.parse(frame) as DeltaEvent // sent by our own server; the text is compared with the upstream's journal
    if ('t' in event) whole.append(event.t)
    else if (event.type === 'message') whole.replace(event.message)
    else if (event.type === 'error') throw new Error(event.tip)
    else if (event.type === 'finished') for (const message of event.messages ?? []) whole.replace(message)
    return 'n' in event
  }
}

function wholeReader(take: (text: string) => void): Reader {
  const whole = growing(take)
  return frame => {
    const response = JSON.parse(frame) as AskResponse // as above
    if (response.type === 'error') throw new Error(`${response.tip} ${response.error_detail}`)
    if (response.message) whole.replace(response.message)
    return response.message !== null
  }
}

/** Passes on the new text of a message that is sent again as it grows. */
function growing(take: (text: string) => void) {
  let seen = ''
  return {
    append(text: string) {
      seen += text
      take(text)
    },
    replace(message: Message) {
      if (message.role !== 'assistant' || message.content?.content_type !== 'text') return
      const text = message.content.text ?? message.content.parts?.join('') ?? ''
      if (!text.startsWith(seen)) throw new Error('a message changed what was already said')
      take(text.slice(seen.length))
      seen = text
    },
  }
}
