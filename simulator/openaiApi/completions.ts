import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Fault } from '../foundation/faults.ts'
import { sendJson } from '../foundation/http.ts'
import type { Upstream } from '../foundation/upstream.ts'
import { refuse, refuseByFault } from './errors.ts'
import { type Answering, answerRequest, type Protocol } from './answering.ts'
import { DIALECTS } from './dialects/dialects.ts'
import { EMBEDDINGS } from './embeddings.ts'
import { readChatRequest, refusalOf } from './request.ts'
import { framesOf, usageOf, type Frames, writeScript, type Script } from './writer.ts'
import { painting } from '../answers/pictures.ts'
import { type ToolCall, toolCallOf } from './toolCall.ts'
import { errorScript, formScript, thoughtScript } from './oddScripts.ts'
import type { Reply } from './reply.ts'

const CHAT: Protocol = { path: '/v1/chat/completions', read: readChatRequest, refuse, answer }

function answer(answering: Answering) {
  const { chat, reply, fault, entry, response, upstream } = answering
  const { journal, pace } = upstream
  const notUnderstood = fault === undefined ? undefined : refusalOf(fault, chat)
  if (fault !== undefined && notUnderstood !== undefined) {
    // The fault is queued again, so that it refuses until a request no longer asks for this.
    if (reply.directives.fault === undefined) upstream.faults.add(fault)
    journal.end(entry, 'fault')
    return refuse(response, notUnderstood)
  }
  if (fault?.kind === 'status') {
    journal.end(entry, 'fault')
    refuseByFault(response, fault)
  } else if (chat.stream && !(fault?.kind === 'form' && fault.form === 'json')) {
    const frames = framesOf(reply, { id: entry.id, model: chat.model, include_usage: chat.include_usage })
    const script = scriptOf(answering, frames)
    writeScript(script, { response, entry, journal, pace, ownRate: reply.directives.pace, later: upstream.later })
  } else {
    answerWhole(answering)
  }
}

/** Without streaming the whole answer is one body; faults of a stream happen in the middle of it. */
function answerWhole({ chat, reply, fault, entry, response, upstream }: Answering) {
  const filler = fault?.kind === 'huge_line' ? HUGE_TEXT : ''
  const call = toolCallOf(reply, `call_${reply.prompt_tokens}`)
  const words = filler + Array.from({ length: reply.count }, (_, index) => reply.token(index)).join('')
  const content = call === null ? words : null
  const whole = {
    id: `chatcmpl-simulated-${entry.id}`,
    object: 'chat.completion',
    created: Math.floor(Date.now() / 1_000),
    model: chat.model,
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content, refusal: null, ...(call !== null && { tool_calls: [chatCall(call)] }) },
        logprobs: null,
        finish_reason: call === null ? reply.finish_reason : 'tool_calls',
      },
    ],
    usage: usageOf(reply),
    system_fingerprint: 'fp_simulator',
  }
  if (fault?.kind === 'cut' || fault?.kind === 'stall' || fault?.kind === 'malformed') {
    const half = JSON.stringify(whole).slice(0, -20)
    response.writeHead(200, { 'content-type': 'application/json' })
    if (fault.kind === 'malformed') {
      response.end(half, () => upstream.journal.end(entry, 'complete'))
    } else {
      response.write(half, () => {
        if (fault.kind === 'stall') return
        upstream.journal.end(entry, 'fault')
        response.destroy()
      })
    }
    return
  }
  upstream.journal.sent(entry, content ?? '')
  response.on('finish', () => upstream.journal.end(entry, 'complete'))
  sendJson(response, 200, whole)
}

const chatCall = ({ id, name, input }: ToolCall) => ({ id, type: 'function', function: { name, arguments: input } })

const PROTOCOLS = [CHAT, ...DIALECTS, EMBEDDINGS]

/** The openai_api protocol, below /v1/. */
export async function answerOpenaiApi(
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  upstream: Upstream,
) {
  const protocol = request.method === 'POST' ? PROTOCOLS.find(each => each.path === path) : undefined
  if (protocol !== undefined) return answerRequest(request, response, upstream, protocol)
  const entry = upstream.journal.open({ path, authorization: request.headers.authorization ?? '', body: null }, 0)
  // Who fetches a picture by its link has no key.
  const refusal = path.startsWith('/pictures/') ? undefined : upstream.refusalOfKey(request)
  if (!refusal && request.method === 'GET' && path === '/v1/models') {
    upstream.journal.end(entry, 'complete')
    return sendJson(response, 200, modelList())
  }
  const picture = /^\/pictures\/(\d{1,6})\.png$/.exec(path)?.[1]
  if (request.method === 'GET' && picture !== undefined) {
    upstream.journal.end(entry, 'complete')
    response.writeHead(200, { 'content-type': 'image/png' })
    return response.end(painting(Number(picture), 'dawn'))
  }
  upstream.journal.end(entry, 'fault')
  const message = `Invalid URL (${request.method ?? ''} ${path})`
  return refuse(response, refusal ?? { status: 404, message, type: 'invalid_request_error', param: null, code: null })
}

/** GET /v1/models. Other names are answered too, except those that start with "missing". */
const MODELS = ['gpt-3.5-turbo', 'gpt-4', 'gpt-4o', 'gpt-4o-mini', 'simulated-large']

function modelList() {
  return {
    object: 'list',
    data: MODELS.map(id => ({ id, object: 'model', created: 1_700_000_000, owned_by: 'simulator' })),
  }
}

/** A line longer than any reader should accept. */
const HUGE_TEXT = 'x'.repeat(1_200_000)
const BROKEN_LINE = 'data: {"id":"chatcmpl-broken","choices":[{"delta":{"content":"lo\n\n'
const ODD_TEXT = 'data: [DONE] 是“重点”，not the end ✓ '

function scriptOf({ chat: { include_usage }, reply, fault, origin }: Answering, frames: Frames): Script {
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
  const call = toolCallOf(reply, `call_${reply.prompt_tokens}`)
  if (call !== null) {
    const tool_calls = [{ index: 0, ...chatCall(call) }]
    const closing =
      frames.delta(JSON.stringify({ tool_calls }), null) + frames.delta('{}', 'tool_calls') + usage + frames.done
    return { ...plain, count: 0, closing }
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
      return formScript(plain, frames, fault.form, origin)
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

/**
 * What the format allows but readers often miss: CR LF, comments, other fields, null content, chunks with usage alone.
 */
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
