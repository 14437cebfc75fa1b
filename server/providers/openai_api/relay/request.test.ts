import { describe, expect, test } from 'vitest'
import type { ProviderRelay } from '../../provider.ts'
import { aForm, aTool } from '#testing/relay.ts'
import { ANY_OUTPUT } from '../outputLimit.ts'
import { sentBody } from './request.ts'

const ABILITIES = { usage: true, output: ANY_OUTPUT }

function aRequest(body: object, fields: Partial<ProviderRelay> & { dialect?: 'chat' | 'responses' | 'messages' } = {}) {
  const { dialect = 'chat', ...others } = fields
  const form = aForm(aTool().to, { dialect, body: { ...body } })
  return {
    ...{ form, streamed: true, max_output_tokens: null },
    upstream: { model_name: 'theirs' } as ProviderRelay['upstream'], // nothing else of it is in a body
    ...others,
  }
}

const sent = (...given: Parameters<typeof aRequest>) => sentBody(aRequest(...given), ABILITIES)

describe('the body of a request that is passed on', () => {
  test('names the model as the upstream does, where it stood, and keeps what nobody knows', () => {
    expect(JSON.stringify(sent({ a: 1, model: 'mine', b: [null] }, { streamed: false }))).toBe(
      '{"a":1,"model":"theirs","b":[null]}',
    )
  })
  test('in chat asks for the usage of a stream, beside what the tool wants of it', () => {
    expect(sent({ stream_options: { include_obfuscation: false } })).toMatchObject({
      stream_options: { include_obfuscation: false, include_usage: true },
    })
    expect(sentBody(aRequest({}), { ...ABILITIES, usage: false })).toEqual({ model: 'theirs' })
  })
  test('in responses is not to be stored there, whatever the tool wants', () => {
    expect(sent({ store: true }, { dialect: 'responses' })).toEqual({ model: 'theirs', store: false })
  })
  test('of messages has nothing of ours but the name', () => {
    expect(sent({ max_tokens: 7 }, { dialect: 'messages' })).toEqual({ model: 'theirs', max_tokens: 7 })
  })
})

describe('a limit of the answer', () => {
  test('takes the place of a higher one, in the field that the tool has chosen', () => {
    const limited = { max_output_tokens: 100 }
    expect(sent({ max_tokens: 500 }, limited)).toMatchObject({ max_tokens: 100 })
    expect(sent({ max_completion_tokens: 500 }, limited)).toMatchObject({ max_completion_tokens: 100 })
    expect(sent({ max_output_tokens: 500 }, { ...limited, dialect: 'responses' })).toMatchObject({
      max_output_tokens: 100,
    })
    expect(sent({ max_tokens: 500 }, { ...limited, dialect: 'messages' })).toMatchObject({ max_tokens: 100 })
  })
  test('leaves a lower one as it was written', () => {
    const written = { rawJSON: '5e1' }
    expect(sent({ max_tokens: written }, { max_output_tokens: 100, dialect: 'messages' })['max_tokens']).toBe(written)
    expect(sent({ max_tokens: written }, { max_output_tokens: 100 })).toMatchObject({ max_tokens: 50 })
  })
  test('leaves thoughts no more than half of an answer that is bounded', () => {
    const thinking = (budget_tokens: number, most: number | null) =>
      sent(
        { max_tokens: 32_000, thinking: { type: 'enabled', budget_tokens } },
        { max_output_tokens: most, dialect: 'messages' },
      )['thinking']
    expect(thinking(16_000, null)).toEqual({ type: 'enabled', budget_tokens: 16_000 })
    expect(thinking(4_000, 5_000)).toEqual({ type: 'enabled', budget_tokens: 4_000 })
    expect(thinking(16_000, 5_000)).toEqual({ type: 'enabled', budget_tokens: 2_500 })
    expect(thinking(16_000, 1_500)).toEqual({ type: 'enabled', budget_tokens: 1_024 })
    expect(thinking(16_000, 1_000)).toEqual({ type: 'disabled' })
  })
  test('is added where the tool has none', () => {
    expect(sent({}, { max_output_tokens: 100, dialect: 'responses' })).toMatchObject({ max_output_tokens: 100 })
    expect(sent({}, { max_output_tokens: 100 })).toMatchObject({ max_tokens: 100 })
  })
})
