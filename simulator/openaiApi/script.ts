import type { Fault } from '../faults.ts'
import type { Frames } from './frames.ts'
import { errorScript, formScript, thoughtScript } from './oddScripts.ts'
import type { Reply } from './reply.ts'

/** An answer as it is to be written: a fault is already worked in, so that the writer knows nothing of faults. */
export type Script = {
  opening: string
  count: number
  token: (index: number) => string
  /** What goes on the wire for a token's text. */
  frame: (text: string, index: number) => string
  closing: string
  /** What happens when `count` tokens are out, in place of the closing. */
  ending: 'complete' | 'cut' | 'stall'
  /** Each write ends in the middle of a character or of a line end. */
  split: boolean
  /** Milliseconds between the opening and the first token; comments go out meanwhile. */
  pause_ms?: number
  /** Every write is packed, though nobody asked for that. */
  packed?: boolean
}

/** More than any reader should take in one line. */
export const HUGE_TEXT = 'x'.repeat(1_200_000)
const BROKEN_LINE = 'data: {"id":"chatcmpl-broken","choices":[{"delta":{"content":"lo\n\n'
const ODD_TEXT = 'data: [DONE] 是“重点”，not the end ✓ '

export function scriptOf(reply: Reply, frames: Frames, fault: Fault | undefined, include_usage: boolean): Script {
  const usage = include_usage ? frames.usageOnly : ''
  const plain: Script = {
    opening: frames.opening,
    count: reply.count,
    token: reply.token,
    frame: text => frames.token(text),
    closing: frames.finish + usage + frames.done,
    ending: 'complete',
    split: false,
  }
  switch (fault?.kind) {
    case 'cut':
      return { ...plain, count: Math.min(reply.count, fault.after_tokens), ending: 'cut' }
    case 'stall':
      return stalledScript(plain, fault.after_tokens)
    case 'malformed':
      return {
        ...plain,
        frame: (text, index) => (index === fault.after_tokens ? BROKEN_LINE : '') + frames.token(text),
        closing: (fault.after_tokens >= reply.count ? BROKEN_LINE : '') + plain.closing,
      }
    case 'huge_line':
      return { ...plain, opening: plain.opening + frames.token(HUGE_TEXT) }
    case 'no_done':
      return { ...plain, closing: frames.finish + usage }
    case 'odd':
      return oddScript(reply, frames)
    case 'slow_first_token':
      return { ...plain, pause_ms: fault.delay_ms }
    case 'finish':
      return { ...plain, count: Math.min(reply.count, fault.after_tokens), closing: finishClosing(frames, fault) }
    case 'error':
      return errorScript(plain, frames, fault)
    case 'thoughts':
      return thoughtScript(plain, frames, fault)
    case 'form':
      return formScript(plain, frames, fault.form)
    default:
      return plain
  }
}

const finishClosing = (frames: Frames, { reason, done }: Extract<Fault, { kind: 'finish' }>): string =>
  (reason === null ? '' : frames.delta('{}', reason)) + (done ? frames.done : '')

/** No token at all: not even the opening, nothing but headers. */
function stalledScript(plain: Script, after_tokens: number): Script {
  const opening = after_tokens === 0 ? '' : plain.opening
  return { ...plain, opening, count: Math.min(plain.count, after_tokens), ending: 'stall' }
}

/** Everything the format allows and readers forget: CR LF, comments, other fields, null content, usage-only chunks. */
function oddScript(reply: Reply, frames: Frames): Script {
  const crlf = (text: string) => text.replaceAll('\n', '\r\n')
  const filter = 'data: {"choices":[],"prompt_filter_results":[]}\n\n'
  return {
    opening: crlf(`: stream opened\n\nretry: 1000\n\n${filter}${frames.opening}${frames.nullContent}`),
    count: reply.count + 1,
    token: index => (index === 0 ? ODD_TEXT : reply.token(index - 1)),
    frame: (text, index) => {
      const data = index % 2 === 0 ? frames.token(text).replace('data: ', 'data:') : frames.token(text)
      return crlf((index % 3 === 0 ? ': keep-alive\n' : '') + (index % 4 === 1 ? `id: ${index}\n` : '') + data)
    },
    closing: crlf(frames.finish + frames.usageOnly + frames.done),
    ending: 'complete',
    split: true,
  }
}
