import { describe, expect, test } from 'vitest'
import type { RefusalKey, RefusalValues } from '#contract/refusals.ts'
import { refused, type Sent, WEB } from './refusedAsks.testing.ts'
import { UpstreamRefusal } from './upstreamRefusal.ts'

/** What Gemini answers, of a limit of a minute or of a day. */
const gemini = (quotaId: string, retryDelay: string | null) => [
  {
    error: {
      code: 429,
      message:
        'You exceeded your current quota, please check your plan and billing details. For more information head to the docs.\n* Quota exceeded for metric: generativelanguage.googleapis.com/generate_content_free_tier_requests, limit: 10, model: gemini-x\nPlease retry in 21.5s.',
      status: 'RESOURCE_EXHAUSTED',
      details: [
        {
          '@type': 'type.googleapis.com/google.rpc.QuotaFailure',
          violations: [
            {
              quotaMetric: 'generativelanguage.googleapis.com/generate_content_free_tier_requests',
              quotaId,
              quotaValue: '10',
            },
          ],
        },
        ...(retryDelay === null ? [] : [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay }]),
      ],
    },
  },
]
const MINUTE = gemini('GenerateRequestsPerMinutePerProjectPerModel-FreeTier', '21s')
const openai = (message: string, code: string | null = null, type = 'requests') => ({ error: { message, type, code } })

describe('a limit of a minute', () => {
  test.each<[string, Sent, RefusalValues]>([
    ['of Gemini', { body: MINUTE }, { status: 429, retry_after_seconds: 21, of_model: true }],
    [
      'of Gemini without its details',
      {
        body: openai(
          'You exceeded your current quota, please check your plan and billing details. Please retry in 21.5s.',
        ),
      },
      { retry_after_seconds: 22 },
    ],
    [
      'of OpenAI',
      {
        body: openai(
          'Rate limit reached for gpt-4 in organization org-1 on requests per min (RPM): Limit 3, Used 3, Requested 1. Please try again in 20s. Visit billing to add a payment method.',
          'rate_limit_exceeded',
        ),
        model_name: 'gpt-4',
      },
      { retry_after_seconds: 20, of_model: true },
    ],
    [
      'of Azure',
      {
        body: openai(
          'Requests to the ChatCompletions_Create Operation under Azure OpenAI API have exceeded token rate limit of your current pricing tier. Please retry after 1 seconds. Please go here to increase the default rate limit.',
          '429',
        ),
        headers: { 'retry-after': '1' },
      },
      { retry_after_seconds: 1 },
    ],
    [
      'of Anthropic',
      {
        body: {
          type: 'error',
          error: {
            type: 'rate_limit_error',
            message: 'This request would exceed your rate limit of 50 requests per minute',
          },
        },
        headers: {
          'anthropic-ratelimit-requests-remaining': '0',
          'anthropic-ratelimit-requests-reset': '2001-01-01T00:00:00Z',
          'retry-after': '40',
        },
      },
      { retry_after_seconds: 40 },
    ],
    [
      'of Moonshot',
      {
        body: openai(
          'Your account org<ak> request reached max RPM: 3, please try again after 1 seconds, current quota',
          null,
          'rate_limit_reached_error',
        ),
      },
      { retry_after_seconds: 1 },
    ],
    [
      'of DashScope',
      {
        body: {
          code: 'Throttling.RateQuota',
          message: 'Requests rate limit exceeded, please try again later.',
          request_id: 'r',
        },
      },
      {},
    ],
    ['of Zhipu', { body: { error: { code: '1303', message: '您当前使用该API的频率过高' } } }, {}],
    [
      'of Cohere',
      {
        body: {
          message: 'You are using a Trial key, which is limited to 10 API calls / minute. You can upgrade at billing',
        },
      },
      {},
    ],
    [
      'that a gateway passes on',
      {
        body: {
          error: {
            message: 'Provider returned error',
            code: 429,
            metadata: {
              raw: '{"error":{"message":"quota exceeded, requests per minute","retry_after":7}}',
              provider_name: 'Some',
            },
          },
        },
      },
      { retry_after_seconds: 7 },
    ],
    [
      'that a status hides',
      {
        status: 403,
        body: {
          error: { errors: [{ reason: 'userRateLimitExceeded' }], message: 'User Rate Limit Exceeded. Retry in 5s' },
        },
      },
      { retry_after_seconds: 5 },
    ],
    [
      'that a good status hides',
      { status: 200, body: { error_code: 18, error_msg: 'Open api qps request limit reached' } },
      {},
    ],
    [
      'that a good status of MiniMax hides',
      { status: 200, body: { base_resp: { status_code: 1002, status_msg: 'rate limit' } } },
      {},
    ],
  ])('%s is no empty balance', async (_who, sent, values) => {
    const refusal = await refused(sent)
    expect(refusal).toMatchObject({ key: 'openai.429', values })
    if (values['retry_after_seconds'] === undefined) return
    const until = Date.parse(String(refusal?.values['retry_at']))
    expect(Math.abs(until - Date.now() - Number(values['retry_after_seconds']) * 1000)).toBeLessThan(60_000)
  })
})

describe('what is spent, or all that a day allows,', () => {
  test.each<[string, Sent, RefusalValues]>([
    [
      'of Gemini',
      { body: gemini('GenerateRequestsPerDayPerProjectPerModel-FreeTier', '40000s') },
      { retry_after_seconds: 40_000, of_model: true },
    ],
    [
      'of Groq',
      {
        body: openai(
          'Rate limit reached for model `llama-x` in organization `org` on tokens per day (TPD): Limit 100000, Used 99000, Requested 3000. Please try again in 7m12.5s.',
          'rate_limit_exceeded',
          'tokens',
        ),
        model_name: 'llama-x',
      },
      { retry_after_seconds: 433, of_model: true },
    ],
    [
      'of OpenAI',
      {
        body: openai(
          'You exceeded your current quota, please check your plan and billing details.',
          'insufficient_quota',
        ),
      },
      {},
    ],
    ['of OpenRouter', { body: { error: { message: 'Rate limit exceeded: free-models-per-day', code: 429 } } }, {}],
    ['of DeepSeek', { status: 402, body: { error: { message: 'Insufficient Balance' } } }, {}],
    ['of Zhipu', { body: { error: { code: '1113', message: 'x' } } }, {}],
    [
      'of Moonshot',
      {
        body: openai(
          'Your account is suspended, please check your plan and billing details',
          null,
          'exceeded_current_quota_error',
        ),
      },
      {},
    ],
    ['of DashScope', { status: 400, body: { code: 'Arrearage', message: 'Access denied' } }, {}],
    ['of Baidu', { status: 200, body: { error_code: 17, error_msg: 'Open api daily request limit reached' } }, {}],
    ['of MiniMax', { status: 200, body: { base_resp: { status_code: 1008, status_msg: 'x' } } }, {}],
  ])('%s is told as such', async (_who, sent, values) => {
    const refusal = await refused(sent)
    expect(refusal).toMatchObject({ key: 'openai.quota', values })
    if (sent.model_name === undefined && values['of_model'] === undefined)
      expect(refusal?.values).not.toHaveProperty('of_model')
  })
})

describe('a request that is larger than the limit of a minute', () => {
  test.each<[string, Sent]>([
    [
      'Groq',
      {
        status: 413,
        body: openai(
          'Request too large for model `llama-x` on tokens per minute (TPM): Limit 6000, Requested 9000, please reduce your message size and try again. Upgrade: billing',
          'rate_limit_exceeded',
          'tokens',
        ),
      },
    ],
    [
      'OpenAI',
      {
        body: openai(
          'Request too large for gpt-4 in organization org-1 on tokens per min (TPM): Limit 10,000, Requested 12,345. The input or output tokens must be reduced in order to run successfully.',
          'rate_limit_exceeded',
          'tokens',
        ),
        headers: { 'retry-after': '5' },
      },
    ],
    [
      'numbers alone',
      { body: openai('TPM: Limit: 6000, Requested: 6001. Please try again in 2s', 'rate_limit_exceeded') },
    ],
    [
      'Anthropic',
      {
        status: 413,
        body: { type: 'error', error: { type: 'request_too_large', message: 'Request exceeds the maximum size' } },
      },
    ],
  ])('is too long (%s), and coming again is of no use', async (_who, sent) => {
    const refusal = await refused(sent)
    expect(refusal).toMatchObject({ key: 'openai.contextTooLong' })
    expect(Object.keys(refusal?.values ?? {})).toEqual(['status'])
  })
  test('is none where less was requested than is allowed', async () => {
    const body = openai('TPM: Limit 30000, Used 29000, Requested 2000. Please try again in 2s', 'rate_limit_exceeded')
    expect(await refused({ body })).toMatchObject({ key: 'openai.429', values: { retry_after_seconds: 2 } })
  })
})

describe('the limit of the web account', () => {
  test('is told with its time, and is that of the model', async () => {
    const body = {
      detail: {
        message: 'You have sent too many messages to the model. Please try again later.',
        code: 'model_cap_exceeded',
        clears_in: 11_461,
      },
    }
    expect(await refused({ body }, WEB)).toMatchObject({
      key: 'openai.429',
      values: { status: 429, retry_after_seconds: 11_461, of_model: true },
    })
  })
})

describe('what concerns one question alone', () => {
  test.each<[number, unknown, RefusalKey]>([
    [
      400,
      openai(
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use another.",
        'unsupported_parameter',
        'invalid_request_error',
      ),
      'openai.400',
    ],
    [400, openai('Invalid token at position 5', null, 'invalid_request_error'), 'openai.400'],
    [
      403,
      openai('Project does not have access to model `gpt-9`', 'model_not_found', 'invalid_request_error'),
      'openai.modelNotFound',
    ],
    [200, openai('x', null, 'invalid_request_error'), 'openai.400'],
    [200, { code: 'DataInspectionFailed', message: 'x' }, 'openai.contentFilter'],
    [
      400,
      { error: { code: '1301', message: '系统检测到输入或生成内容可能包含不安全或敏感内容' } },
      'openai.contentFilter',
    ],
    [400, { error: { message: 'Your user input was blocked by our content filter' } }, 'openai.contentFilter'],
  ])('%i %j is %s', async (status, body, key) => {
    expect(await refused({ status, body })).toMatchObject({ key })
  })
})

describe('JSON with a good status that has an error in it', () => {
  test.each<[unknown, RefusalKey, RefusalValues]>([
    [
      { error: { message: 'Rate limit exceeded, retry in 20s', code: 'rate_limit_exceeded' } },
      'openai.429',
      { retry_after_seconds: 20 },
    ],
    [{ error: { message: 'No such model', code: 'model_not_found' } }, 'openai.modelNotFound', {}],
    [{ code: 401, msg: 'x' }, 'openai.401', { status: 401 }],
    [{ success: false, errors: [{ code: 10_000, message: 'Authentication error' }] }, 'openai.401', {}],
    [{ status: 'error', message: 'Insufficient credits' }, 'openai.quota', {}],
    [{ error: 'model "x" not found, try pulling it first' }, 'openai.modelNotFound', {}],
  ])('%j is %s', async (body, key, values) => {
    expect(await refused({ status: 200, body })).toMatchObject({ key, values })
  })
})

describe('the log', () => {
  test('is told the inner code and type of an error that is passed on', async () => {
    const raw = JSON.stringify({ error: { message: 'SECRET', type: 'tokens', code: 'rate_limit_exceeded' } })
    const refusal = await refused({
      body: { error: { message: 'Provider returned error', code: 429, metadata: { raw } } },
    })
    const { cause } = refusal ?? {}
    expect(cause instanceof UpstreamRefusal && cause.said).toEqual({
      status: 429,
      code: '429',
      inner_code: 'rate_limit_exceeded',
      inner_type: 'tokens',
    })
    expect(JSON.stringify(refusal)).not.toContain('SECRET')
  })
})
