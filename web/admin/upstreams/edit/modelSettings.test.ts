import { describe, expect, test } from 'vitest'
import { UNKNOWN_CAPABILITIES } from '#contract/models.ts'
import {
  nothingSet,
  sentSettings,
  settableModels,
  type TypedSettings,
  typedSettings,
  wrongIn,
} from './modelSettings.ts'

const typed = (fields: Partial<TypedSettings> = {}): TypedSettings => ({
  ...nothingSet({ code: 'a', name: 'a' }),
  ...fields,
})

describe('the settings of a model', () => {
  test('are typed as they are sent', () => {
    const read = UNKNOWN_CAPABILITIES
    const set = { ...read, takes_files: false, context_length: 8192, thinking_levels: ['low', 'high'] }
    const stored = {
      code: 'a',
      name: 'a',
      read,
      set,
      request_fields: { top_k: 1 },
      thinking_fields: null,
      learned_context_length: null,
    }
    expect(sentSettings(typedSettings(stored))).toEqual({
      code: 'a',
      name: 'a',
      set,
      request_fields: { top_k: 1 },
      thinking_fields: null,
    })
  })
  test('that are blank are as the account says', () => {
    expect(sentSettings(typed())).toEqual({
      code: 'a',
      name: 'a',
      set: UNKNOWN_CAPABILITIES,
      request_fields: null,
      thinking_fields: null,
    })
  })
  test.each([
    [{ context_length: '8,192', thinking_levels: 'low，High' }, []],
    [{ context_length: '12' }, ['context_length']],
    [{ context_length: 'many' }, ['context_length']],
    [{ thinking_levels: 'très' }, ['thinking_levels']],
    [{ request_fields: '{' }, ['request_fields']],
    [{ request_fields: '[1]' }, ['request_fields']],
    [{ request_fields: '{"model": "x"}' }, ['request_fields']],
    [{ request_fields: '{"temperature": 0.2}' }, []],
    [{ thinking_fields: '{"off": {"enable_thinking": false}}' }, []],
    [{ thinking_fields: '{"off": false}' }, ['thinking_fields']],
  ] as const)('with %j: %j is wrong', (fields, wrong) => {
    expect(wrongIn(typed(fields))).toEqual(wrong)
  })
})

describe('the models that can be set', () => {
  const stored = {
    code: 'a',
    name: 'a',
    read: UNKNOWN_CAPABILITIES,
    set: UNKNOWN_CAPABILITIES,
    request_fields: null,
    thinking_fields: null,
    learned_context_length: null,
  }
  const model = (name: string) => ({ code: name, name, label: null, context_length: 4096 })

  test('are those that it is asked for, and the picked ones', () => {
    expect(settableModels([stored], [model('a'), model('b')], []).map(({ name }) => name)).toEqual(['a', 'b'])
  })
  test('are the listed ones that are offered, where none is picked', () => {
    const listed = [true, false].map(offered => ({ ...model(String(offered)), offered, learned_context_length: null }))
    expect(settableModels([], null, listed)).toMatchObject([{ name: 'true', read: { context_length: 4096 } }])
  })
})
