import { describe, expect, test } from 'vitest'
import { UNKNOWN_CAPABILITIES } from '#contract/models.ts'
import { isForChat, listIn, readModels } from './modelList.ts'
import { OutboundFailure } from '#server/foundation/outbound/outbound.ts'

const modelsIn = async (text: string) => (await listIn(text))?.models ?? null
const idsIn = async (answer: unknown) => (await modelsIn(JSON.stringify(answer)))?.map(({ id }) => id) ?? null

describe('a list of models', () => {
  test.each([
    [{ object: 'list', data: [{ id: 'a' }, { id: 'b' }] }, ['a', 'b']],
    [
      [{ id: 'a' }, { id: 'b' }],
      ['a', 'b'],
    ],
    [{ models: [{ name: 'a' }, { model: 'b' }] }, ['a', 'b']],
    [{ models: [{ name: 'a', model: 'a' }], data: [{ id: 'b' }] }, ['b']],
    [{ data: ['a', 'b'] }, ['a', 'b']],
    [{ object: 'list', data: null }, []],
    [{ object: 'list', data: [] }, []],
    [{ data: [{ id: 'a' }, { id: 'a' }, { id: 'b' }, { id: 'a' }] }, ['a', 'b']],
  ])('is read from %j', async (answer, ids) => {
    expect(await idsIn(answer)).toEqual(ids)
  })
  test.each([{}, { data: {} }, { data: 'a' }, { error: { message: 'no' } }, 'text', 5, null, true])(
    'is not %j',
    async answer => {
      expect(await idsIn(answer)).toBe(null)
    },
  )
  test('may begin with the mark of its byte order', async () => {
    expect(await modelsIn('\ufeff{"data":[{"id":"a"}]}')).toHaveLength(1)
  })
  test('that takes too long names no setting: its time is none', async () => {
    const outbound = {
      request: () => Promise.reject(new OutboundFailure('total_timeout')),
      webSocket: () => Promise.resolve(),
      requireAllowed: () => Promise.resolve(),
      close: () => Promise.resolve(),
    }
    const endpoint = {
      base_url: 'http://127.0.0.1/v1',
      key: null,
      key_header: null,
      proxy: null,
      addresses: 'any',
    } as const
    await expect(readModels(outbound, endpoint, new AbortController().signal)).rejects.toMatchObject({
      key: 'upstreamTimeout',
      values: {},
    })
  })
  test('is not a page, nor what was cut', async () => {
    expect(await modelsIn('<!doctype html>')).toBe(null)
    expect(await modelsIn('{"data":[{"id":"a"},{"id')).toBe(null)
    expect(await modelsIn('')).toBe(null)
  })
  test('leaves out what is no name', async () => {
    const odd = [
      null,
      5,
      [],
      {},
      { id: null },
      { id: {} },
      { id: '' },
      { id: ' ' },
      { id: ' a' },
      { id: 'a\nb' },
      { id: 'a\u0000' },
      { id: '\ud800' },
      { id: 'a\u202eb' },
      { id: 'a\u200bb' },
      { id: 'x'.repeat(201) },
      { id: 7 },
      true,
    ]
    expect(await idsIn({ data: [...odd, { id: 'good' }, ...odd] })).toEqual(['good'])
  })
  test('may name what objects have of their own', async () => {
    expect(await idsIn({ data: [{ id: '__proto__' }, { id: 'constructor' }, { id: 'toString' }] })).toEqual([
      '__proto__',
      'constructor',
      'toString',
    ])
    expect(await modelsIn('{"data":[{"__proto__":{"id":"x"}}]}')).toEqual([])
  })
  test('may have a hundred thousand entries, and be nested however deep', async () => {
    const entry = (at: number) => ({ id: `model-${at}`, object: 'model', created: 1_700_000_000, owned_by: 'somebody' })
    expect(await idsIn({ data: Array.from({ length: 100_000 }, (_, at) => entry(at)) })).toHaveLength(100_000)
    expect(await modelsIn(`{"data":[${'['.repeat(100_000)}${']'.repeat(100_000)},{"id":"a"}]}`)).toHaveLength(1)
  })
})

describe('the context of a listed model', () => {
  test.each([
    [{ context_length: 131_072 }, 131_072],
    [{ max_model_len: 8192 }, 8192],
    [{ meta: { n_ctx_train: 4096, n_vocab: 32_000 } }, 4096],
    [{ meta: { n_ctx: 2048, n_ctx_train: 131_072 } }, 2048],
    [{ context_window: 32_768 }, 32_768],
    [{ context_length: 200_000, top_provider: { context_length: 128_000 } }, 128_000],
    [{ context_length: '8192' }, null],
    [{ context_length: -1 }, null],
    [{ context_length: 0 }, null],
    [{ context_length: 1.5 }, null],
    [{ context_length: 1e300 }, null],
    [{ context_length: 100 }, null],
    [{ context_length: null, max_model_len: 1024 }, 1024],
    [{ meta: null }, null],
    [{}, null],
  ])('with %j is %j', async (fields, context_length) => {
    expect(await modelsIn(JSON.stringify({ data: [{ id: 'm', ...fields }] }))).toEqual([
      { id: 'm', ...UNKNOWN_CAPABILITIES, context_length, for_chat: true },
    ])
  })
})

describe('a model that is offered', () => {
  test.each([
    'gpt-4o',
    'gpt-3.5-turbo',
    'o3-mini',
    'chatgpt-4o-latest',
    'llama3.1:8b',
    'qwen2.5-coder:7b',
    'mistral-small',
    'deepseek-reasoner',
    'deepseek-r1:14b',
    'llava:13b',
    'gemma3:27b',
    'models/gemini-2.5-flash',
    'anthropic/claude-sonnet-4',
    'Qwen/Qwen3-30B-A3B',
    'phi4',
    'command-r',
    'gpt-oss:20b',
    '/models/llama-3-8b.Q4_K_M.gguf',
    'moonshotai/kimi-k2',
    'mixtral-8x7b',
    'local-model:8b',
    'org/other-model',
    'glm-4.6',
    'imagine-chat',
    '模型',
  ])('may be called %s', id => {
    expect(isForChat(id)).toBe(true)
  })
  test.each([
    'text-embedding-3-small',
    'text-embedding-ada-002',
    'nomic-embed-text:latest',
    'mxbai-embed-large',
    'snowflake-arctic-embed2',
    'jina-embeddings-v3',
    'bge-m3',
    'BAAI/bge-reranker-v2-m3',
    'all-minilm',
    'intfloat/e5-large-v2',
    'gemini-embedding-001',
    'whisper-1',
    'openai/whisper-large-v3',
    'tts-1-hd',
    'gpt-4o-mini-tts',
    'gpt-4o-transcribe',
    'gpt-image-1',
    'dall-e-3',
    'stable-diffusion-xl',
    'stabilityai/stable-diffusion-3.5',
    'black-forest-labs/FLUX.1-dev',
    'models/imagen-4.0-generate-001',
    'models/veo-3.0',
    'sora-2',
    'omni-moderation-latest',
    'text-moderation-stable',
    'llama-guard3:8b',
    'jina-reranker-v2',
    'rerank-english-v3.0',
    'gpt-realtime',
    'davinci-002',
    'gpt-3.5-turbo-instruct',
    'voyage-3',
    'wanx2.1-t2i-turbo',
    'Wan2.2-T2V-A14B',
    'kokoro',
    'parakeet-tdt-0.6b',
  ])('is not called %s', id => {
    expect(isForChat(id)).toBe(false)
  })
  test.each([
    [{ capabilities: { chat_completion: false } }],
    [{ capabilities: { completion_chat: false } }],
    [{ architecture: { output_modalities: ['image'] } }],
    [{ type: 'embedding' }],
    [{ type: 'image' }],
    [{ type: 'rerank' }],
  ])('is none that says otherwise by %j', async fields => {
    expect(await modelsIn(JSON.stringify({ data: [{ id: 'm', ...fields }] }))).toMatchObject([{ for_chat: false }])
  })
  test.each([
    [{ capabilities: { chat_completion: true } }],
    [{ capabilities: [] }],
    [{ architecture: { output_modalities: ['image', 'text'] } }],
    [{ architecture: { output_modalities: [] } }],
    [{ type: 'chat' }],
    [{ type: 5 }],
  ])('may say %j', async fields => {
    expect(await modelsIn(JSON.stringify({ data: [{ id: 'm', ...fields }] }))).toMatchObject([{ for_chat: true }])
  })
})
