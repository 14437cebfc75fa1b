import { chunk, type DocumentedEndpoint, DONE, event, listed } from './documentedEndpoint.testing.ts'

/** What `POST /api/show` says of a model, without its license and its template. */
export const OLLAMA_SHOWS = {
  parameters:
    'repeat_penalty                 1\nstop                           "<|im_start|>"\ntemperature                    0.6',
  details: { parent_model: '', format: 'gguf', family: 'qwen3', families: ['qwen3'], parameter_size: '8.2B' },
  model_info: {
    'general.architecture': 'qwen3',
    'general.parameter_count': 8_190_735_360,
    'qwen3.context_length': 40_960,
    'qwen3.embedding_length': 4096,
    'tokenizer.ggml.merges': null,
  },
  capabilities: ['completion', 'tools', 'thinking'],
}

/** What `GET /api/v0/models` lists. */
export const LM_STUDIO_LISTS = {
  object: 'list',
  data: [
    {
      id: 'qwen2-vl-7b-instruct',
      object: 'model',
      type: 'vlm',
      publisher: 'mlx-community',
      arch: 'qwen2_vl',
      compatibility_type: 'mlx',
      quantization: '4bit',
      state: 'not-loaded',
      max_context_length: 32_768,
    },
    {
      id: 'qwen2.5-7b-instruct',
      object: 'model',
      type: 'llm',
      publisher: 'lmstudio-community',
      arch: 'qwen2',
      compatibility_type: 'gguf',
      quantization: 'Q4_K_M',
      state: 'loaded',
      max_context_length: 32_768,
      loaded_context_length: 4096,
      capabilities: ['tool_use'],
    },
    { id: 'text-embedding-nomic-embed-text-v1.5', type: 'embeddings', state: 'not-loaded', max_context_length: 2048 },
  ],
}

const ollama: DocumentedEndpoint = {
  name: 'Ollama',
  base: '',
  folder: '/v1',
  environment: { OPENAI_API_KEY: '' },
  models: listed('library', 'qwen3:8b', 'llama3.2:latest', 'nomic-embed-text:latest'),
  native: {
    requests: [
      ['POST', '/api/show'],
      ['POST', '/api/show'],
    ],
    answers: { '/api/show': OLLAMA_SHOWS },
  },
  events: [
    chunk({ role: 'assistant', content: '', reasoning: 'The user greets.' }),
    chunk({ role: 'assistant', content: 'Hello ' }),
    chunk({ role: 'assistant', content: 'there.' }),
    chunk({ role: 'assistant', content: '' }, 'stop'),
    event({ choices: [], usage: { prompt_tokens: 8, completion_tokens: 3, total_tokens: 11 } }),
    DONE,
  ],
  offered: [
    ['qwen3:8b', 40_960],
    ['llama3.2:latest', 40_960],
  ],
  asked: 'qwen3:8b',
}

const vllm: DocumentedEndpoint = {
  name: 'vLLM',
  base: '/v1',
  folder: '/v1',
  models: {
    object: 'list',
    data: [
      {
        id: 'Qwen/Qwen3-8B',
        object: 'model',
        created: 1_760_000_000,
        owned_by: 'vllm',
        root: 'Qwen/Qwen3-8B',
        parent: null,
        max_model_len: 40_960,
        permission: [{ id: 'modelperm-1', object: 'model_permission', allow_sampling: true, organization: '*' }],
      },
    ],
  },
  events: [
    chunk({ role: 'assistant', content: '' }),
    chunk({ reasoning_content: 'The user greets.' }),
    chunk({ content: 'Hello there.' }),
    event({
      choices: [{ index: 0, delta: { content: '' }, logprobs: null, finish_reason: 'stop', stop_reason: null }],
    }),
    event({ choices: [], usage: { prompt_tokens: 8, completion_tokens: 3, total_tokens: 11 } }),
    DONE,
  ],
  offered: [['Qwen/Qwen3-8B', 40_960]],
  asked: 'Qwen/Qwen3-8B',
}

const FILE = '../models/Meta-Llama-3.1-8B-Instruct-Q4_K_M.gguf'
const llamaCpp: DocumentedEndpoint = {
  name: 'llama.cpp server',
  base: '/v1',
  folder: '/v1',
  environment: { OPENAI_API_KEY: '' },
  models: {
    models: [{ name: FILE, model: FILE, type: 'model', capabilities: ['completion'], details: { format: 'gguf' } }],
    object: 'list',
    data: [
      {
        id: FILE,
        object: 'model',
        created: 1_760_000_000,
        owned_by: 'llamacpp',
        meta: { vocab_type: 2, n_vocab: 128_256, n_ctx_train: 131_072, n_embd: 4096 },
      },
    ],
  },
  events: [
    chunk({ role: 'assistant', content: null }),
    chunk({ content: 'Hello ' }),
    chunk({ content: 'there.' }),
    chunk({}, 'stop', { timings: { prompt_n: 8, predicted_n: 3 } }),
    DONE,
  ],
  // A path is no code: it has one made of it.
  offered: [['models/Meta-Llama-3.1-8B-Instruct-Q4_K_M.gguf-dbd8da5c', 131_072]],
  asked: FILE,
}

const lmStudio: DocumentedEndpoint = {
  name: 'LM Studio',
  base: '/v1',
  folder: '/v1',
  environment: { OPENAI_API_KEY: '' },
  models: listed('organization_owner', 'qwen2.5-7b-instruct', 'text-embedding-nomic-embed-text-v1.5'),
  native: { requests: [['GET', '/api/v0/models']], answers: { '/api/v0/models': LM_STUDIO_LISTS } },
  events: [
    chunk({ role: 'assistant', content: 'Hello' }, null, { system_fingerprint: 'qwen2.5-7b-instruct' }),
    chunk({ content: ' there.' }),
    chunk({}, 'stop'),
    DONE,
  ],
  offered: [['qwen2.5-7b-instruct', 4096]],
  asked: 'qwen2.5-7b-instruct',
}

/** Programs that people run on a machine of their own. */
export const LOCAL: readonly DocumentedEndpoint[] = [ollama, vllm, llamaCpp, lmStudio]
