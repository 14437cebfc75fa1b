import { describe, expect, test } from 'vitest'
import { Refusal } from '#server/foundation/refusal.ts'
import { contextLimitIn, contextLimitOf, withContextLimit } from './contextLimit.ts'

describe('a refusal for a context that is full', () => {
  test.each<[string, string, number | null, number | null]>([
    [
      'OpenAI',
      "This model's maximum context length is 1000 tokens. However, your messages resulted in 1100 tokens. Please reduce the length of the messages.",
      1000,
      1100,
    ],
    [
      'OpenAI, newer',
      'Your input exceeds the context window of this model. Please adjust your input and try again.',
      null,
      null,
    ],
    [
      'vLLM',
      "This model's maximum context length is 4096 tokens. However, you requested 5096 tokens (4596 in the messages, 500 in the completion). Please reduce the length of the messages or completion.",
      4096,
      4596,
    ],
    [
      'vLLM, newer',
      "This model's maximum context length is 8192 tokens. However, your request has 9000 input tokens. Please reduce the length of the input messages.",
      8192,
      9000,
    ],
    [
      'vLLM of prompts',
      'The decoder prompt (length 5000) is longer than the maximum model length of 4096. Make sure that `max_model_len` is no smaller.',
      null,
      null,
    ],
    ['xAI', "This model's maximum prompt length is 131072 but the request contains 140000 tokens.", 131072, 140000],
    [
      'llama.cpp',
      '{"error":{"code":400,"message":"the request exceeds the available context size (4096 tokens), try increasing it","type":"exceed_context_size_error","n_prompt_tokens":5012,"n_ctx":4096}}',
      4096,
      5012,
    ],
    [
      'llama.cpp, older',
      '{"message":"the request exceeds the available context size. try increasing the context size or enable context shift","n_ctx": 2048, "n_prompt_tokens": 2300}',
      2048,
      2300,
    ],
    [
      'LM Studio',
      'Trying to keep the first 5000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough.',
      4096,
      null,
    ],
    ['Ollama', 'input length exceeds maximum context length', null, null],
    ['Anthropic', 'prompt is too long: 210000 tokens > 200000 maximum', 200000, 210000],
    [
      'Anthropic with answers',
      'input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000, decrease input length',
      200000,
      190000,
    ],
    [
      'Gemini',
      'The input token count (1196265) exceeds the maximum number of tokens allowed (1048576).',
      1048576,
      1196265,
    ],
    ['Vertex', 'The input token count is 40000 but the model only supports up to 32768.', 32768, 40000],
    [
      'Mistral',
      'Prompt contains 40354 tokens and 0 draft tokens, too large for model with 32768 maximum context length',
      32768,
      40354,
    ],
    ['Groq', 'Please reduce the length of the messages or completion.', null, null],
    [
      'Groq of a minute',
      'Request too large for model `x` on tokens per minute (TPM): Limit 6000, Requested 8000',
      null,
      null,
    ],
    [
      'Together',
      '`inputs` tokens + `max_new_tokens` must be <= 8193. Given: 9000 `inputs` tokens and 512 `max_new_tokens`',
      8193,
      9000,
    ],
    ['TGI', '`inputs` must have less than 1024 tokens. Given: 1500', 1024, 1500],
    ['DashScope', '<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 30720]', 30720, null],
    ['Moonshot', 'Invalid request: Your request exceeded model token limit: 8192', 8192, null],
    ['Cohere', 'too many tokens: total number of tokens in the prompt cannot exceed 4081 - received 5000.', 4081, 5000],
    [
      'DeepSeek',
      "This model's maximum context length is 65,536 tokens. However, you requested 70,000 tokens (66,000 in the messages, 4,000 in the completion).",
      65536,
      66000,
    ],
    ['SGLang', "The input (5000 tokens) is longer than the model's context length (4096 tokens).", 4096, 5000],
    ['GitHub Models', 'Request body too large for gpt-4o model. Max size: 8000 tokens.', 8000, null],
    [
      'OpenRouter',
      "This endpoint's maximum context length is 32768 tokens. However, you requested about 41000 tokens (40000 of text input, 1000 in the output).",
      32768,
      41000,
    ],
    ['Fireworks', 'The prompt is too long: 5000, model maximum context length: 4096', 4096, 5000],
    [
      'Cerebras',
      'Please reduce the length of the messages or completion. Current length is 9000 while limit is 8192',
      8192,
      9000,
    ],
    ['Zhipu', '输入长度超过模型最大长度限制 8192 tokens', 8192, null],
    ['Baidu', 'prompt tokens too long, max tokens is 5120', 5120, null],
    ['TensorRT', 'prompt length (5000) exceeds max_input_len (4096)', 4096, 5000],
    [
      'Azure',
      "This model's maximum context length is 16385 tokens, however you requested 17000 tokens (16000 in your prompt; 1000 for the completion).",
      16385,
      16000,
    ],
    [
      'one that is hostile',
      'maximum context length is 999999999999999999999999 tokens. resulted in 1e99 tokens',
      null,
      null,
    ],
    ['one that is small', 'maximum context length is 3 tokens', null, null],
    ['one with a fraction', 'maximum context length is 0.5 tokens', null, null],
  ])('of %s teaches the length', (_provider, words, most, asked) => {
    for (const each of [words, words.toLowerCase()]) expect(contextLimitIn(each)).toMatchObject({ most, asked })
  })
  test('is read in time that grows with its length', () => {
    for (const unit of ['maximum context length ', 'max tokens ', '9', '9,', '最大', '(', '> '])
      expect(contextLimitIn(unit.repeat(100_000)).most).toBe(null)
  })
  test('names the length; any other is as it was', () => {
    const limit = 'maximum context length is 1000 tokens'
    const refused = withContextLimit(new Refusal('openai.contextTooLong', { status: 400 }), limit)
    expect(refused.values).toEqual({ status: 400, most_tokens: 1000 })
    expect(contextLimitOf(refused)).toEqual({ most: 1000, asked: null, answer: null })
    const other = new Refusal('openai.429', { status: 429 })
    expect([withContextLimit(other, limit), contextLimitOf(other)]).toEqual([other, null])
  })
})
