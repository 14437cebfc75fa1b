import type { ServerResponse } from 'node:http'
import { describe, expect, test } from 'vitest'
import type { RefusalKey, RefusalValues } from '#contract/refusals.ts'
import { askingProvider, PROVIDERS, rawUpstream } from '#testing/upstream.ts'
import { UpstreamRefusal } from './upstreamRefusal.ts'

const [API, WEB] = PROVIDERS as [(typeof PROVIDERS)[0], (typeof PROVIDERS)[0]] // there are two

type Sent = { status?: number; headers?: Record<string, string>; body: unknown; model_name?: string }

/** What an ask is refused with where an upstream answers so. */
async function refused({ status = 429, headers = {}, body, model_name = 'some-model' }: Sent, provider = API) {
  const { reply } = await askingProvider(provider)
  const base_url = await rawUpstream((_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  })
  return (await reply('hello', { base_url, model_name })).refusal
}

const inStream = async (pieces: readonly string[], provider = API) => {
  const { reply } = await askingProvider(provider)
  const base_url = await rawUpstream((_request, response: ServerResponse) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const piece of pieces) response.write(piece)
    response.end()
  })
  return reply('hello', { base_url })
}

/** Of shared/field: what Gemini answers, of a limit of a minute or of a day. */
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

const PAGE = '<!DOCTYPE html><html><head><title>Just a moment...</title></head></html>'
const DEACTIVATED = { detail: { message: 'The workspace was deactivated', code: 'deactivated_workspace' } }
const UNUSUAL = 'Unusual activity has been detected from your device. Try again later.'
const ONE =
  'Only one message at a time. Please allow any other responses to complete before sending another message, or wait one minute.'

const OF_ACCOUNT: [string, number, unknown, RefusalKey][] = [
  ['a deactivated workspace', 402, DEACTIVATED, 'openai.accountDeactivated'],
  ['a deactivated account', 401, { error: { message: 'x', code: 'account_deactivated' } }, 'openai.accountDeactivated'],
  [
    'a disabled organization',
    400,
    { error: { type: 'invalid_request_error', message: 'This organization has been disabled.' } },
    'openai.accountDeactivated',
  ],
  [
    'a locked account',
    429,
    { error: { code: '1112', message: '您的账户已被锁定，请联系客服' } },
    'openai.accountDeactivated',
  ],
  ['unusual activity', 403, { detail: UNUSUAL }, 'openai.unusualActivity'],
  ['a wall', 403, PAGE, 'openai.webPage'],
  ['a wall with a good status', 200, PAGE, 'openai.webPage'],
  ['a wall of a busy kind', 503, PAGE, 'openai.webPage'],
  ['a page that is none of an API', 404, '<html><body>nginx</body></html>', 'openai.webPage'],
  ['a wall that is passed on', 403, { error: { message: PAGE } }, 'openai.webPage'],
  [
    'a key',
    400,
    [
      {
        error: {
          code: 400,
          message: 'API key not valid.',
          status: 'INVALID_ARGUMENT',
          details: [{ reason: 'API_KEY_INVALID' }],
        },
      },
    ],
    'openai.401',
  ],
  [
    'a key in a good status',
    200,
    { error_code: 110, error_msg: 'Access token invalid or no longer valid' },
    'openai.401',
  ],
  ['a token', 401, { detail: { code: 'token_expired', message: 'x' } }, 'openai.401'],
  ['one question at a time', 429, { detail: ONE }, 'openai.oneAtATime'],
  [
    'a concurrency',
    429,
    {
      error: {
        message: 'request reached max organization concurrency: 1, please try again after 1 seconds',
        type: 'rate_limit_reached_error',
      },
    },
    'openai.oneAtATime',
  ],
  [
    'a concurrency in Chinese',
    429,
    { error: { code: '1302', message: '您当前使用该API的并发数过高' } },
    'openai.oneAtATime',
  ],
]

describe('what concerns the account', () => {
  for (const provider of PROVIDERS)
    test.each(OF_ACCOUNT)(`${provider.source}: %s with %i is told as what it is`, async (_what, status, body, key) => {
      expect(await refused({ status, body }, provider)).toMatchObject({ key })
    })
  test('is told within a stream that began well, behind text too', async () => {
    const text = 'data: {"choices":[{"index":0,"delta":{"content":"Half"}}]}\n\n'
    for (const [error, key] of [
      [{ error: { message: 'x', code: 'account_deactivated' } }, 'openai.accountDeactivated'],
      [{ detail: UNUSUAL }, 'openai.unusualActivity'],
      [{ error: { type: 'authentication_error', message: 'x' } }, 'openai.401'],
      [{ error: { type: 'rate_limit_error', message: 'x', retry_after: 9 } }, 'openai.429'],
      [{ error: { message: ONE } }, 'openai.oneAtATime'],
      [{ error: { message: PAGE } }, 'openai.webPage'],
    ] as const)
      for (const before of [[], [text]]) {
        const { refusal, text: kept } = await inStream([...before, `data: ${JSON.stringify(error)}\n\n`])
        expect(refusal, JSON.stringify(error)).toMatchObject({ key })
        expect(kept).toBe(before.length === 0 ? '' : 'Half')
      }
  })
  test('is told within a stream of the web account', async () => {
    for (const [event, key] of [
      [{ message: null, conversation_id: 'c', error: UNUSUAL }, 'openai.unusualActivity'],
      [{ detail: { code: 'account_deactivated' } }, 'openai.accountDeactivated'],
      [{ message: null, error: ONE }, 'openai.oneAtATime'],
      [{ detail: { code: 'model_cap_exceeded', clears_in: 60 } }, 'openai.429'],
    ] as const)
      expect(
        (await inStream([`data: ${JSON.stringify(event)}\n\n`], WEB)).refusal,
        JSON.stringify(event),
      ).toMatchObject({ key })
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
