import { expect } from 'vitest'
import { type Fields, fieldOf } from '#server/providers/looseJson.ts'
import type { StreamEvent } from './translated.ts'

/** What a reader of the dialect makes of the events; it fails where their order is none of the dialect. */
export type ReadAnswer = { blocks: { kind: string; name: string; text: string }[]; end: string; last: Fields }

const BLOCK_DELTAS: Readonly<Record<string, [string, string]>> = {
  text: ['text_delta', 'text'],
  thinking: ['thinking_delta', 'thinking'],
  tool_use: ['input_json_delta', 'partial_json'],
}

export function readMessageEvents(events: readonly StreamEvent[]): ReadAnswer {
  const blocks: ReadAnswer['blocks'] = []
  let isOpen = false
  let hasDelta = false
  for (const [at, { event, data }] of events.entries()) {
    expect(event).toBe(data['type'])
    const block = blocks.at(-1)
    if (at === 0) expect(['message_start', 'error']).toContain(event)
    else if (event === 'message_start') expect.fail('a second start')
    if (at === events.length - 1) expect(['message_stop', 'error']).toContain(event)
    else expect(['message_stop', 'error']).not.toContain(event)
    if (event === 'message_start') expect(fieldOf(data['message'], 'usage')).toMatchObject({ output_tokens: 0 })
    if (event === 'content_block_start') {
      expect([isOpen, hasDelta, data['index']]).toEqual([false, false, blocks.length])
      const begin = data['content_block'] as Fields
      blocks.push({ kind: String(begin['type']), name: String(begin['name'] ?? ''), text: '' })
      isOpen = true
    }
    if (event === 'content_block_delta') {
      expect([isOpen, data['index']]).toEqual([true, blocks.length - 1])
      const [type, field] = BLOCK_DELTAS[block?.kind ?? ''] ?? ['', '']
      expect(fieldOf(data['delta'], 'type')).toBe(type)
      if (block !== undefined) block.text += String(fieldOf(data['delta'], field))
    }
    if (event === 'content_block_stop') {
      expect([isOpen, data['index']]).toEqual([true, blocks.length - 1])
      isOpen = false
    }
    if (event === 'message_delta') {
      expect([isOpen, hasDelta]).toEqual([false, false])
      hasDelta = true
    }
    if (event === 'message_stop') expect(hasDelta).toBe(true)
  }
  const last = events.at(-1)
  return {
    blocks,
    end: last?.event ?? '',
    last: (events.find(each => each.event === 'message_delta') ?? last)?.data ?? {},
  }
}

const ENDS = ['response.completed', 'response.incomplete', 'response.failed']

/** Which delta an item or a part takes. */
const DELTAS: Readonly<Record<string, string>> = {
  'response.output_text.delta': 'output_text',
  'response.refusal.delta': 'refusal',
  'response.reasoning_summary_text.delta': 'summary_text',
  'response.function_call_arguments.delta': 'function_call',
  'response.custom_tool_call_input.delta': 'custom_tool_call',
}

export function readResponseEvents(events: readonly StreamEvent[], first = 0): ReadAnswer {
  const blocks: ReadAnswer['blocks'] = []
  let item: Fields | null = null
  let part: { type: string; text: string; isSaid: boolean } | null = null
  let items = 0
  let isCalled = false
  for (const [at, { event, data }] of events.entries()) {
    expect([event, data['sequence_number']]).toEqual([data['type'], first + at])
    if (at < 2) expect(event).toBe(['response.created', 'response.in_progress'][at])
    else expect(['response.created', 'response.in_progress']).not.toContain(event)
    expect(ENDS.includes(event ?? ''), event ?? '').toBe(at === events.length - 1)
    if ('output_index' in data) expect(data['output_index']).toBe(event?.endsWith('item.added') ? items : items - 1)
    if ('item_id' in data) expect(data['item_id']).toBe(item?.['id'])
    if (event === 'response.output_item.added') {
      expect(item).toBe(null)
      item = data['item'] as Fields
      items += 1
      isCalled = false
    }
    if (event?.endsWith('part.added')) {
      expect(part).toBe(null)
      part = { type: String(fieldOf(data['part'], 'type')), text: '', isSaid: false }
    }
    if (event?.endsWith('.delta')) {
      part ??= { type: String(item?.['type']), text: '', isSaid: false }
      expect(part.isSaid).toBe(false)
      expect(DELTAS[event]).toBe(part.type)
      part.text += String(data['delta'])
    }
    if (event?.endsWith('text.done') || event?.endsWith('refusal.done')) {
      expect(part?.isSaid).toBe(false)
      if (part !== null) part.isSaid = true
    }
    if (event?.endsWith('arguments.done') || event?.endsWith('input.done')) {
      expect(isCalled).toBe(false)
      isCalled = true
    }
    if (event?.endsWith('part.done')) expect(part?.isSaid).toBe(true)
    if (event?.endsWith('part.done') || event?.endsWith('arguments.done') || event?.endsWith('input.done')) {
      blocks.push({
        kind: part?.type ?? String(item?.['type']),
        name: String(item?.['name'] ?? ''),
        text: part?.text ?? '',
      })
      part = null
    }
    if (event === 'response.output_item.done') {
      const done = data['item'] as Fields
      expect([part, done['id'], done['type']]).toEqual([null, item?.['id'], item?.['type']])
      if (done['type'] === 'message') expect(done['role']).toBe('assistant')
      item = null
    }
  }
  const last = events.at(-1)
  if (last?.event !== 'response.failed') expect(item).toBe(null)
  return { blocks, end: last?.event ?? '', last: (last?.data['response'] ?? {}) as Fields }
}
