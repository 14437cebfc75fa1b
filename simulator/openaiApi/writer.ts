import type { ServerResponse } from 'node:http'
import type { Writable } from 'node:stream'
import { constants, createGzip } from 'node:zlib'
import type { Journal, JournalEntry } from '../foundation/journal.ts'
import type { Pace, Progress } from '../foundation/pace.ts'
import type { Upstream } from '../foundation/upstream.ts'
import type { Reply } from './reply.ts'

/** An answer to be written, with any fault worked in, so that the writer knows no faults. */
export type Script = {
  opening: string
  count: number
  token: (index: number) => string
  /** The wire form of a token. */
  frame: (text: string, index: number) => string
  closing: string
  /** In place of it one that is made when it is sent, since it counts what came before. */
  lateClosing?: () => string
  /** What happens after `count` tokens, in place of the closing. */
  ending: 'complete' | 'cut' | 'stall'
  /** Ends each write in the middle of a character or a line end. */
  split: boolean
  /** Milliseconds from the opening to the first token; comments are sent meanwhile. */
  pause_ms?: number
  /** Compresses every write, though the client has not asked for it. */
  packed?: boolean
}

/** Milliseconds between two comments before the first token. */
const COMMENT_MS = 20

type Writing = {
  response: ServerResponse
  entry: JournalEntry
  journal: Journal
  pace: Pace
  ownRate: number | undefined
  later: Upstream['later']
}

/** Writes a script at the common pace; waits while the socket is full, and stops when the client leaves. */
export function writeScript(script: Script, { response, entry, journal, pace, ownRate, later }: Writing) {
  const body: Writable = script.packed === true ? packer(response) : response
  let index = 0
  let held: Uint8Array = Buffer.alloc(0)

  function put(text: string): boolean {
    if (!script.split) return body.write(text)
    const bytes = Buffer.concat([held, Buffer.from(text)])
    const border = splitPoint(bytes)
    held = bytes.subarray(border)
    return body.write(bytes.subarray(0, border))
  }

  function end(): Progress {
    if (script.ending === 'cut') {
      journal.end(entry, 'fault')
      // Destroys the socket after it has accepted what was written, which must still arrive.
      response.write('', () => response.destroy())
    } else if (script.ending === 'complete') {
      body.write(held)
      body.end(script.lateClosing?.() ?? script.closing, () => journal.end(entry, 'complete'))
    }
    return 'ended'
  }

  function send(tokens: number): Progress {
    let wire = ''
    let text = ''
    const upto = Math.min(index + (script.split ? 1 : tokens), script.count)
    for (; index < upto; index += 1) {
      const token = script.token(index)
      text += token
      wire += script.frame(token, index)
    }
    const flows = wire === '' || put(wire)
    if (text !== '') journal.sent(entry, text)
    if (index >= script.count) return end()
    return flows ? 'more' : 'blocked'
  }

  response.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache',
    ...(script.packed === true && { 'content-encoding': 'gzip' }),
  })
  response.flushHeaders()
  if (script.opening !== '') body.write(script.opening)
  const begin = () => {
    const runner = pace.join(send, ownRate)
    body.on('drain', runner.resume)
    response.on('close', runner.leave)
  }
  if (script.pause_ms === undefined) return begin()
  const comments = setInterval(() => body.write(': still working\n\n'), COMMENT_MS)
  response.on('close', () => clearInterval(comments))
  later(script.pause_ms, response, () => {
    clearInterval(comments)
    begin()
  })
}

/** Passes on each write at once. */
function packer(response: ServerResponse): Writable {
  const packing = createGzip({ flush: constants.Z_SYNC_FLUSH })
  packing.pipe(response)
  return packing
}

/** An offset inside the last multi-byte character if there is one, else inside the last line end. */
function splitPoint(bytes: Uint8Array): number {
  for (let at = bytes.length - 1; at > 0; at -= 1) {
    const byte = bytes[at]
    if (byte !== undefined && byte >= 0x80 && byte < 0xc0) return at
  }
  return bytes.length - 1
}

/** The server-sent events of one streamed answer, in the upstream's shape. */
export type Frames = ReturnType<typeof framesOf>

export function framesOf(reply: Reply, about: { id: number; model: string; include_usage: boolean }) {
  const head = JSON.stringify({
    id: `chatcmpl-simulated-${about.id}`,
    object: 'chat.completion.chunk',
    created: Math.floor(Date.now() / 1_000),
    model: about.model,
    system_fingerprint: 'fp_simulator',
  }).slice(0, -1)
  const usage_slot = about.include_usage ? ',"usage":null' : ''
  const event = (delta: string, finish_reason: string | null) => {
    const choice = `{"index":0,"delta":${delta},"logprobs":null,"finish_reason":${JSON.stringify(finish_reason)}}`
    return `data: ${head},"choices":[${choice}]${usage_slot}}\n\n`
  }
  const usage = usageOf(reply)

  return {
    /** Any event: of one choice, or with fields beside the choices. */
    delta: event,
    other: (fields: object, choice?: object) =>
      `data: ${head},${JSON.stringify({ choices: choice === undefined ? [] : [choice], ...fields }).slice(1)}\n\n`,
    opening: event('{"role":"assistant","content":"","refusal":null}', null),
    token: (text: string) => event(`{"content":${JSON.stringify(text)}}`, null),
    nullContent: event('{"content":null}', null),
    usageOnly: `data: ${head},"choices":[],"usage":${JSON.stringify(usage)}}\n\n`,
    finish: event('{}', reply.finish_reason),
    done: 'data: [DONE]\n\n',
  }
}

export function usageOf(reply: Reply) {
  return {
    prompt_tokens: reply.prompt_tokens,
    completion_tokens: reply.count,
    total_tokens: reply.prompt_tokens + reply.count,
  }
}
