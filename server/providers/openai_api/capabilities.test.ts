import { describe, expect, test } from 'vitest'
import { type ModelCapabilities, UNKNOWN_CAPABILITIES } from '#contract/models.ts'
import { capabilitiesIn, capabilitiesOfLmStudio, capabilitiesOfOllama } from './capabilities.ts'
import { LM_STUDIO_LISTS, OLLAMA_SHOWS } from './localEndpoints.testing.ts'
import { listIn } from './modelList.ts'

const known = (fields: Partial<ModelCapabilities>): ModelCapabilities => ({ ...UNKNOWN_CAPABILITIES, ...fields })
const LEVELS = ['low', 'medium', 'high']

/** Entries of `GET models` as each answers, shortened. */
const ENTRIES: readonly (readonly [endpoint: string, entry: object, says: Partial<ModelCapabilities>])[] = [
  [
    'OpenRouter, of a model that looks and thinks',
    {
      id: 'openai/gpt-5',
      context_length: 400_000,
      architecture: {
        modality: 'text+image->text',
        input_modalities: ['text', 'image', 'file'],
        output_modalities: ['text'],
        tokenizer: 'GPT',
        instruct_type: null,
      },
      top_provider: { context_length: 400_000, max_completion_tokens: 128_000, is_moderated: true },
      supported_parameters: ['include_reasoning', 'max_tokens', 'reasoning', 'response_format', 'tool_choice', 'tools'],
    },
    { takes_pictures: true, takes_files: true, uses_tools: true, context_length: 400_000, thinking_levels: LEVELS },
  ],
  [
    'OpenRouter, of a model that reads text alone',
    {
      id: 'meta-llama/llama-3.1-8b-instruct',
      context_length: 131_072,
      architecture: { input_modalities: ['text'], output_modalities: ['text'] },
      supported_parameters: ['max_tokens', 'temperature', 'top_p'],
    },
    { takes_pictures: false, takes_files: false, uses_tools: false, context_length: 131_072, thinking_levels: [] },
  ],
  [
    'OpenRouter, with the levels of thinking',
    { id: 'x', reasoning: { supported_efforts: ['high', 'low', 'minimal', 'medium'], default_effort: 'medium' } },
    { thinking_levels: ['minimal', 'low', 'medium', 'high'] },
  ],
  ['vLLM', { id: 'Qwen/Qwen3-8B', owned_by: 'vllm', max_model_len: 40_960 }, { context_length: 40_960 }],
  [
    'Mistral',
    {
      id: 'pixtral-large-latest',
      capabilities: {
        completion_chat: true,
        completion_fim: false,
        function_calling: true,
        fine_tuning: false,
        vision: true,
        classification: false,
      },
      max_context_length: 131_072,
    },
    { takes_pictures: true, uses_tools: true, context_length: 131_072 },
  ],
  [
    'Together',
    { id: 'meta-llama/Llama-3.3-70B-Instruct-Turbo', type: 'chat', organization: 'Meta', context_length: 131_072 },
    { context_length: 131_072 },
  ],
  [
    'Groq',
    { id: 'llama-3.3-70b-versatile', active: true, context_window: 131_072, public_apps: null },
    { context_length: 131_072 },
  ],
  [
    'LiteLLM',
    {
      id: 'claude-sonnet',
      model_info: {
        mode: 'chat',
        max_tokens: 64_000,
        max_input_tokens: 200_000,
        max_output_tokens: 64_000,
        supports_vision: true,
        supports_pdf_input: true,
        supports_function_calling: true,
        supports_reasoning: true,
      },
    },
    { takes_pictures: true, takes_files: true, uses_tools: true, context_length: 200_000, thinking_levels: LEVELS },
  ],
  [
    'Fireworks',
    { id: 'x', supports_chat: true, supports_image_input: false, supports_tools: true, context_length: 131_072 },
    { takes_pictures: false, uses_tools: true, context_length: 131_072 },
  ],
  [
    'GitHub Models',
    { id: 'x', capabilities: ['streaming', 'tool-calling'], supported_input_modalities: ['text', 'image', 'audio'] },
    { takes_pictures: true, takes_files: false, uses_tools: true },
  ],
  ['DeepInfra', { id: 'x', metadata: { context_length: 65_536, max_tokens: 65_536 } }, { context_length: 65_536 }],
  ['OpenAI', { id: 'gpt-4o', object: 'model', created: 1, owned_by: 'system' }, {}],
]

describe('what a list of models says', () => {
  test.each(ENTRIES)('%s', (_endpoint, entry, says) => {
    expect(capabilitiesIn(entry)).toEqual(known(says))
  })
  test.each([
    null,
    'text',
    { architecture: 'x', supported_parameters: {}, capabilities: 5, model_info: [] },
    { architecture: { input_modalities: [] }, supported_parameters: [], capabilities: { vision: 'yes' } },
    { reasoning: { supported_efforts: ['Very hard', '', 7, null] }, capabilities: [7, null] },
  ])('is nothing where it has another form: %j', entry => {
    expect(capabilitiesIn(entry)).toEqual(UNKNOWN_CAPABILITIES)
  })
  test('llama.cpp: in a second list beside the first', async () => {
    const list = await listIn(
      JSON.stringify({
        models: [{ name: 'gemma.gguf', model: 'gemma.gguf', capabilities: ['completion', 'multimodal'] }],
        object: 'list',
        data: [{ id: 'gemma.gguf', owned_by: 'llamacpp', meta: { n_ctx_train: 131_072 } }],
      }),
    )
    expect(list?.models).toMatchObject([{ id: 'gemma.gguf', takes_pictures: true, context_length: 131_072 }])
  })
})

describe('what Ollama shows of a model', () => {
  test('is all that it can', () => {
    expect(capabilitiesOfOllama(OLLAMA_SHOWS)).toEqual(
      known({ takes_pictures: false, uses_tools: true, context_length: 40_960, thinking_levels: LEVELS }),
    )
  })
  test('counts with the context that its Modelfile sets, where that is smaller', () => {
    const parameters = 'num_ctx                        8192\ntemperature                    0.6'
    expect(capabilitiesOfOllama({ ...OLLAMA_SHOWS, parameters }).context_length).toBe(8192)
  })
  test('may name the levels of its thinking', () => {
    const named = { ...OLLAMA_SHOWS, thinking: { values: ['high', 'low', false], default: 'low' } }
    expect(capabilitiesOfOllama(named).thinking_levels).toEqual(['low', 'high'])
    const switched = { ...OLLAMA_SHOWS, thinking: { values: [false, true], default: true } }
    expect(capabilitiesOfOllama(switched).thinking_levels).toEqual(LEVELS)
  })
  test('is nothing before it knew of capabilities', () => {
    expect(capabilitiesOfOllama({ details: {} })).toEqual(UNKNOWN_CAPABILITIES)
    expect(capabilitiesOfOllama(undefined)).toEqual(UNKNOWN_CAPABILITIES)
  })
})

describe('what LM Studio lists in its own API', () => {
  test('is by the names of its models', () => {
    expect(Object.fromEntries(capabilitiesOfLmStudio(LM_STUDIO_LISTS))).toEqual({
      'qwen2-vl-7b-instruct': known({ takes_pictures: true, context_length: 32_768 }),
      'qwen2.5-7b-instruct': known({ takes_pictures: false, uses_tools: true, context_length: 4096 }),
      'text-embedding-nomic-embed-text-v1.5': known({ context_length: 2048 }),
    })
  })
  test('is nothing where it answers otherwise', () => {
    expect(capabilitiesOfLmStudio({ error: 'Unexpected endpoint' }).size).toBe(0)
    expect(capabilitiesOfLmStudio(undefined).size).toBe(0)
  })
})
