import { describe, expect, test } from 'vitest'
import { askingProvider, rawUpstream } from '#testing/upstream.ts'
import { API } from '../refusedAsks.testing.ts'
import { afterRefusal, ANY_OUTPUT, outputFields } from './outputLimit.ts'

describe('the bound of an answer', () => {
  test('is sent in the field that the endpoint knows, and nowhere where it knows none', () => {
    expect(outputFields(100, ANY_OUTPUT, {})).toEqual({ max_tokens: 100 })
    expect(outputFields(100, { field: 'max_completion_tokens', most: Infinity }, {})).toEqual({
      max_completion_tokens: 100,
    })
    expect(outputFields(100, { field: null, most: Infinity }, { max_tokens: 5 })).toEqual({})
    expect(outputFields(null, ANY_OUTPUT, {})).toEqual({})
  })
  test('never raises one that the question or the model has', () => {
    expect(outputFields(100, ANY_OUTPUT, { max_tokens: 40 })).toEqual({ max_tokens: 40 })
    expect(outputFields(100, ANY_OUTPUT, { max_tokens: 400 })).toEqual({ max_tokens: 100 })
    expect(outputFields(100, ANY_OUTPUT, { max_completion_tokens: 60 })).toEqual({ max_completion_tokens: 60 })
    expect(outputFields(100, { ...ANY_OUTPUT, most: 50 }, {})).toEqual({ max_tokens: 50 })
  })
})

describe('a refusal of the bound', () => {
  const learned = (refusal: string, sent = 32_768) => afterRefusal(ANY_OUTPUT, refusal, sent)
  test('says that the other field is meant, or that there is none', () => {
    const other =
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
    expect(learned(other)).toEqual({ field: 'max_completion_tokens', most: Infinity })
    expect(
      afterRefusal({ field: 'max_completion_tokens', most: Infinity }, 'unknown field max_completion_tokens', 100),
    ).toEqual({
      field: null,
      most: Infinity,
    })
  })
  test.each([
    ['max_tokens is too large: 32768. This model supports at most 16384 completion tokens', 16_384],
    [
      "'max_tokens' is too large: 32768. This model's maximum context length is 8192 tokens and your request has 500 input tokens",
      7_692,
    ],
    ['max_tokens: 32768 > 8192, which is the maximum allowed number of output tokens', 8_192],
    ['Range of max_tokens should be [1, 8192]', 8_192],
  ])('says how much is taken: %s', (refusal, most) => {
    expect(learned(refusal)).toMatchObject({ field: 'max_tokens', most })
  })
  test('is none where it is about something else', () => {
    expect(learned('temperature must be at most 2')).toBe(null)
  })
})

describe('an endpoint that takes no bound', () => {
  test('is asked without one, and from then on at once', async () => {
    const bodies: Record<string, unknown>[] = []
    const base_url = await rawUpstream((request, response) => {
      let text = ''
      request.on('data', piece => (text += String(piece)))
      request.on('end', () => {
        const body = JSON.parse(text) as Record<string, unknown> // as the provider sends it
        bodies.push(body)
        const field = ['max_tokens', 'max_completion_tokens'].find(name => name in body)
        response.writeHead(field === undefined ? 200 : 400, { 'content-type': 'application/json' })
        const answer = { choices: [{ message: { role: 'assistant', content: 'Yes.' }, finish_reason: 'stop' }] }
        response.end(JSON.stringify(field === undefined ? answer : { error: { message: `Unknown field: ${field}` } }))
      })
    })
    const { reply } = await askingProvider(API)
    for (let count = 0; count < 2; count++)
      expect((await reply('hello', { base_url }, undefined, undefined, { max_output_tokens: 100 })).refusal).toBe(null)
    expect(bodies.map(body => [body['max_tokens'], body['max_completion_tokens']])).toEqual([
      [100, undefined],
      [undefined, 100],
      [undefined, undefined],
      [undefined, undefined],
    ])
  })
})
