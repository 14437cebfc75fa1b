import type { UpstreamRead } from '#contract/upstreams.ts'
import { fill } from '#web/i18n/fill.ts'
import { WEB_TOKEN } from '#simulator/openaiWeb/state/web.ts'
import { question } from '#testing/person.ts'
import { checkAccessibility } from './checkAccessibility.ts'
import { expect, test } from './journey.ts'
import { answers, ask, conversationId, newConversation, TEXTS, untilAnswered } from './steps.ts'

const zhCN = TEXTS['zh-CN']
const TEAM = 'team-1'
const SECOND = 'token-of-the-second-account'
const WEB = { source: 'openai_web', model: 'gpt_4' } as const

test.use({
  portalOptions: {
    web: true,
    environment: {
      COMMONS_OPENAI_WEB_ENABLE_TEAM_SUBSCRIPTION: 'true',
      COMMONS_OPENAI_WEB_TEAM_ACCOUNT_ID: TEAM,
    },
  },
})

test('of two web accounts one dies in the middle of an answer: it is kept, and the next conversation goes to the other', async ({
  chatPage,
  portal,
  person,
}) => {
  const { web, webUrl } = portal.simulator
  const admin = await portal.admin()
  const useTeam = (use_team: boolean) =>
    admin.result('PATCH', `/user/${person.id}/setting`, { openai_web: { use_team } })
  await useTeam(false)
  await admin.result('POST', '/system/upstreams', {
    source: 'openai_web',
    label: 'Second',
    base_url: webUrl,
    secret: SECOND,
    team_account_id: TEAM,
  })

  await test.step('the answer breaks off', async () => {
    web.nextFault('ask', { kind: 'cut', after_tokens: 12 })
    await newConversation(chatPage, WEB)
    await ask(chatPage, '这周做了什么？')
    await expect(chatPage.getByText(zhCN['message.failed'])).toBeVisible()
    await expect(answers(chatPage)).not.toHaveText('')
  })
  const broken = conversationId(chatPage)

  await test.step('another conversation is answered by the other account', async () => {
    await newConversation(chatPage, WEB)
    await ask(chatPage, '下周做什么？')
    await untilAnswered(chatPage)
    expect(web.account(SECOND).conversations.size).toBe(1)
    expect(web.account(WEB_TOKEN).conversations.size).toBe(1)
  })

  await test.step('what is stored is read, with the reason, and nothing can be asked where nobody answers', async () => {
    web.nextFault('history', { kind: 'status', status: 500 }, Infinity)
    const [first] = (await admin.result<UpstreamRead[]>('GET', '/system/upstreams')).filter(
      ({ source, removable }) => source === 'openai_web' && !removable,
    )
    await chatPage.goto(`/conversation?id=${broken}`)
    await expect(chatPage.getByTestId('account-note')).toContainText(
      fill(zhCN['thread.storedCopy'], { reason: fill(zhCN['errors.openai.500'], { status: 500 }, 'zh-CN') }, 'zh-CN'),
    )
    await expect(chatPage.getByText(zhCN['message.failed'])).toBeVisible()
    await expect(answers(chatPage)).not.toHaveText('')
    await checkAccessibility(chatPage)
    await admin.result('POST', `/system/upstreams/${first?.id ?? 0}/pause`)
    await chatPage.reload()
    await expect(chatPage.getByText(zhCN['errors.upstreamNotAvailable'])).toBeVisible()
    await admin.result('POST', `/system/upstreams/${first?.id ?? 0}/resume`)
    web.clearFaults()
  })
})

test('a conversation of the team says so, and is refused to whoever may not use the team any more', async ({
  chatPage,
  portal,
  person,
}) => {
  const admin = await portal.admin()
  await newConversation(chatPage, WEB)
  await ask(chatPage, '我们的计划是什么？')
  await untilAnswered(chatPage)
  const id = conversationId(chatPage)
  await chatPage.reload()
  await expect(chatPage.getByTestId('conversation-row').first()).toContainText(zhCN['conversations.team'])
  await expect(chatPage.getByRole('banner').getByText(zhCN['conversations.team'], { exact: true })).toBeVisible()
  expect(portal.simulator.web.accounts().filter(({ account_id }) => account_id === TEAM)).not.toEqual([])

  await admin.result('PATCH', `/user/${person.id}/setting`, { openai_web: { use_team: false } })
  await chatPage.reload()
  await expect(chatPage.getByText(zhCN['errors.teamConversationNotAllowed'])).toBeVisible()
  await expect(answers(chatPage)).not.toHaveText('')
  const { current_node } = await person.result<{ current_node: string }>('GET', `/conv/${id}`)
  const chat = await person.chat(
    question('还有呢？', { ...WEB, new_conversation: false, conversation_id: id, parent: current_node }),
  )
  expect(await chat.closed).toEqual({ code: 1008, reason: 'errors.teamConversationNotAllowed' })
})

test('a cap of one model and a deactivated workspace are told where they are met, in the meter, in the overview and under the accounts', async ({
  chatPage,
  openPageFor,
  portal,
}) => {
  const { web } = portal.simulator
  const admin = await portal.admin()
  const refuse = (status: number, detail: unknown) =>
    web.nextFault('ask', { kind: 'status', status, body: JSON.stringify({ detail }) })
  refuse(429, { code: 'model_cap_exceeded', clears_in: 11_461 })
  await newConversation(chatPage, WEB)
  await ask(chatPage, '这周做了什么？')
  await expect(
    chatPage.getByText(/这个模型在上游的次数或额度已用完（429），4 ?小时后可再问（.*\d\d:\d\d）/),
  ).toBeVisible()
  const resting = /GPT-4 休息到 .*\d\d:\d\d/
  await expect(chatPage.getByTestId('shared-meter').filter({ hasText: resting })).toBeVisible()
  const page = await openPageFor(admin)
  await page.goto('/admin/openai_settings')
  await expect(page.getByText(resting)).toBeVisible()
  await page.goto('/admin/system')
  await expect(page.getByText(resting).first()).toBeVisible()

  refuse(402, { code: 'deactivated_workspace' })
  await admin.ask('hello', { ...WEB, new_title: 'hello' })
  await page.goto('/admin/openai_settings')
  await expect(page.getByText(zhCN['upstreams.reason.openai.accountDeactivated'])).toBeVisible()
  await page.goto('/admin/system')
  await expect(page.getByText(/账号或工作区已被停用/).first()).toBeVisible()
})
