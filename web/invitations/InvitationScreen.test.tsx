import { QueryClientProvider } from '@tanstack/react-query'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import type { OfferedInvitation } from '#contract/joining.ts'
import { answerCalls, aUser, freshDevice, refusal, success } from '#web/foundation/api.testing.ts'
import { queryClient } from '#web/foundation/queryClient.ts'
import { useSession } from '#web/foundation/session.ts'
import { changeLanguage, loadTexts } from '#web/i18n/useTranslate.ts'
import { Kit } from '#web/kit/Kit.tsx'
import { InvitationScreen } from './InvitationScreen.tsx'

const OFFERED: OfferedInvitation = {
  invited_by: '周明',
  state: 'open',
  uses_left: 1,
  end_time: '2026-11-27T12:00:00Z',
  plan: {
    name: '家人',
    limits: [{ source: 'openai_api', unit: 'asks', amount: 60, window: 'week', seconds: null }],
    currency: 'CNY',
    models: 5,
    may_upload: true,
  },
}

const nickname = page.getByLabelText('别人看到的名字')
const username = page.getByLabelText('用户名')
const password = page.getByLabelText('密码', { exact: true })
const join = page.getByRole('button', { name: '进来' })

beforeEach(async () => {
  freshDevice()
  await changeLanguage('zh-CN')
  queryClient.clear()
  useSession.setState({ user: null })
})

async function open(answers: Parameters<typeof answerCalls>[0] = {}) {
  const made = answerCalls({
    'POST /invitation/read': success(OFFERED),
    'POST /invitation/name': success({ is_free: true }),
    ...answers,
  })
  const onGo = vi.fn()
  await loadTexts('invitation')
  await render(
    <QueryClientProvider client={queryClient}>
      <Kit>
        <InvitationScreen token="a-token" onGo={onGo} />
      </Kit>
    </QueryClientProvider>,
  )
  return { onGo, sent: (name: string) => made.filter(({ call }) => call === name).map(({ body }) => body) }
}

describe('the page of an invitation', () => {
  test('says who invites, until when and how often', async () => {
    await open()
    await expect.element(page.getByRole('heading', { name: '周明请你来坐' })).toBeVisible()
    await expect.element(page.getByText('这个邀请 2026年11月27日前有效，只能用一次')).toBeVisible()
  })
  test('says in words what one gets', async () => {
    await open()
    await expect
      .element(page.getByTestId('offer'))
      .toMatchTextContent('你每周可问 60 次计划“家人”：5 个模型，可以上传文件')
  })
  test('makes an account with what was typed, and signs in', async () => {
    const { sent } = await open({ 'POST /invitation/accept': success(), 'GET /user/me': success(aUser()) })
    await nickname.fill('吴桐')
    await username.fill('wutong')
    await password.fill('plum-blossom-9')
    await join.click()
    await expect.poll(() => useSession.getState().user?.username).toBe('linxiaoyu')
    expect(sent('POST /invitation/accept')).toEqual([
      { token: 'a-token', nickname: '吴桐', username: 'wutong', password: 'plum-blossom-9' },
    ])
  })
  test('is read in any language, which the account has then', async () => {
    const { sent } = await open({
      'POST /invitation/accept': success(),
      'GET /user/me': success(aUser()),
      'PATCH /user/me/preferences': success({ language: 'en-US' }),
    })
    await page.getByRole('button', { name: 'English' }).click()
    await page.getByLabelText('Name that others see').fill('Wu Tong')
    await page.getByLabelText('User name').fill('wutong')
    await page.getByLabelText('Password', { exact: true }).fill('plum-blossom-9')
    await page.getByRole('button', { name: 'Come in' }).click()
    await expect.poll(() => sent('PATCH /user/me/preferences')).toEqual([{ language: 'en-US' }])
  })
  test('says while a user name is typed whether it is free', async () => {
    await open()
    await username.fill('wutong')
    await expect.element(page.getByText('可以用', { exact: true })).toBeVisible()
  })
  test('says beside the user name that somebody has it', async () => {
    await open({ 'POST /invitation/name': success({ is_free: false }) })
    await username.fill('linxiaoyu')
    await expect.element(username).toHaveAccessibleDescription(/已经有人用了/)
  })
  test('asks for a name, a user name and a password, and sends nothing without', async () => {
    const { sent } = await open()
    await join.click()
    await expect.element(nickname).toHaveAttribute('aria-invalid', 'true')
    await expect.element(password).toHaveAccessibleDescription(/密码/)
    expect(sent('POST /invitation/accept')).toEqual([])
  })
  test('that was used meanwhile says so in place of the form', async () => {
    let state: OfferedInvitation['state'] = 'open'
    await open({
      'POST /invitation/read': () => success({ ...OFFERED, state, uses_left: state === 'open' ? 1 : 0 }),
      'POST /invitation/accept': () => {
        state = 'used'
        return refusal('invitationUsed')
      },
    })
    await nickname.fill('吴桐')
    await username.fill('wutong')
    await password.fill('plum-blossom-9')
    await join.click()
    await expect.element(page.getByText('这个邀请用过了').last()).toBeVisible()
    await expect.element(join).not.toBeInTheDocument()
  })
  test('that has ended says when, and whom to ask', async () => {
    const { onGo } = await open({ 'POST /invitation/read': success({ ...OFFERED, state: 'expired' }) })
    await expect.element(page.getByText('2026年11月27日到期。请周明再发一个。')).toBeVisible()
    await page.getByRole('button', { name: '去登录' }).click()
    expect(onGo).toHaveBeenCalledWith('/login')
  })
  test('that is revoked, or never was, has one note and one action', async () => {
    await open({ 'POST /invitation/read': refusal('invitationNotFound') })
    await expect.element(page.getByText('链接可能没有复制全', { exact: false })).toBeVisible()
    await expect.element(page.getByRole('button', { name: '去登录' })).toBeVisible()
  })
  test('tells somebody who is signed in that they are', async () => {
    useSession.setState({ user: aUser({ nickname: '林小雨' }) })
    const { onGo } = await open()
    await page.getByRole('button', { name: '去对话' }).click()
    expect(onGo).toHaveBeenCalledWith('/conversation')
  })
})
