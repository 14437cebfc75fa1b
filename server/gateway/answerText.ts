import type { Dialect } from '#contract/gateway.ts'
import { beginningOf, shortened } from '#contract/cutText.ts'
import { type Fields, fieldOf, isFields } from '#server/providers/looseJson.ts'
import { chatReader } from './translators/chatReader.ts'

/** Characters that are read of an answer. */
const MAX_TEXT = 200_000
/** Characters that are shown of what a tool was called with. */
const MAX_ARGUMENTS = 300

/** A text, or a call of a tool. */
type Piece = { call: string | null; text: string }

type Pieces = { say(text: unknown): void; call(name: unknown, args: unknown): void; addToCall(args: unknown): void }

/** Reads an answer as it passes, event by event or as one document, and says it in short: texts, and calls of tools. */
export function answerText(dialect: Dialect) {
  const pieces: Piece[] = []
  let length = 0
  const bounded = (text: unknown): string => {
    const taken = typeof text === 'string' ? beginningOf(text, Math.max(0, MAX_TEXT - length)) : ''
    length += taken.length
    return taken
  }
  const to: Pieces = {
    say(text) {
      const said = bounded(text)
      const [last] = pieces.slice(-1)
      if (last?.call === null) last.text += said
      else if (said !== '') pieces.push({ call: null, text: said })
    },
    call: (name, args) => void pieces.push({ call: bounded(name), text: bounded(args) }),
    addToCall(args) {
      const [last] = pieces.slice(-1)
      if (last !== undefined && last.call !== null) last.text += bounded(args)
    },
  }
  const read = READERS[dialect](to)
  return {
    take: (said: unknown): void => {
      if (isFields(said)) read(said)
    },
    text: (): string => pieces.map(shown).join('\n\n').trim(),
  }
}

const shown = ({ call, text }: Piece): string =>
  call === null
    ? text.trim()
    : `\`${shortened(`${call} ${text}`, MAX_ARGUMENTS)
        .replace(/[`\s]+/g, ' ')
        .trim()}\``

type Reader = (to: Pieces) => (said: Fields) => void

const listIn = (value: unknown): Fields[] => (Array.isArray(value) ? value.filter(isFields) : [])

const chat: Reader = to => {
  const reader = chatReader()
  const calls = new Set<unknown>()
  return said => {
    for (const part of reader.read(said).parts) {
      if (part.kind === 'text' || part.kind === 'refusal') to.say(part.text)
      if (part.kind !== 'call') continue
      if (calls.has(part.call)) to.addToCall(part.text)
      else to.call(part.call.name, part.text)
      calls.add(part.call)
    }
  }
}

const responses: Reader = to => {
  let hasSaid = false
  const readItem = (item: unknown): void => {
    const input = fieldOf(item, 'arguments') ?? fieldOf(item, 'input')
    if (input !== undefined) to.call(fieldOf(item, 'name'), input)
  }
  const readWhole = (response: unknown): void => {
    for (const item of listIn(fieldOf(response, 'output'))) {
      for (const part of listIn(item['content'])) to.say(part['text'] ?? part['refusal'])
      readItem(item)
    }
  }
  return said => {
    const type = said['type']
    if (type === 'response.output_text.delta' || type === 'response.refusal.delta') to.say(said['delta'])
    else if (type === 'response.output_item.done') readItem(said['item'])
    else if (type === undefined) readWhole(said)
    // Some say all at the end alone.
    else if (type === 'response.completed' && !hasSaid) readWhole(said['response'])
    hasSaid ||= type === 'response.output_text.delta' || type === 'response.output_item.done'
  }
}

const messages: Reader = to => {
  const readBlock = (block: unknown): void => {
    const input = fieldOf(block, 'input')
    const isEmpty = !isFields(input) || Object.keys(input).length === 0
    if (fieldOf(block, 'type') === 'text') to.say(fieldOf(block, 'text'))
    if (fieldOf(block, 'type') === 'tool_use') to.call(fieldOf(block, 'name'), isEmpty ? '' : JSON.stringify(input))
  }
  return said => {
    const delta = said['delta']
    if (said['type'] === 'content_block_start') readBlock(said['content_block'])
    if (said['type'] === 'message') listIn(said['content']).forEach(readBlock)
    if (said['type'] !== 'content_block_delta') return
    to.say(fieldOf(delta, 'text') ?? '')
    to.addToCall(fieldOf(delta, 'partial_json'))
  }
}

const READERS: Readonly<Record<Dialect, Reader>> = { chat, responses, messages }
