import { describe, expect, test } from 'vitest'
import { Configuration } from '#contract/configuration.ts'
import { enabledModels, isEnabled, upstreamName } from './models.ts'

const configured = (openai_api: object) => Configuration.parse({ openai_api })
const qwen = { code: 'qwen', label: 'Qwen 3', upstream_name: 'qwen3:8b', context_length: 32_768 }

describe('the models of a source', () => {
  test('are those of the specification by default, named by the languages', () => {
    expect(enabledModels(configured({}), 'openai_api')).toEqual([
      { source: 'openai_api', code: 'gpt_3_5', label: null, context_length: null },
      { source: 'openai_api', code: 'gpt_4', label: null, context_length: null },
    ])
  })
  test('are followed by those an administrator added', () => {
    expect(
      enabledModels(configured({ enabled_models: ['gpt_4'], further_models: [qwen] }), 'openai_api').map(
        ({ code, label, context_length }) => [code, label, context_length],
      ),
    ).toEqual([
      ['gpt_4', null, null],
      ['qwen', 'Qwen 3', 32_768],
    ])
  })
  test('of one source are not those of the other', () => {
    expect(isEnabled(configured({ further_models: [qwen] }), 'openai_web', 'qwen')).toBe(false)
  })
  test('are each named once', () => {
    expect(
      enabledModels(
        configured({ enabled_models: ['qwen', 'gpt_4', 'gpt_4'], further_models: [qwen] }),
        'openai_api',
      ).map(({ code }) => code),
    ).toEqual(['qwen', 'gpt_4'])
  })
})

describe('a model', () => {
  test('is enabled by being listed', () => {
    const configuration = configured({ enabled_models: ['gpt_4'], further_models: [qwen] })
    expect(['gpt_4', 'qwen', 'gpt_3_5', 'toString'].map(code => isEnabled(configuration, 'openai_api', code))).toEqual([
      true,
      true,
      false,
      false,
    ])
  })
  test('has the name that the mapping gives it, and its own otherwise', () => {
    const configuration = configured({ model_code_mapping: { gpt_4: 'gpt-4o' }, further_models: [qwen] })
    expect(['gpt_4', 'gpt_3_5', 'qwen'].map(code => upstreamName(configuration, 'openai_api', code))).toEqual([
      'gpt-4o',
      'gpt-3.5-turbo',
      'qwen3:8b',
    ])
  })
  test('without a name at the upstream is not offered', () => {
    const configuration = configured({ enabled_models: ['gpt_4', 'unheard_of', 'constructor'] })
    expect(enabledModels(configuration, 'openai_api').map(({ code }) => code)).toEqual(['gpt_4'])
    expect(isEnabled(configuration, 'openai_api', 'unheard_of')).toBe(false)
  })
  test('of another code is named by it', () => {
    const configuration = configured({ enabled_models: ['o9'], model_code_mapping: { o9: 'o9-large' } })
    expect(enabledModels(configuration, 'openai_api')).toMatchObject([{ code: 'o9', label: 'o9' }])
  })
})
