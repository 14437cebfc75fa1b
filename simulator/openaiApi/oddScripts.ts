import type { Fault, Form } from '../foundation/faults.ts'
import { painting } from '../answers/pictures.ts'
import type { Frames, Script } from './writer.ts'

/** Tokens, then an error in one of the forms of upstreams, and then what a careless upstream still sends. */
export function errorScript(
  plain: Script,
  frames: Frames,
  { shape, code, message, after_tokens }: Extract<Fault, { kind: 'error' }>,
): Script {
  const error = { code, message }
  const text = JSON.stringify(error)
  const closings = {
    top: frames.other({ error }, { index: 0, delta: { content: '' }, finish_reason: 'error' }) + frames.done,
    choice: frames.other({}, { index: 0, delta: { content: '' }, finish_reason: null, error }) + frames.done,
    event: `event: error\ndata: ${text}\n\n`,
    event_plain: `event:error\ndata:${message}\n\n`,
    field: `error: ${message}\n\n`,
    line: `{"error":${text}}\n`,
  }
  return {
    ...plain,
    opening: after_tokens === 0 ? '' : plain.opening,
    count: Math.min(plain.count, after_tokens),
    closing: closings[shape],
  }
}

/** Thoughts, cut at arbitrary positions and sent at the pace of tokens, before the answer or in its place. */
export function thoughtScript(
  plain: Script,
  frames: Frames,
  { shape, text, only }: Extract<Fault, { kind: 'thoughts' }>,
): Script {
  const inText: Record<string, string> = {
    think: `<think>\n${text}\n</think>\n\n`,
    think_open: `<think>${text}`,
    think_close: `${text}\n</think>\n\n`,
  }
  const written = inText[shape] ?? text
  const pieces = written.match(/[\s\S]{1,5}/gu) ?? []
  const isThought = (index: number) => index < pieces.length
  return {
    ...plain,
    count: pieces.length + (only || shape === 'think_open' ? 0 : plain.count),
    token: index => (isThought(index) ? '' : plain.token(index - pieces.length)),
    frame: (said, index) =>
      isThought(index)
        ? frames.delta(JSON.stringify(thoughtDelta(shape, pieces[index] ?? '')), null)
        : plain.frame(said, index),
  }
}

function thoughtDelta(shape: Extract<Fault, { kind: 'thoughts' }>['shape'], piece: string): object {
  switch (shape) {
    case 'reasoning_content':
      return { reasoning_content: piece, content: null }
    case 'reasoning':
      return { reasoning: piece, content: '' }
    case 'details':
      return { content: '', reasoning_details: [{ type: 'reasoning.text', text: piece, index: 0 }] }
    case 'parts':
      return { content: [{ type: 'thinking', thinking: [{ type: 'text', text: piece }] }] }
    case 'think':
    case 'think_open':
    case 'think_close':
      return { content: piece }
  }
}

const CITED = ['https://one.example/a', 'https://two.example/b?c=d']

/** One pixel, padded behind its end to the size of a real model's picture. */
const PICTURE = `data:image/png;base64,${Buffer.concat([Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGMwTpsJAAICATNWh+JUAAAAAElFTkSuQmCC', 'base64'), Buffer.alloc(1_500_000)]).toString('base64')}`

const dataUrlOf = (png: Buffer): string => `data:image/png;base64,${png.toString('base64')}`

const imagePart = (url: string): object => ({ type: 'image_url', image_url: { url } })

const withDelta = (plain: Script, frames: Frames, delta: object): Script => ({
  ...plain,
  closing: frames.delta(JSON.stringify(delta), null) + plain.closing,
})

/** `origin`: of the upstream itself, which has pictures to link to. */
export function formScript(plain: Script, frames: Frames, form: Form, origin: string): Script {
  const whole = () => Array.from({ length: plain.count }, (_, index) => plain.token(index)).join('')
  switch (form) {
    case 'message':
      return {
        ...plain,
        closing:
          frames.other(
            {},
            { index: 0, delta: null, message: { role: 'assistant', content: whole() }, finish_reason: 'stop' },
          ) + frames.done,
      }
    case 'single_newlines':
      return {
        ...plain,
        opening: plain.opening.replaceAll('\n\n', '\n'),
        closing: plain.closing.replaceAll('\n\n', '\n'),
        frame: text => frames.token(text).replace('\n\n', '\n'),
      }
    case 'gzip':
      return { ...plain, packed: true }
    case 'parts':
      return {
        ...plain,
        frame: text =>
          frames.delta(JSON.stringify({ content: [{ type: 'output_text', text: { value: text } }] }), null),
      }
    case 'second_choice':
      return {
        ...plain,
        frame: text => frames.token(text).replace('"index":0', '"index":1'),
        closing: plain.closing.replace('"index":0', '"index":1'),
      }
    case 'refusal':
      return { ...plain, frame: text => frames.delta(JSON.stringify({ refusal: text }), null) }
    case 'citations':
      return {
        ...plain,
        frame: text => frames.other({ citations: CITED }, { index: 0, delta: { content: text }, finish_reason: null }),
        closing:
          frames.other({ search_results: CITED.map((url, at) => ({ title: `Page ${at + 1}`, url })) }) + plain.closing,
      }
    case 'picture':
      return withDelta(plain, frames, { images: [imagePart(PICTURE)] })
    case 'picture_part':
      return withDelta(plain, frames, { content: [imagePart(dataUrlOf(painting(1, 'dawn')))] })
    case 'picture_text':
      return withDelta(plain, frames, { content: `\n\n![hills](${dataUrlOf(painting(2, 'dusk'))})` })
    case 'picture_link':
      return withDelta(plain, frames, { images: [imagePart(new URL('/pictures/3.png', origin).href)] })
    case 'json':
      return plain
  }
}
