import { aMessage, words } from '#testing/messages.ts'
import type { ChatConnection } from './browserConnection.ts'
import type { ChatEvent } from './chatEvents.ts'
import type { OwnAsk } from './chatSocket.ts'

export const ask_id = '5d8f3c0e-6f0e-4c9a-9d1e-0a2b3c4d5e6f'

const conversation_id = '0f1e2d3c-4b5a-4978-8899-aabbccddeeff'

export const request: OwnAsk = {
  ask_id,
  source: 'openai_api',
  model: 'gpt_4',
  new_conversation: true,
  text_content: '几点了',
}

const reply = aMessage({ id: 'reply', content: words('') })

export const accepted = { type: 'accepted', ask_id, conversation_id, question: null }

export const began = { n: 1, type: 'message', message: reply }

export const finished = { type: 'finished', outcome: 'finished', charged: true }

export const RESUMED_FROM = (after: number) => ({ resume: ask_id, after })

/** What the server does with one connection: given each message sent, and answers. */
export type Connection = (wire: ScriptedWire) => void

class ScriptedWire extends EventTarget {
  readyState = 0
  sent: object[] = []
  onSend: (message: object) => void = () => undefined

  send(text: string): void {
    const message: object = JSON.parse(text)
    this.sent.push(message)
    this.onSend(message)
  }

  open(): void {
    this.dispatchEvent(new Event('open'))
  }
  emit(...events: object[]): void {
    for (const event of events) this.dispatchEvent(Object.assign(new Event('message'), { data: JSON.stringify(event) }))
  }

  drop(code = 1006, reason = ''): void {
    this.dispatchEvent(Object.assign(new Event('close'), { code, reason }))
  }
  close(): void {
    /* the script says when it is closed */
  }
}

/** A connection on which each socket goes as the script says; after the last one nothing opens any more. */
export function scripted(connections: Connection[], session: 'held' | 'lost' | 'unreachable' = 'held') {
  const wires: ScriptedWire[] = []
  const returned = new Set<() => void>()
  const connection: ChatConnection = {
    open() {
      const wire = new ScriptedWire()
      const connection = connections[wires.length] ?? (refused => refused.drop())
      wires.push(wire)
      queueMicrotask(() => connection(wire))
      return wire as unknown as WebSocket // the three members that are used
    },
    session: () => Promise.resolve(session),
    pause: () => Promise.resolve(),
    onReturn(listener) {
      returned.add(listener)
      return () => {
        returned.delete(listener)
      }
    },
    random: () => 0,
  }
  /** The first one was opened before anybody asked. */
  const opened = (): ChatConnection => ({
    ...connection,
    open: () => Object.assign(connection.open(), { readyState: wires.length === 1 ? 1 : 0 }),
  })
  return {
    connection,
    wires,
    opened,
    comeBack: () => {
      for (const listener of returned) listener()
    },
  }
}

export function signals() {
  const stop = new AbortController()
  const leave = new AbortController()
  return { stop, leave, given: { stop: stop.signal, leave: leave.signal } }
}

export async function all(events: AsyncGenerator<ChatEvent>): Promise<ChatEvent[]> {
  const seen: ChatEvent[] = []
  for await (const event of events) seen.push(event)
  return seen
}

export const answering: Connection = wire => {
  wire.onSend = () => {
    wire.emit(accepted, began, { n: 4, t: '三点半' }, finished)
    wire.drop(1000, 'tips.finished')
  }
  wire.open()
}
