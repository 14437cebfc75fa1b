import { describe, expect, test } from 'vitest'
import type { RefusalKey } from '#contract/refusals.ts'
import { PROVIDERS } from '#testing/upstream.ts'
import { inStream, refused, WEB } from './refusedAsks.testing.ts'

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
