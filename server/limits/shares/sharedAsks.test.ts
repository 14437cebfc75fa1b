import { describe, expect, test } from 'vitest'
import type { Allowance } from '#contract/allowance.ts'
import { storedAsk } from '#testing/asks.ts'
import { type Person, question } from '#testing/person.ts'
import { FIVE_HOURS, aSharedAccount, asks, changeSharing, linesOf, sharesOf } from '#testing/sharedAccount.ts'
import { startWithTwo } from '#testing/twoUpstreams.ts'
import { until } from '#testing/until.ts'
import { changeUpstream, coolUpstream } from '#testing/upstreams.ts'

const HOUR = 3_600_000

async function ask(person: Person, more = {}) {
  const last = (await person.ask('hello', { new_title: 'x', ...more })).at(-1)
  return { end: last?.['tip'] ?? last?.['outcome'], values: last?.['values'] as Record<string, unknown> | null }
}

async function verdict(person: Person) {
  const { sources } = await person.result<Allowance>('GET', '/user/me/allowance')
  return sources.find(({ source }) => source === 'openai_api')?.verdict
}

describe('an account of which everybody has a share', () => {
  test('is one person’s as long as nobody else asks it', async () => {
    const account = await aSharedAccount([asks(3)])
    const lin = await account.person()
    for (let asked = 0; asked < 3; asked++) expect(await ask(lin)).toMatchObject({ end: 'finished' })
    const { end, values } = await ask(lin)
    expect(end).toBe('errors.poolEmpty')
    expect(values).toMatchObject({ unit: 'asks', share: 3, capacity: 3, window: 'rolling', seconds: 18_000 })
    const [first] = await account.app.services.open.database.selectFrom('usage_ledger').select('asked_time').execute()
    expect(Date.parse(String(values?.['opens_at']))).toBe((first?.asked_time ?? 0) + 5 * HOUR)
  })

  test.each([
    ['of a minute', { minute: 1, year: 5, binds: 60 }],
    ['of a year', { minute: 5, year: 1, binds: 31_536_000 }],
    ['that opens last, where both are full', { minute: 1, year: 1, binds: 31_536_000 }],
  ])('names the window %s, and opens when it does', async (_which, { minute, year, binds }) => {
    const rolling = (amount: number, seconds: number) => asks(amount, { kind: 'rolling', seconds })
    const account = await aSharedAccount([rolling(minute, 60), rolling(year, 31_536_000)])
    const lin = await account.person()
    expect(await ask(lin)).toMatchObject({ end: 'finished' })
    const { end, values } = await ask(lin)
    expect(end).toBe('errors.poolEmpty')
    expect(values).toMatchObject({ unit: 'asks', share: 1, capacity: 1, window: 'rolling', seconds: binds })
    const [first] = await account.app.services.open.database.selectFrom('usage_ledger').select('asked_time').execute()
    expect(Date.parse(String(values?.['opens_at']))).toBe((first?.asked_time ?? 0) + binds * 1_000)
    expect(await verdict(lin)).toMatchObject({ may_ask: false, opens_at: values?.['opens_at'] })
  })

  test('says before the question what it says to it, and when, without writing anything', async () => {
    const account = await aSharedAccount([asks(4)], { keep: 'share' })
    const [lin, kim] = [await account.person(), await account.person()]
    expect(await verdict(lin)).toMatchObject({ may_ask: true })
    await ask(kim)
    for (let asked = 0; asked < 2; asked++) await ask(lin)
    const refused = await ask(lin)
    expect(refused.end).toBe('errors.shareUsed')
    expect(await verdict(lin)).toMatchObject({
      ...{ may_ask: false, message: 'errors.shareUsed', opens_at: refused.values?.['opens_at'] },
      values: { upstream_id: account.upstream_id, unit: 'asks', share: 2, capacity: 4 },
    })
    expect(await verdict(kim)).toMatchObject({ may_ask: true })
    expect(await account.app.services.open.database.selectFrom('share_claims').selectAll().execute()).toEqual([])
  })

  test('lends what nobody keeps, and the ledger says of whose share', async () => {
    const account = await aSharedAccount([asks(4)], { keep: 'nothing' })
    const [lin, kim] = [await account.person(), await account.person()]
    await ask(kim)
    for (let asked = 0; asked < 3; asked++) expect(await ask(lin)).toMatchObject({ end: 'finished' })
    const lines = await linesOf(account.app.services.open.database, account.upstream_id)
    const own = { borrowed: 0, borrowed_key: null, lender_id: null }
    const [borrowed] = [{ borrowed: 1_000, borrowed_key: 'asks rolling 18000 *', lender_id: kim.id }]
    expect(lines).toMatchObject([own, own, own, borrowed])
    expect((await sharesOf(account)).members).toMatchObject([
      { user_id: kim.id, used: 1_000, lent: 1_000 },
      { user_id: lin.id, used: 3_000, borrowed: 1_000 },
    ])
  })

  test('keeps the next that comes back for whoever came within their share and found nothing', async () => {
    const account = await aSharedAccount([asks(2)], { keep: 'nothing' })
    const { database } = account.app.services.open
    const [lin, kim] = [await account.person(), await account.person()]
    for (let asked = 0; asked < 2; asked++) await ask(lin)
    for (let tried = 0; tried < 2; tried++) expect(await ask(kim)).toMatchObject({ end: 'errors.poolEmpty' })
    const claims = () => database.selectFrom('share_claims').select(['user_id', 'need_asks']).execute()
    expect(await claims()).toEqual([{ user_id: kim.id, need_asks: 1_000 }])
    await changeSharing(account.app, account.upstream_id, { windows: [asks(3)] })
    expect(await ask(lin)).toMatchObject({ end: 'errors.shareUsed' })
    expect(await ask(kim)).toMatchObject({ end: 'finished' })
    expect(await claims()).toEqual([])
  })

  test('has what an ask reserved again when its process is gone', async () => {
    const account = await aSharedAccount([asks(1)])
    const { app, upstream_id } = account
    const lin = await account.person()
    const lease_until = Date.now() + 2_000
    await storedAsk(app.services.open, { upstream_id, create_time: Date.now(), lease_until })
    expect(await ask(lin)).toMatchObject({ end: 'errors.poolEmpty' })
    await until(async () => expect(await ask(lin)).toMatchObject({ end: 'finished' }))
    expect(await sharesOf(account)).toMatchObject({ used: 1_000 })
  })

  test('is nobody’s with no capacity, and of one ask the first one’s', async () => {
    const account = await aSharedAccount([asks(0)])
    const [lin, kim] = [await account.person(), await account.person()]
    expect(await ask(lin)).toMatchObject({ end: 'errors.poolEmpty', values: { capacity: 0 } })
    await changeSharing(account.app, account.upstream_id, { windows: [asks(1)] })
    await until(async () => expect(await ask(lin)).toMatchObject({ end: 'finished' }))
    expect(await ask(kim)).toMatchObject({ end: 'errors.poolEmpty' })
  })

  test('names the window that binds', async () => {
    const account = await aSharedAccount([asks(5), asks(2, { kind: 'week' })])
    const lin = await account.person()
    for (let asked = 0; asked < 2; asked++) await ask(lin)
    expect(await ask(lin)).toMatchObject({ end: 'errors.poolEmpty', values: { window: 'week', capacity: 2 } })
  })

  test('opens a window with an ask, and closes it again when that got no answer', async () => {
    const account = await aSharedAccount([asks(5, { kind: 'from_first', seconds: FIVE_HOURS.seconds })])
    const { database } = account.app.services.open
    const opened = () => database.selectFrom('pool_openings').selectAll().execute()
    const lin = await account.person()
    await lin.ask('/simulate fault=500', { new_title: 'x' })
    expect(await opened()).toEqual([])
    await ask(lin)
    expect(await opened()).toMatchObject([{ upstream_id: account.upstream_id, window_key: 'asks from_first 18000 *' }])
  })
})

describe('an account that is shared first come, first served', () => {
  test('refuses only what it has not', async () => {
    const account = await aSharedAccount([asks(3)], { sharing: 'first_come' })
    const [lin, kim] = [await account.person(), await account.person()]
    await ask(kim)
    for (let asked = 0; asked < 2; asked++) expect(await ask(lin)).toMatchObject({ end: 'finished' })
    for (const each of [lin, kim]) expect(await ask(each)).toMatchObject({ end: 'errors.poolEmpty' })
    expect(await account.app.services.open.database.selectFrom('share_claims').selectAll().execute()).toEqual([])
  })
})

describe('among several accounts', () => {
  test('one is asked where the person has something left', async () => {
    const two = await startWithTwo()
    const [first, second] = two.upstreams
    await changeSharing(two.app, first, { windows: [asks(2)], sharing: 'shares' })
    const lin = await two.person()
    for (let asked = 0; asked < 6; asked++) expect(await ask(lin)).toMatchObject({ end: 'finished' })
    const { database } = two.app.services.open
    expect((await linesOf(database, first)).length).toBe(2)
    expect((await linesOf(database, second)).length).toBe(4)
    await changeSharing(two.app, second, { windows: [asks(4)], sharing: 'shares' })
    expect(await ask(lin)).toMatchObject({ end: 'errors.poolEmpty' })
    expect(await verdict(lin)).toMatchObject({ may_ask: false, message: 'errors.poolEmpty' })
  })

  test('two of one pool have what both have', async () => {
    const two = await startWithTwo()
    const [first, second] = two.upstreams
    const pool = { windows: [asks(2)], sharing: 'shares', pool: 'both' }
    await changeUpstream(two.app, second, pool)
    await changeSharing(two.app, first, pool)
    await until(() => expect(two.app.services.upstreams.poolOf(first)?.upstream_ids).toEqual([first, second]))
    const lin = await two.person()
    for (let asked = 0; asked < 4; asked++) expect(await ask(lin)).toMatchObject({ end: 'finished' })
    expect(await ask(lin)).toMatchObject({ end: 'errors.poolEmpty', values: { capacity: 4 } })
  })
})

describe('an account whose tokens or money are shared', () => {
  const tokens = (amount: number) => ({ unit: 'tokens', amount, window: FIVE_HOURS, models: null }) as const
  const money = (amount: number) => ({ unit: 'money', amount, window: FIVE_HOURS, models: null }) as const

  test('reserves at most what is left, and the ledger has what was used', async () => {
    const account = await aSharedAccount([tokens(60)])
    const { database } = account.app.services.open
    const lin = await account.person()
    const ends = []
    for (let asked = 0; asked < 6; asked++) ends.push((await ask(lin)).end)
    expect(ends).toContain('finished')
    expect(ends.at(-1)).toBe('errors.poolEmpty')
    const used = await database.selectFrom('usage_ledger').select('tokens').execute()
    // What is sent is counted here, and a little otherwise there.
    expect(used.reduce((sum, line) => sum + line.tokens, 0)).toBeLessThanOrEqual(60 + 4)
    expect(await verdict(lin)).toMatchObject({ values: { unit: 'tokens', capacity: 60 } })
  })

  test('is asked for no model without a price where money is shared', async () => {
    const account = await aSharedAccount([money(0.001)])
    const { app, upstream_id, admin } = account
    const lin = await account.person()
    expect(await ask(lin)).toMatchObject({ end: 'errors.modelHasNoPrice', values: { model: 'gpt_4' } })
    await admin.result('PUT', `/system/upstreams/${upstream_id}/prices`, {
      prices: [{ model: 'gpt_4', input: 1, output: 4 }],
    })
    let asked = 0
    while ((await ask(lin)).end === 'finished') asked++
    expect(asked).toBeGreaterThan(2)
    expect(await ask(lin)).toMatchObject({ end: 'errors.poolEmpty', values: { unit: 'money', capacity: 0.001 } })
    const used = await app.services.open.database.selectFrom('usage_ledger').select('cost').execute()
    expect(used.reduce((sum, line) => sum + line.cost, 0)).toBeLessThanOrEqual(1_000)
  })
})

describe('an ask that waits', () => {
  test('moves to another account only where the person has something left', async () => {
    const two = await startWithTwo({ environment: { COMMONS_OPENAI_API_MAX_COMPLETION_CONCURRENCY: '1' } })
    const [first, second] = two.upstreams
    const [lin, kim] = [await two.person(), await two.person()]
    await changeSharing(two.app, second, { windows: [asks(0)], sharing: 'shares' })
    two.simulator.setPace(20)
    const long = await lin.chat(question('/simulate tokens=5000', { new_title: 'x' }))
    await long.until(frame => frame.type === 'waiting' || typeof frame['t'] === 'string')
    const waiting = await kim.chat(question('hello', { new_title: 'x' }))
    await waiting.until(frame => frame.type === 'queueing')
    await coolUpstream(two.app, first)
    const { database } = two.app.services.open
    const upstreamOf = () => database.selectFrom('asks').select('upstream_id').where('user_id', '=', kim.id).execute()
    expect(await upstreamOf()).toEqual([{ upstream_id: first }])
    await changeSharing(two.app, second, { windows: [asks(1)], sharing: 'shares' })
    await waiting.until(frame => frame.type === 'finished')
    expect(await upstreamOf()).toEqual([{ upstream_id: second }])
    expect(await linesOf(database, second)).toMatchObject([{ user_id: kim.id, borrowed: 0 }])
    long.leave()
  })
})
