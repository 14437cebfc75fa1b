import type { Fault } from '../faults.ts'
import type { Frames } from './frames.ts'
import { errorScript, formScript, thoughtScript } from './oddScripts.ts'
import type { Reply } from './reply.ts'
import type { Script } from './writer.ts'

/** A line longer than any reader should accept. */
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

/** Headers only: neither the opening nor a token. */
function stalledScript(plain: Script, after_tokens: number): Script {
  const opening = after_tokens === 0 ? '' : plain.opening
  return { ...plain, opening, count: Math.min(plain.count, after_tokens), ending: 'stall' }
}

/** What the format allows but readers often miss: CR LF, comments, other fields, null content, chunks with usage alone. */
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
