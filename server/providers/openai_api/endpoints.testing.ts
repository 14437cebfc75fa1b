import { chunk, type DocumentedEndpoint, DONE, event, listed } from './documentedEndpoint.testing.ts'
import { LOCAL } from './localEndpoints.testing.ts'

const openai: DocumentedEndpoint = {
  name: 'OpenAI',
  base: '/v1/',
  folder: '/v1',
  models: listed(
    'openai',
    'gpt-4o',
    'gpt-4',
    'gpt-3.5-turbo',
    'text-embedding-3-small',
    'whisper-1',
    'tts-1',
    'dall-e-3',
    'gpt-image-1',
    'omni-moderation-latest',
  ),
  events: [
    chunk({ role: 'assistant', content: '', refusal: null }, null, { usage: null, obfuscation: 'x1' }),
    chunk({ content: 'Hello ' }, null, { usage: null }),
    chunk({ content: 'there.' }, null, { usage: null }),
    chunk({}, 'stop', { usage: null }),
    event({
      id: 'chatcmpl-1',
      object: 'chat.completion.chunk',
      choices: [],
      usage: { prompt_tokens: 8, completion_tokens: 3, total_tokens: 11 },
    }),
    DONE,
  ],
  offered: [
    ['gpt_3_5', null],
    ['gpt_4', null],
    ['gpt-4o', null],
  ],
  asked: 'gpt-3.5-turbo',
}

const deepseek: DocumentedEndpoint = {
  name: 'DeepSeek',
  base: '',
  folder: '/v1',
  models: {
    object: 'list',
    data: [
      { id: 'deepseek-reasoner', object: 'model', owned_by: 'deepseek' },
      { id: 'deepseek-chat', object: 'model', owned_by: 'deepseek' },
    ],
  },
  events: [
    ': keep-alive\n\n',
    ': keep-alive\n\n',
    chunk({ role: 'assistant', content: null, reasoning_content: '' }),
    chunk({ content: null, reasoning_content: 'The user greets.' }),
    chunk({ content: 'Hello there.', reasoning_content: null }),
    chunk({ content: '', reasoning_content: null }, 'stop', {
      usage: { prompt_tokens: 8, completion_tokens: 9, total_tokens: 17 },
    }),
    DONE,
  ],
  offered: [
    ['deepseek-reasoner', null],
    ['deepseek-chat', null],
  ],
  asked: 'deepseek-reasoner',
}

const openRouter: DocumentedEndpoint = {
  name: 'OpenRouter',
  base: '/api/v1',
  folder: '/api/v1',
  models: {
    data: [
      {
        id: 'anthropic/claude-sonnet-4',
        canonical_slug: 'anthropic/claude-4-sonnet',
        name: 'Anthropic: Claude Sonnet 4',
        context_length: 1_000_000,
        architecture: {
          input_modalities: ['image', 'text'],
          output_modalities: ['text'],
          tokenizer: 'Claude',
          instruct_type: null,
        },
        top_provider: { context_length: 200_000, max_completion_tokens: 64_000, is_moderated: false },
        pricing: { prompt: '0.000003', completion: '0.000015' },
      },
      {
        id: 'some/painter',
        name: 'Painter',
        context_length: 32_768,
        architecture: { input_modalities: ['text'], output_modalities: ['image'] },
      },
      {
        id: 'meta-llama/llama-3.3-70b-instruct:free',
        name: 'Llama',
        context_length: 131_072,
        architecture: { output_modalities: ['text'] },
      },
    ],
  },
  events: [
    ': OPENROUTER PROCESSING\n\n',
    chunk({ role: 'assistant', content: '', reasoning: 'The user greets.', reasoning_details: [] }),
    ': OPENROUTER PROCESSING\n\n',
    chunk({ role: 'assistant', content: 'Hello there.' }),
    chunk({ role: 'assistant', content: '' }, 'stop', { provider: 'Anthropic' }),
    event({
      choices: [{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }],
      usage: { prompt_tokens: 8, completion_tokens: 3, total_tokens: 11 },
    }),
    DONE,
  ],
  offered: [
    ['anthropic/claude-sonnet-4', 200_000],
    ['meta-llama/llama-3.3-70b-instruct:free', 131_072],
  ],
  asked: 'anthropic/claude-sonnet-4',
}

const FILTERED = { hate: { filtered: false, severity: 'safe' } }
const azureEvents = [
  event({
    choices: [],
    created: 0,
    id: '',
    model: '',
    object: '',
    prompt_filter_results: [{ prompt_index: 0, content_filter_results: FILTERED }],
  }),
  chunk({ role: 'assistant', content: '' }),
  event({
    choices: [
      {
        content_filter_results: FILTERED,
        delta: { content: 'Hello there.' },
        finish_reason: null,
        index: 0,
        logprobs: null,
      },
    ],
  }),
  event({ choices: [{ content_filter_results: {}, delta: {}, finish_reason: 'stop', index: 0 }] }),
  DONE,
]
const azure: DocumentedEndpoint[] = [
  {
    name: 'Azure OpenAI, one deployment',
    base: '/openai/deployments/my-gpt-4o?api-version=2024-10-21',
    folder: '/openai/deployments/my-gpt-4o',
    query: '?api-version=2024-10-21',
    header: 'api-key',
    models: 404,
    events: azureEvents,
    environment: { COMMONS_OPENAI_API_KEY_HEADER: 'api-key', COMMONS_OPENAI_API_ENABLED_MODELS: '["my-gpt-4o"]' },
    offered: [['my-gpt-4o', null]],
    asked: 'my-gpt-4o',
  },
  {
    name: 'Azure OpenAI, v1',
    base: '/openai/v1/',
    folder: '/openai/v1',
    header: 'api-key',
    events: azureEvents,
    // Models that could be deployed, not those that are.
    models: {
      data: [
        {
          id: 'gpt-4o-2024-08-06',
          object: 'model',
          status: 'succeeded',
          capabilities: {
            fine_tune: true,
            inference: true,
            completion: false,
            chat_completion: true,
            embeddings: false,
          },
        },
      ],
    },
    environment: {
      COMMONS_OPENAI_API_KEY_HEADER: 'api-key',
      COMMONS_OPENAI_API_ENABLED_MODELS: '["my-gpt-4o","my-o4-mini"]',
    },
    offered: [
      ['my-gpt-4o', null],
      ['my-o4-mini', null],
    ],
    asked: 'my-gpt-4o',
  },
]

const gemini: DocumentedEndpoint = {
  name: 'Gemini',
  base: '/v1beta/openai/',
  folder: '/v1beta/openai',
  models: {
    object: 'list',
    data: [
      { id: 'models/gemini-2.5-flash', object: 'model', owned_by: 'google', display_name: 'Gemini 2.5 Flash' },
      { id: 'models/gemini-embedding-001', object: 'model', owned_by: 'google' },
      { id: 'models/imagen-4.0-generate-001', object: 'model', owned_by: 'google' },
      { id: 'models/gemini-2.5-flash-preview-tts', object: 'model', owned_by: 'google' },
    ],
  },
  events: [
    event({
      choices: [{ delta: { content: 'Hello ', role: 'assistant' }, index: 0 }],
      created: 1_760_000_000,
      id: 'x',
      model: 'gemini-2.5-flash',
      object: 'chat.completion.chunk',
    }),
    event({
      choices: [{ delta: { content: 'there.', role: 'assistant' }, finish_reason: 'stop', index: 0 }],
      usage: { prompt_tokens: 8, completion_tokens: 3, total_tokens: 11 },
    }),
    DONE,
  ],
  offered: [['models/gemini-2.5-flash', null]],
  asked: 'models/gemini-2.5-flash',
}

/** docs/endpoints.md has a part for each. */
export const DOCUMENTED: readonly DocumentedEndpoint[] = [openai, ...LOCAL, deepseek, openRouter, ...azure, gemini]
