import { describe, expect, test } from 'vitest'
import { Configuration } from '#contract/configuration/configuration.ts'
import { ModelCode, UNKNOWN_CAPABILITIES } from '#contract/models.ts'
import { codeOf, enabledModels, isEnabled, type ListedModel, upstreamName, withListedModels } from './models.ts'

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

const OLLAMA = 'http://127.0.0.1:11434/v1'
const model = (id: string, more: Partial<ListedModel> = {}): ListedModel => ({
  ...UNKNOWN_CAPABILITIES,
  id,
  for_chat: true,
  ...more,
})

function offered(listed: ListedModel[] | null, openai_api: object = {}, picked = false) {
  const configuration = withListedModels(
    Configuration.parse({ openai_api: { openai_base_url: OLLAMA, ...openai_api } }),
    listed,
    picked,
  )
  return enabledModels(configuration, 'openai_api').map(({ code, label, context_length }) => [
    code,
    label,
    upstreamName(configuration, 'openai_api', code),
    context_length,
  ])
}
const codes = (...given: Parameters<typeof offered>) => offered(...given).map(([code]) => code)

describe('the models of an endpoint with an address', () => {
  test('are those it lists, and not GPT-3.5 and GPT-4', () => {
    expect(offered([model('local-model:8b', { context_length: 8192 }), model('org/other-model')])).toEqual([
      ['local-model:8b', 'local-model:8b', 'local-model:8b', 8192],
      ['org/other-model', 'org/other-model', 'org/other-model', null],
    ])
  })
  test('are the first fifty that chat, in its order', () => {
    const many = Array.from({ length: 120 }, (_, at) => model(`m${at}`, { for_chat: at % 2 === 0 }))
    expect(codes(many)).toEqual(Array.from({ length: 50 }, (_, at) => `m${2 * at}`))
  })
  test('are none where it lists none', () => {
    expect(codes([])).toEqual([])
    expect(codes([model('nomic-embed-text', { for_chat: false })])).toEqual([])
  })
  test('are as they were configured while no list was ever read, and without an address', () => {
    expect(codes(null)).toEqual(['gpt_3_5', 'gpt_4'])
    expect(codes([model('gpt-4o')], { openai_base_url: null })).toEqual(['gpt_3_5', 'gpt_4'])
  })
  test('may be asked for like further ones', () => {
    const configuration = withListedModels(
      Configuration.parse({ openai_api: { openai_base_url: OLLAMA } }),
      [model('llama3.1:8b')],
      false,
    )
    expect(['llama3.1:8b', 'gpt_4', 'constructor'].map(code => isEnabled(configuration, 'openai_api', code))).toEqual([
      true,
      false,
      false,
    ])
  })
})

describe('GPT-3.5 and GPT-4', () => {
  test('are offered where the endpoint has them, once each', () => {
    expect(offered([model('gpt-4', { context_length: 8192 }), model('gpt-4o')])).toEqual([
      ['gpt_4', null, 'gpt-4', 8192],
      ['gpt-4o', 'gpt-4o', 'gpt-4o', null],
    ])
  })
  test('are offered by the name that the mapping gives them, wherever in the list it stands', () => {
    const many = [...Array.from({ length: 60 }, (_, at) => model(`m${at}`)), model('qwen3:8b')]
    expect(codes(many, { model_code_mapping: { gpt_4: 'qwen3:8b' } })[0]).toBe('gpt_4')
    expect(offered([model('qwen3:latest')], { model_code_mapping: { gpt_4: 'qwen3' } })).toEqual([
      ['gpt_4', null, 'qwen3', null],
    ])
  })
  test('are offered where they are listed by their codes', () => {
    expect(offered([model('gpt_4')])).toEqual([['gpt_4', null, 'gpt_4', null]])
  })
  test('are offered where an administrator says so, whatever is listed', () => {
    expect(offered([model('llama')], { enabled_models: ['gpt_4'] }, true)).toEqual([['gpt_4', null, 'gpt-4', null]])
    expect(offered(null, { enabled_models: ['gpt_3_5', 'gpt_4'] }, true)).toEqual([
      ['gpt_3_5', null, 'gpt-3.5-turbo', null],
      ['gpt_4', null, 'gpt-4', null],
    ])
  })
})

describe('what an administrator named', () => {
  const further = { code: 'llama', label: 'Our Llama', upstream_name: 'llama3.1:8b', context_length: 4096 }
  test('wins over a listed model of the same code', () => {
    expect(offered([model('llama'), model('other')], { further_models: [{ ...further, upstream_name: 'x' }] })).toEqual(
      [
        ['llama', 'Our Llama', 'x', 4096],
        ['other', 'other', 'other', null],
      ],
    )
  })
  test('stands for the model it names, so that a limit on it cannot be walked around', () => {
    expect(codes([model('llama3.1:8b'), model('other')], { further_models: [further] }).toSorted()).toEqual([
      'llama',
      'other',
    ])
  })
  test('picks of the list, by code, and names of its own', () => {
    const listed = [model('a'), model('b', { context_length: 2048 }), model('模型', { context_length: 1024 })]
    expect(
      offered(
        listed,
        { enabled_models: ['b', codeOf('模型'), 'not-listed', 'llama'], further_models: [further] },
        true,
      ),
    ).toEqual([
      ['b', 'b', 'b', 2048],
      [codeOf('模型'), '模型', '模型', 1024],
      ['not-listed', 'not-listed', 'not-listed', null],
      ['llama', 'Our Llama', 'llama3.1:8b', 4096],
    ])
  })
})

describe('the code of a listed model', () => {
  test.each(['llama3.1:8b', 'org/other-model', 'models/gemini-2.5-flash', 'gpt-4o'])(
    'is its id where that can be one: %s',
    id => {
      expect(codeOf(id)).toBe(id)
    },
  )
  test.each([
    '/models/llama-3.gguf',
    '模型',
    'with space',
    '*',
    '__proto__',
    'gpt_4',
    '-',
    `${'x'.repeat(200)}`,
    'a@b',
    '"><script>',
    `${'-'.repeat(90)}a`,
  ])('is made of it elsewhere, the same each time and no other’s: %j', id => {
    const code = codeOf(id)
    expect(ModelCode.safeParse(code).success).toBe(true)
    expect(codeOf(id)).toBe(code)
    expect([code, codeOf(`${id}!`)]).not.toEqual([code, code])
    expect(['gpt_3_5', 'gpt_4', '*']).not.toContain(code)
  })
})
