import { describe, expect, test } from 'vitest'
import { chatReader } from './chatReader.ts'

const choice = (delta: unknown, more = {}) => ({ choices: [{ index: 0, delta, finish_reason: null, ...more }] })
const partsOf = (...chunks: unknown[]) => {
  const reader = chatReader()
  return chunks.flatMap(chunk => reader.read(chunk).parts)
}

describe('what a chunk of a chat says', () => {
  test('is text, thoughts by either name, and a refusal by itself', () => {
    expect(partsOf(choice({ content: 'Hi' }))).toEqual([{ kind: 'text', text: 'Hi' }])
    expect(partsOf(choice({ reasoning_content: 'hm' }))).toEqual([{ kind: 'thoughts', text: 'hm' }])
    expect(partsOf(choice({ reasoning: 'hm', content: null }))).toEqual([{ kind: 'thoughts', text: 'hm' }])
    expect(partsOf(choice({ refusal: 'No' }))).toEqual([{ kind: 'refusal', text: 'No' }])
  })
  test('is a whole message only where nothing has come in pieces', () => {
    const whole = { choices: [{ index: 0, message: { content: 'Hi' }, finish_reason: 'stop' }] }
    expect(partsOf(whole)).toEqual([{ kind: 'text', text: 'Hi' }])
    expect(partsOf(choice({ content: 'Hi' }), whole)).toEqual([{ kind: 'text', text: 'Hi' }])
  })
  test('is read of one choice alone', () => {
    const other = { choices: [{ index: 1, delta: { content: 'Other' } }] }
    expect(partsOf(choice({ content: 'Hi' }), other)).toEqual([{ kind: 'text', text: 'Hi' }])
  })
  test('is nothing where it has no choices', () => {
    for (const chunk of [{}, { choices: null }, { choices: [] }, null, 'text', []]) expect(partsOf(chunk)).toEqual([])
  })
})

describe('how a chat ends', () => {
  const read = (chunk: unknown) => chatReader().read(chunk)

  test('is said by the reason of its choice, in the spelling of any upstream', () => {
    expect(read(choice({}, { finish_reason: 'max_tokens' })).finish).toEqual({ kind: 'whole', reason: 'length' })
    expect(read(choice({}, { finish_reason: 'SAFETY' })).finish).toMatchObject({ reason: 'content_filter' })
    expect(read(choice({})).finish).toBe(null)
  })
  test('is an error beside the choices, within one, or as a reason', () => {
    const error = { message: 'Busy', code: 'overloaded' }
    expect(read({ error }).error).toEqual({ message: 'Busy', code: 'overloaded' })
    expect(read({ error: 'Busy' }).error).toEqual({ message: 'Busy', code: null })
    expect(read(choice({}, { error })).error).toEqual({ message: 'Busy', code: 'overloaded' })
    expect(read(choice({}, { finish_reason: 'error' })).error).not.toBe(null)
    expect(read({ error: null, choices: [] }).error).toBe(null)
  })
})

describe('the usage of a chat', () => {
  const usageIn = (chunk: unknown) => chatReader().read(chunk).usage
  const counted = { input: 10, cached: 0, output: 5, reasoning: 0 }

  test.each([
    [{ usage: { prompt_tokens: 10, completion_tokens: 5 } }],
    [{ choices: [], usage: { input_tokens: 10, output_tokens: 5 } }],
    [{ x_groq: { usage: { prompt_tokens: 10, completion_tokens: 5 } } }],
    [choice({}, { usage: { prompt_tokens: 10, completion_tokens: 5 } })],
  ])('is found in %j', chunk => {
    expect(usageIn(chunk)).toEqual(counted)
  })
  test('has what came from a cache and what was thought, never more than all', () => {
    const usage = { prompt_tokens: 10, completion_tokens: 5 }
    const details = { prompt_tokens_details: { cached_tokens: 4 }, completion_tokens_details: { reasoning_tokens: 9 } }
    expect(usageIn({ usage: { ...usage, ...details } })).toEqual({ ...counted, cached: 4, reasoning: 5 })
    expect(usageIn({ usage: { ...usage, prompt_cache_hit_tokens: 30 } })).toEqual({ ...counted, cached: 10 })
  })
  test('is none where it does not count', () => {
    for (const usage of [null, 3, {}, { prompt_tokens: -1, completion_tokens: 5 }])
      expect(usageIn({ usage })).toBe(null)
  })
})
