import { describe, expect, test } from 'vitest'
import type { ErrorCodes } from './errorCodes.ts'
import { meaningOf } from './errorMeanings.ts'
import { errorIn, readError } from './upstreamErrors.ts'

const meaning = (status: number | null, error: unknown, later = false) =>
  meaningOf(readError(typeof error === 'string' ? error : JSON.stringify({ error })), status, later)

describe('what an error of an upstream means', () => {
  test.each<[string, number | null, unknown]>([
    ['balance', 402, { message: 'x' }],
    ['page', 402, '<html>pay</html>'],
    ['code', 429, { message: 'x', code: 'insufficient_quota' }],
    ['words', 429, { message: 'You exceeded your current quota, please check your plan and billing details.' }],
    ['Chinese', 403, { message: '用户额度不足' }],
    ['words without a status', null, { message: 'quota exceeded' }],
    ['credits', 400, { message: 'Your credit balance is too low to access the API.' }],
    ['not only for now', 429, { message: 'Insufficient balance' }],
    ['free tier', 403, { code: 'AllocationQuota.FreeTierOnly', message: 'The free tier has been exhausted.' }],
    ['arrears', 400, { code: 'Arrearage', message: 'Access denied' }],
    ['metadata', 400, { message: 'Provider error', metadata: { raw: 'insufficient credits' } }],
  ])('no money or quota is left (%s)', (_what, status, error) => {
    expect(meaning(status, error)).toBe('openai.quota')
  })
  test.each<[string, unknown]>([
    [
      'OpenAI',
      {
        message: "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.",
      },
    ],
    ['code', { code: 'context_length_exceeded' }],
    ['llama.cpp', { message: 'the request exceeds the available context size. try increasing the context size' }],
    ['Anthropic', { message: 'prompt is too long: 210000 tokens > 200000 maximum' }],
    ['vLLM', { message: 'The decoder prompt (length 5000) is longer than the maximum model length of 4096.' }],
    ['other', { message: 'Too many input tokens' }],
    ['DashScope', { message: 'InternalError.Algo.InvalidParameter: Range of input length should be [1, 98304]' }],
    ['Zhipu', { code: '1261', message: 'Prompt 超长' }],
    ['Ark', { message: 'Total tokens of image and text exceed max message tokens.' }],
    ['SiliconFlow', { message: 'length of prompt_tokens (40000) must be less than max_seq_len (32768).' }],
    ['Qianfan', { message: 'prompt tokens too long' }],
    ['TGI', { message: '`inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000 `inputs` tokens' }],
    ['Gemini', { message: 'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).' }],
  ])('the conversation is too long (%s)', (_what, error) => {
    for (const status of [400, 500, null]) expect(meaning(status, error)).toBe('openai.contextTooLong')
  })
  test.each<[string, unknown]>([
    [
      'OpenAI',
      { message: 'The model `gpt-9` does not exist or you do not have access to it.', code: 'model_not_found' },
    ],
    ['Ollama', { message: 'model "llama3.1:8b" not found, try pulling it first' }],
    ['OpenRouter', { message: 'foo/bar is not a valid model ID' }],
    ['Azure', { code: 'DeploymentNotFound', message: 'The API deployment for this resource does not exist.' }],
    ['DeepSeek', { message: 'Model Not Exist' }],
    ['gateway', { code: 'model_not_supported', message: 'x' }],
  ])('there is no such model (%s)', (_what, error) => {
    for (const status of [400, 404]) expect(meaning(status, error)).toBe('openai.modelNotFound')
  })
  test.each<[string, unknown]>([
    [
      'Azure',
      {
        message: 'The response was filtered.',
        code: 'content_filter',
        innererror: { code: 'ResponsibleAIPolicyViolation' },
      },
    ],
    ['inner', { message: 'x', innererror: { code: 'ResponsibleAIPolicyViolation' } }],
    ['OpenAI', { code: 'content_policy_violation', message: 'x' }],
    ['DashScope', { code: 'DataInspectionFailed', message: 'x' }],
    ['DeepSeek', { message: 'Content Exists Risk' }],
  ])('a filter stopped it (%s)', (_what, error) => {
    for (const status of [400, 403, null]) expect(meaning(status, error)).toBe('openai.contentFilter')
  })
  test('may be nothing that is known', () => {
    for (const [status, error] of [
      [400, { message: "Unknown parameter: 'foo'." }],
      [400, { message: 'max_tokens is too large: 100000' }],
      [401, { message: 'insufficient_quota' }],
      [500, { message: 'oops' }],
      [502, '<html>model not found</html>'],
      [404, ''],
      [429, { message: 'Rate limit reached for gpt-4 on tokens per min (TPM)' }],
      [429, { message: 'Too many tokens, please wait' }],
      [429, { message: 'Quota exceeded for requests per minute' }],
      [400, { message: 'model names are case-sensitive' }],
    ] as const)
      expect(meaning(status, error), JSON.stringify(error)).toBe(null)
    expect(meaning(429, { message: 'quota exceeded' }, true)).toBe(null)
  })
  test('is found in what the error says, not in what was asked', () => {
    expect(
      meaningOf(
        readError(
          JSON.stringify({
            detail: [{ loc: ['body'], msg: 'bad', input: 'insufficient_quota context_length_exceeded' }],
          }),
        ),
        422,
      ),
    ).toBe(null)
  })
  test('is looked for in so many words, and no more', () => {
    expect(
      readError(JSON.stringify({ error: { message: 'model '.repeat(100_000), code: 'x' } })).words.length,
    ).toBeLessThanOrEqual(4_000)
    expect(readError('quota '.repeat(100_000)).words.length).toBeLessThanOrEqual(4_000)
  })
})

describe('the codes of an error, for the log', () => {
  test.each<[unknown, ErrorCodes]>([
    [{ error: { code: 'insufficient_quota', type: 'x' } }, { code: 'insufficient_quota', type: 'x' }],
    [{ error: { code: null, type: 'invalid_request_error' } }, { code: 'invalid_request_error' }],
    [{ code: 1301, msg: 'x' }, { code: '1301' }],
    [[{ error: { code: 400, status: 'INVALID_ARGUMENT' } }], { code: '400', type: 'INVALID_ARGUMENT' }],
    [{ error: { code: 'InternalError.Algo' } }, { code: 'InternalError.Algo' }],
    [
      { error: { code: 'content_filter', innererror: { code: 'ResponsibleAIPolicyViolation' } } },
      { code: 'content_filter', inner_code: 'ResponsibleAIPolicyViolation' },
    ],
    [{ error: { innererror: { code: 'ResponsibleAIPolicyViolation' } } }, { code: 'ResponsibleAIPolicyViolation' }],
    [{ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }, { code: 'overloaded_error' }],
    [
      {
        error: {
          code: 429,
          message: 'Provider returned error',
          metadata: {
            raw: '{"error":{"code":"rate_limit_exceeded","type":"tokens","message":"x"}}',
            provider_name: 'Groq',
          },
        },
      },
      { code: '429', inner_code: 'rate_limit_exceeded', inner_type: 'tokens' },
    ],
    [{ success: false, errors: [{ code: 10_000, message: 'Authentication error' }] }, { code: '10000' }],
    [{ base_resp: { status_code: 1_008, status_msg: 'x' } }, { code: '1008' }],
    [
      { object: 'error', message: 'x', type: 'BadRequestError', code: 400 },
      { code: '400', type: 'BadRequestError' },
    ],
    [{ detail: { code: 'deactivated_workspace' } }, { code: 'deactivated_workspace' }],
    [{ error: { code: 'sk-proj-abcdEFGH12345678' } }, {}],
    [{ error: { code: 'org-SECRET-4711' } }, {}],
    [{ error: { code: 'two words' } }, {}],
    [{ error: { code: 'x'.repeat(100) } }, {}],
    [{ error: 'plain' }, {}],
    [{}, {}],
  ])('of %j are %j', (error, codes) => {
    expect(readError(JSON.stringify(error)).codes).toEqual(codes)
  })
})

describe('an event', () => {
  test.each([
    { error: 'x' },
    { error: { message: 'x' } },
    { error: true },
    { code: 'InternalError', message: 'x' },
    { object: 'error', message: 'x' },
    { type: 'error', message: 'x' },
    { error_code: 336_100, error_msg: 'x' },
    { base_resp: { status_code: 1_004, status_msg: 'x' } },
    { detail: 'Internal Server Error' },
    { success: false },
  ])('is an error: %j', event => {
    expect(errorIn(event, false)).not.toBe(null)
  })
  test.each([
    { error: null },
    { error: {} },
    { error: '' },
    { error: false },
    { code: 0, message: 'ok' },
    { code: '200', msg: 'success' },
    { base_resp: { status_code: 0, status_msg: '' } },
    { type: 'ping' },
    { usage: {} },
    {},
    'error',
    null,
  ])('is none: %j', event => {
    expect(errorIn(event, false)).toBe(null)
  })
  test('of an answer is none for what stands beside it', () => {
    expect(errorIn({ code: 'x', message: 'y' }, true)).toBe(null)
    expect(errorIn({ error: { message: 'y' } }, true)).not.toBe(null)
  })
})
