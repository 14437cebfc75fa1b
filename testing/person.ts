import { WebSocket } from 'ws'
import * as z from 'zod/mini'
import { type AskRequest, CHAT_PATH, DELTA_PROTOCOL } from '#contract/asking.ts'
import { Envelope } from '#contract/envelope.ts'
import { UserRead } from '#contract/users.ts'
import { PATIENCE } from './patience.ts'

/** A frame; tests read single fields of it. */
export type Frame = { type?: string; [field: string]: unknown }

export type Chat = {
  frames: Frame[]
  send(message: unknown): void
  /** The first frame, present or future, that fits. */
  until(fits: (frame: Frame) => boolean): Promise<Frame>
  /** How the socket was closed. */
  closed: Promise<{ code: number; reason: string }>
  leave(): void
}

export type Person = {
  id: number
  cookie: string
  /** The same person and session at another address: a further process, or a restarted one. */
  at(url: string): Person
  /** Makes a call and returns the envelope, whatever it says. */
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Envelope>
  /** Makes a call that succeeds and returns its result. */
  result<T>(method: string, path: string, body?: unknown): Promise<T>
  /** Opens a chat socket, ours or an old client's, and sends the first message. */
  chat(first: unknown, protocol?: string | null): Promise<Chat>
  /** Opens a chat socket and sends nothing yet, as the page does while somebody writes. */
  silent(protocol?: string | null): Promise<Chat>
  /** Asks and waits for the end; returns the frames of commons.delta.v1. */
  ask(text: string, more?: Partial<AskRequest>): Promise<Frame[]>
}

/** A new conversation on openai_api, unless it says otherwise. */
export function question(text_content: string, more: Partial<AskRequest> = {}): AskRequest {
  return { source: 'openai_api', model: 'gpt_4', new_conversation: true, text_content, ...more }
}

export async function signIn(url: string, username: string, password: string): Promise<Person> {
  const form = new URLSearchParams({ username, password })
  const response = await fetch(`${url}/api/auth/login`, { method: 'POST', body: form, headers: { origin: url } })
  const envelope = Envelope.parse(await response.json())
  if (envelope.code !== 200) throw new Error(`${username} cannot sign in: ${envelope.message}`)
  const cookie = response.headers
    .getSetCookie()
    .map(line => line.split(';')[0])
    .join('; ')
  const { id } = z.pick(UserRead, { id: true }).parse((await callApi(url, cookie, 'GET', '/user/me')).result)
  return personAt(url, id, cookie)
}

/** A person by a known session. */
export function personAt(url: string, id: number, cookie: string): Person {
  const call: Person['call'] = (method, path, body, headers) => callApi(url, cookie, method, path, body, headers)
  const result: Person['result'] = async (method, path, body) => {
    const { code, message, result: found } = await call(method, path, body)
    if (code !== 200) throw new Error(`${method} ${path}: ${code} ${message}`)
    return found as never // the test knows the type of the result
  }
  const silent: Person['silent'] = (protocol = DELTA_PROTOCOL) => openChat(url, cookie, protocol)
  const chat: Person['chat'] = async (first, protocol) => {
    const socket = await silent(protocol)
    socket.send(first)
    return socket
  }
  return {
    id,
    cookie,
    call,
    result,
    chat,
    silent,
    at: otherUrl => personAt(otherUrl, id, cookie),
    async ask(text, more) {
      const asked = await chat(question(text, more))
      await asked.closed
      return asked.frames
    },
  }
}

export async function callApi(
  url: string,
  cookie: string,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Envelope> {
  const response = await fetch(`${url}/api${path}`, {
    method,
    headers: { cookie, origin: url, ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    body: body === undefined ? undefined : JSON.stringify(body),
  })
  // A file is no envelope.
  if (!response.headers.get('content-type')?.startsWith('application/json'))
    return { code: response.status, message: '', result: await response.text() }
  return Envelope.parse(await response.json())
}

async function openChat(url: string, cookie: string, protocol: string | null): Promise<Chat> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}${CHAT_PATH}`, protocol === null ? [] : [protocol], {
    headers: { cookie, origin: url },
  })
  const frames: Frame[] = []
  const waiting = new Set<() => void>()
  const checkAll = () => {
    for (const check of waiting) check()
  }
  const closed = new Promise<{ code: number; reason: string }>(resolve => {
    socket.on('close', (code, reason) => resolve({ code, reason: reason.toString() }))
  })
  socket.on('message', data => {
    frames.push(JSON.parse(String(data)) as Frame)
    checkAll()
  })
  await new Promise((resolve, reject) => {
    socket.on('open', resolve)
    socket.on('error', reject)
  })
  const send = (message: unknown) => socket.send(typeof message === 'string' ? message : JSON.stringify(message))
  return {
    frames,
    send,
    closed,
    leave: () => socket.terminate(),
    until: fits =>
      new Promise((resolve, reject) => {
        const stop = () => {
          waiting.delete(check)
          clearTimeout(deadline)
        }
        const check = () => {
          const found = frames.find(fits)
          if (found === undefined) return
          stop()
          resolve(found)
        }
        const deadline = setTimeout(() => {
          stop()
          reject(new Error(`it never came; last frames: ${JSON.stringify(frames.slice(-3))}`))
        }, PATIENCE)
        waiting.add(check)
        check()
      }),
  }
}

/** The text that the frames of commons.delta.v1 add up to. */
export function textOfFrames(frames: readonly Frame[]): string {
  let text = ''
  for (const frame of frames) {
    if (typeof frame['t'] === 'string') text += frame['t']
    if (frame.type === 'message') text = textOfMessage(frame['message'])
    // With the end comes what was stored.
    const stored = Array.isArray(frame['messages']) ? frame['messages'].at(-1) : undefined
    if (stored !== undefined) text = textOfMessage(stored)
  }
  return text
}

/** Whether the frame has text of the answer: appended, or in a whole message. */
export const bringsText = (frame: Frame): boolean => textOfFrames([frame]) !== ''

const WithText = z.object({ content: z.nullable(z.object({ text: z.optional(z.string()) })) })
export const textOfMessage = (message: unknown): string => WithText.parse(message).content?.text ?? ''
