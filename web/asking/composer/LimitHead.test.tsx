import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { userEvent } from 'vitest/browser'
import type { Allowance, SourceAllowance } from '#contract/allowance.ts'
import { until } from '#testing/until.ts'
import type { Share } from '#contract/shares.ts'
import type { MyUsage, UsageRequest } from '#contract/usage.ts'
import { closeShareDialog, useShareDialog } from '#web/shares/gifts/shareDialog.ts'
import { aMyShare, aPerson, aShare, aWindow } from '#web/shares/builders.testing.ts'
import { aLimitUse, aRequest, aUsedRow, someUsage } from '#web/usage/builders.testing.ts'
import { aModel, anAllowance, refusedBy } from '#web/users/allowance.testing.ts'
import { queryClient } from '#web/foundation/queryClient.ts'
import { openTestPortal, TEST_USER, userWith, type TestPortal } from '../portal.testing.tsx'
import { holdConversation } from '../drafts/unsaved.ts'

const MINUTE = 60_000

/** Time stands still but where a test sets it. The page's timers run, and read it. */
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }))
const pass = (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds)

afterEach(() => {
  holdConversation(null)
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

type Answers = Parameters<typeof openTestPortal>[0]

/** The server answers with `served.allowance`, which a test may change. */
async function openWith(more: Partial<SourceAllowance>, user = TEST_USER, answers: Answers = {}) {
  const served: { allowance: Allowance } = { allowance: anAllowance(more) }
  const portal = await openTestPortal(
    { 'GET /user/me/allowance': () => served.allowance, ...answers },
    '/conversation',
    user,
  )
  return {
    ...portal,
    served,
    head: portal.screen.getByTestId('limit-head'),
    composer: portal.screen.getByTestId('composer'),
  }
}

/** An allowance that refuses all models until that time. */
function fullUntil(opens_at: string): Partial<SourceAllowance> {
  const verdict = refusedBy('askedTooOften', opens_at)
  return {
    verdict,
    new_conversation: verdict,
    models: ['gpt_3_5', 'gpt_4', 'llama'].map(model => aModel(model, verdict)),
    windows: [{ window_seconds: 3600, max_requests: 10, used: 10, frees_at: opens_at }],
  }
}

const later = (milliseconds: number) => new Date(Date.now() + milliseconds).toISOString()
const callsOf = ({ calls }: Pick<TestPortal, 'calls'>) => calls.filter(call => call === 'GET /user/me/allowance').length

describe('the number of remaining questions', () => {
  test('is beside the send button', async () => {
    const { screen } = await openWith({
      windows: [{ window_seconds: 3600, max_requests: 10, used: 7, frees_at: later(MINUTE) }],
    })
    await expect.element(screen.getByTestId('allowance')).toHaveTextContent('1小时内还可问 3 次')
  })
})

describe('a limit that ends by itself', () => {
  test('shows its rule and when it ends; a question can be written, but not sent', async () => {
    const { head, composer, screen, sent } = await openWith(fullUntil(later(12 * MINUTE)))
    await expect.element(head).toMatchTextContent(/1小时内的 10 次用完了.*起恢复/)
    await expect.element(screen.getByTestId('countdown')).toHaveTextContent('12:00')
    await composer.fill('那如果只改保温时段呢')
    await userEvent.keyboard('{Enter}')
    await expect.element(screen.getByTestId('send')).toBeDisabled()
    expect(sent()).toEqual([])
  })

  test('is counted down; at its end the allowance is refetched, the head is removed, and nothing is sent', async () => {
    const limited = await openWith(fullUntil(later(2 * MINUTE)))
    await expect.element(limited.head).toBeVisible()
    await limited.composer.fill('写好了')
    pass(MINUTE)
    await expect.element(limited.screen.getByTestId('countdown')).toHaveTextContent('1:00')
    const before = callsOf(limited)
    limited.served.allowance = anAllowance()
    pass(MINUTE)
    await expect.element(limited.head).not.toBeInTheDocument()
    expect(callsOf(limited)).toBeGreaterThan(before)
    await expect.element(limited.composer).toHaveValue('写好了')
    await expect.element(limited.screen.getByTestId('send')).toBeEnabled()
    expect(limited.sent()).toEqual([])
  })

  test('is counted by the server’s clock', async () => {
    const ahead = 3 * 3_600_000
    const { screen, served } = await openWith({})
    served.allowance = { ...anAllowance(fullUntil(later(ahead + 5 * MINUTE))), now: later(ahead) }
    await userEvent.click(screen.getByTestId('composer'))
    await queryClient.invalidateQueries({ queryKey: ['allowance'] })
    await expect.element(screen.getByTestId('countdown')).toHaveTextContent('5:00')
  })
})

describe('a limit of one model', () => {
  test('offers another that may be asked, and goes when that is chosen', async () => {
    const { head, screen } = await openWith({
      models: [aModel('gpt_3_5', refusedBy('noAvailableModelAskCount'), 0), aModel('gpt_4'), aModel('llama')],
    })
    await expect.element(head).toHaveTextContent('GPT-3.5 的次数用完了现在可以换 GPT-4 问。')
    expect(screen.getByTestId('countdown').elements()).toEqual([])
    await screen.getByTestId('way-model').click()
    await expect.element(head).not.toBeInTheDocument()
    await expect.element(screen.getByRole('button', { name: '模型：GPT-4' })).toBeVisible()
  })
})

describe('what can be done at a limit', () => {
  const full = (more: Partial<MyUsage> = {}) =>
    openWith(fullUntil(later(12 * MINUTE)), TEST_USER, {
      'GET /usage/me': () => someUsage({ limits: [aLimitUse()], ...more }),
      'POST /usage/request': () => aRequest(),
    })
  test('is to wait, with a reminder in the open page, and to ask for more; nothing is sent by itself', async () => {
    const { screen, sent } = await full()
    await expect.element(screen.getByTestId('ways')).toMatchTextContent(/等到.*不花别的.*要更多由管理员决定/)
    expect(screen.getByTestId('way-model').elements()).toEqual([])
    await screen.getByTestId('way-wait').click()
    await expect.element(screen.getByTestId('ways')).toMatchTextContent(/会提醒你，到时由你发出/)
    await screen.getByTestId('way-more').click()
    await screen.getByLabelText('要多少').fill('5')
    await screen.getByTestId('ask-for-more-form').getByRole('button', { name: '去要' }).click()
    await expect.element(screen.getByText('已经向管理员要了', { exact: true })).toBeVisible()
    expect(sent()).toEqual([])
  })
  test('leaves out what there is not: an open request is said, not asked again', async () => {
    const { screen } = await full({ requests: [aRequest()] })
    await expect.element(screen.getByTestId('ways')).toMatchTextContent(/已经向管理员要了，还没答复/)
    expect(screen.getByTestId('way-more').elements()).toEqual([])
  })
  test('names what another model costs, and what money is left for it', async () => {
    const { screen } = await openWith(
      { models: [aModel('gpt_3_5', refusedBy('noAvailableModelAskCount'), 0), aModel('gpt_4')] },
      TEST_USER,
      {
        'GET /usage/me': () =>
          someUsage({
            limits: [aLimitUse({ unit: 'money', amount: 20, used: 1.6, left: 18.4 })],
            rows: [aUsedRow({ model: 'gpt_4', asks: 4, money: 0.8 })],
          }),
      },
    )
    await expect
      .element(screen.getByTestId('ways'))
      .toMatchTextContent(/换 GPT-4 问现在就答，API，你这三个月平均一次 ¥0.20，你还有 ¥18.40/)
  })
})

describe('what can be done where an account of which everybody has a part has nothing for one', () => {
  const refusedShare = (share: Partial<Share>, requests: UsageRequest[] = []) => {
    const verdict = { ...refusedBy('shareUsed', later(12 * MINUTE)), values: { upstream_id: 3 } }
    const models = ['gpt_3_5', 'gpt_4', 'llama'].map(model => aModel(model, verdict))
    return openWith({ verdict, new_conversation: verdict, models }, TEST_USER, {
      'GET /usage/me': () => someUsage({ requests }),
      'GET /usage/request': () => requests,
      'GET /shares': () => [aShare({ upstream_id: 3, upstream_ids: [3, 4], windows: [USED_UP], ...share })],
    })
  }
  const USED_UP = aWindow({
    mine: aMyShare({ used: 8 }),
    people: [aPerson({ name: '林小雨', user_id: 1, is_me: true, used: 8 }), aPerson({ name: '周明', is_owner: true })],
  })

  test('is to wait, and to ask its owner for more of it', async () => {
    const { screen } = await refusedShare({})
    await expect.element(screen.getByTestId('ways')).toMatchTextContent(/等到.*要更多由周明决定/)
    await screen.getByTestId('way-more').click()
    expect(useShareDialog.getState().dialog).toEqual({ kind: 'ask', upstream_id: 3 })
    closeShareDialog()
  })
  test('says what is asked for already, of any account of the pool', async () => {
    const { screen } = await refusedShare({}, [aRequest({ upstream: { id: 4, label: '副账号' } })])
    await expect.element(screen.getByTestId('ways')).toMatchTextContent(/已经向周明要了，还没答复/)
    expect(screen.getByTestId('way-more').elements()).toEqual([])
  })
  test('leaves out to ask where whoever comes first has it', async () => {
    const { screen } = await refusedShare({ sharing: 'first_come' })
    await expect.element(screen.getByTestId('way-wait')).toBeVisible()
    expect(screen.getByTestId('way-more').elements()).toEqual([])
  })
})

describe('a limit that waiting does not help', () => {
  test('says what helps', async () => {
    const full = {
      new_conversation: refusedBy('maxConversationCountReached'),
      conversations: { used: 10, allowed: 10 },
    }
    const { head } = await openWith(full)
    await expect.element(head).toHaveTextContent('对话满 10 个了删掉一个不用的，就能新建。去整理')
  })
  test('says how many conversations must be deleted when there are more than allowed', async () => {
    const { head } = await openWith({
      new_conversation: refusedBy('maxConversationCountReached'),
      conversations: { used: 8, allowed: 1 },
    })
    await expect.element(head).toHaveTextContent('有 8 个对话，最多可有 1 个删掉 8 个不用的，就能新建。去整理')
  })
  test('offers no list where deleting does not help', async () => {
    const { head } = await openWith({
      new_conversation: refusedBy('maxConversationCountReached'),
      conversations: { used: 2, allowed: 0 },
    })
    await expect.element(head).toHaveTextContent('有 2 个对话，最多可有 0 个要开通，请找管理员。')
  })
  test('is the expired account when nothing can be chosen any more', async () => {
    const over = { valid_until: '2020-10-31T12:00:00.000Z' }
    const { head, screen } = await openWith(
      { verdict: refusedBy('userChatTypeExpired'), ...over },
      userWith({ openai_api: over }),
    )
    await expect.element(head).toHaveTextContent('使用权限 2020年10月31日 到期了以前的对话仍可查看。续期请找管理员。')
    await expect.element(screen.getByTestId('send')).toBeDisabled()
  })
  test('outside the time slots shows them and the next one', async () => {
    const verdict = refusedBy('userNotAllowToAskAtThisTime', later(30 * MINUTE))
    const { head } = await openWith({
      models: [aModel('gpt_3_5', verdict)],
      daily_available_time_slots: [{ start_time: '07:00:00', end_time: '11:00:00' }],
    })
    await expect.element(head).toMatchTextContent(/现在不在你的提问时段每天 07:00–11:00.*下一次/)
  })
})

describe('an ask that a limit refuses', () => {
  test('shows the same head, with the text back in the composer', async () => {
    const { screen, head, composer, served, socket } = await openWith({})
    await expect.element(screen.getByRole('button', { name: '模型：GPT-3.5' })).toBeVisible()
    await composer.fill('几点了')
    await screen.getByTestId('send').click()
    const connection = await socket()
    await until(() => expect(connection.sent).toHaveLength(1))
    const opens_at = later(5 * MINUTE)
    served.allowance = anAllowance(fullUntil(opens_at))
    connection.emit({
      type: 'error',
      tip: 'errors.askedTooOften',
      values: { retry_after_seconds: 300, opens_at },
      charged: false,
    })
    connection.end(1008, 'errors.askedTooOften')
    await expect.element(head).toMatchTextContent(/用完了/)
    await expect.element(composer).toHaveValue('几点了')
    expect(screen.getByRole('alert').elements()).toEqual([])
    expect(screen.getByTestId('message').elements()).toEqual([])
  })
})
