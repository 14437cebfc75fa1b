import { describe, expect, test } from 'vitest'
import type { UpstreamDraftTest, UpstreamRead } from '#contract/upstreams.ts'
import { upstream } from '#testing/outboundRequests.ts'
import type { Person } from '#testing/person.ts'
import { startPortal } from '#testing/portal.ts'
import { aToken } from './token.testing.ts'

const EXPIRES = Date.UTC(2040, 0, 2, 3, 4, 5)
const TOKEN = aToken(EXPIRES)
const WALL = '<html><title>Just a moment...</title></html>'

const list = async (admin: Person) =>
  (await admin.result<UpstreamRead[]>('GET', '/system/upstreams')).filter(({ source }) => source === 'openai_web')
const add = (admin: Person, base_url: string, more: object = {}) =>
  admin.result<UpstreamRead>('POST', '/system/upstreams', {
    source: 'openai_web',
    label: 'Second account',
    base_url,
    secret: TOKEN,
    ...more,
  })
const tried = (admin: Person, body: object) =>
  admin.result<UpstreamDraftTest>('POST', '/system/upstreams/test', { source: 'openai_web', ...body })
const outcomes = (test: Pick<UpstreamDraftTest, 'steps'> | null) => test?.steps.map(({ outcome }) => outcome)

describe('a web account that is added', () => {
  test('is asked for the list of its conversations, with its token and team; it says when its token expires', async () => {
    const { admin, simulator } = await startPortal()
    const added = await add(admin, simulator.webUrl, { team_account_id: 'team-1', concurrency: 2 })
    expect(added).toMatchObject({
      removable: true,
      credential: null,
      team_account_id: 'team-1',
      concurrency: 2,
      token_expire_time: new Date(EXPIRES).toISOString(),
      _set: { secret: expect.objectContaining({ set: true, last4: TOKEN.slice(-4) }) },
      health: { state: 'normal' },
      last_test: { message: null, listed: null, proxy: 'none' },
      models: [],
    })
    expect(outcomes(added.last_test)).toEqual(['ok', 'ok', 'untried'])
    expect(simulator.journal.filter(({ path }) => path.startsWith('/web/'))).toMatchObject([
      { path: '/web/conversations', authorization: `Bearer ${TOKEN}` },
    ])
    expect(JSON.stringify(await list(admin))).not.toContain(TOKEN)
  })
  test('whose token does not say when it expires has no such time, and neither has one without a token', async () => {
    const { admin, simulator } = await startPortal()
    expect((await add(admin, simulator.webUrl, { secret: 'opaque-token-of-some-kind' })).token_expire_time).toBe(null)
    const bare = await add(admin, simulator.webUrl, { secret: null })
    expect([bare.token_expire_time, bare.last_test?.message]).toEqual([null, 'errors.openai.401'])
  })
  test('that leads elsewhere afterwards loses its token, which is sent to no other host', async () => {
    const { admin, simulator } = await startPortal()
    const other = await upstream((_request, response) => response.end('{"items":[]}'))
    const added = await add(admin, simulator.webUrl)
    const changes = { base_url: other.url }
    const moved = await admin.result<UpstreamRead>('PATCH', `/system/upstreams/${added.id}`, changes)
    expect([moved._set.secret.set, moved.token_expire_time, moved.last_test?.message]).toEqual([false, null, null])
    await tried(admin, { id: added.id, base_url: other.url })
    expect(other.requests.map(({ headers }) => headers.authorization ?? null)).toEqual([null, null])
  })
  test('needs attention when its token is not taken', async () => {
    const { admin } = await startPortal()
    const other = await upstream((_request, response) => response.writeHead(401).end())
    expect(await add(admin, other.url)).toMatchObject({
      health: { state: 'attention', message: 'errors.openai.401' },
      last_test: { message: 'errors.openai.401' },
    })
  })
})

describe('the web account of the settings', () => {
  test('is the one of the settings and its token', async () => {
    const { admin, simulator } = await startPortal()
    await admin.result('PUT', '/system/config', {
      openai_web: { enabled: true, chatgpt_base_url: simulator.webUrl, team_account_id: 'team-1' },
    })
    await admin.result('PUT', '/system/credentials', { openai_web_access_token: TOKEN })
    const [first] = await list(admin)
    expect(first).toMatchObject({
      removable: false,
      credential: 'openai_web_access_token',
      base_url: simulator.webUrl,
      team_account_id: 'team-1',
      token_expire_time: new Date(EXPIRES).toISOString(),
    })
    const tested = await admin.result<UpstreamRead>('POST', `/system/upstreams/${first?.id}/test`)
    expect(tested.last_test?.message).toBe(null)
  })
})

describe('a test of a web account that is not stored', () => {
  test.each([
    ['a wall of the service', 403, WALL, 'errors.openai.webPage', ['failed', 'untried', 'untried']],
    ['a token that is not taken', 401, '{"detail":"expired"}', 'errors.openai.401', ['ok', 'failed', 'untried']],
    ['too many requests', 429, '{}', 'errors.openai.429', ['ok', 'failed', 'untried']],
    ['a page in place of the list', 200, WALL, 'errors.openai.webPage', ['failed', 'untried', 'untried']],
    ['another address', 404, WALL, 'errors.openai.webPage', ['failed', 'untried', 'untried']],
    ['a redirect to a sign-in page', 302, '', 'errors.openai.unknown', ['failed', 'untried', 'untried']],
  ])('says what stands in the way: %s', async (_what, status, body, message, steps) => {
    const { admin } = await startPortal()
    const { url, requests } = await upstream((_request, response) => {
      response.writeHead(status, { location: '/login' }).end(body)
    })
    const outcome = await tried(admin, { base_url: url, secret: TOKEN })
    expect([outcome.message, outcomes(outcome), outcome.models]).toEqual([message, steps, []])
    expect(requests).toHaveLength(1)
  })
  test('says so where no address is known', async () => {
    const { admin } = await startPortal()
    const outcome = await tried(admin, { secret: TOKEN })
    expect([outcome.message, outcomes(outcome)]).toEqual(['errors.httpError', ['failed', 'untried', 'untried']])
  })
})
