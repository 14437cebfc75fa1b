import { QueryClientProvider } from '@tanstack/react-query'
import { beforeEach, describe, expect, test } from 'vitest'
import { loadTexts } from '#web/i18n/useTranslate.ts'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import type { ApiSetting } from '#contract/limits.ts'
import { answerCalls, aPortal, aUser, freshDevice, success } from '#web/foundation/api.testing.ts'
import { queryClient } from '#web/foundation/queryClient.ts'
import { useSession } from '#web/foundation/session.ts'
import { Kit } from '#web/kit/Kit.tsx'
import { ProfileDialog } from './ProfileDialog.tsx'

beforeEach(() => loadTexts('account'))

beforeEach(() => {
  freshDevice()
  queryClient.clear()
  answerCalls({ 'GET /status/portal': success(aPortal()) })
})

/** With the web account refused, so that the API's section is the only one with limits. */
function openProfile(limits: Partial<ApiSetting>) {
  const { setting, ...user } = aUser()
  const openai_web = { ...setting.openai_web, allow_to_use: false }
  useSession.setState({
    user: { ...user, setting: { ...setting, openai_web, openai_api: { ...setting.openai_api, ...limits } } },
  })
  return render(
    <QueryClientProvider client={queryClient}>
      <Kit>
        <ProfileDialog onClose={() => null} onPassword={() => null} />
      </Kit>
    </QueryClientProvider>,
  )
}

describe('the profile', () => {
  test('shows the user', async () => {
    await openProfile({})
    await expect.element(page.getByRole('dialog', { name: /林小雨/ })).toBeVisible()
    await expect.element(page.getByText('linxiaoyu，lin@example.org，2026年3月加入')).toBeVisible()
  })
  test('names a source that the user may not use, without its limits', async () => {
    await openProfile({})
    await expect.element(page.getByText('不可用')).toBeVisible()
    expect(page.getByText('全部提问').elements()).toHaveLength(1)
  })
  test('calls a limit of -1 or a missing one unlimited', async () => {
    await openProfile({ total_ask_count: -1, per_model_ask_count: { gpt_4: -1 } })
    await expect.element(page.getByText('GPT-3.5，GPT-4')).toBeVisible()
    expect(page.getByText('不限').elements()).toHaveLength(3)
  })
  test('says what remains, and what is used up', async () => {
    await openProfile({ total_ask_count: 302, per_model_ask_count: { gpt_4: 0 }, max_conv_count: 10 })
    await expect.element(page.getByText('还可问 302 次')).toBeVisible()
    await expect.element(page.getByText('已用完')).toBeVisible()
    await expect.element(page.getByText('最多 10 个')).toBeVisible()
  })
  test('says when access has ended', async () => {
    await openProfile({ valid_until: '2020-01-02T12:00:00Z' })
    await expect.element(page.getByText('已过期')).toBeVisible()
    await expect.element(page.getByText('2020年1月2日 已到期')).toBeVisible()
  })
  test('shows the hours in which asks are allowed, with their time zone', async () => {
    await openProfile({
      daily_available_time_slots: [
        { start_time: '07:00:00', end_time: '11:00:00' },
        { start_time: '22:00:00', end_time: '02:00:00' },
      ],
    })
    await expect.element(page.getByText('07:00–11:00，22:00–02:00')).toBeVisible()
    await expect.element(page.getByText('UTC')).toBeVisible()
  })
  test('changes the nickname and the e-mail address, after validating both', async () => {
    await openProfile({})
    const made = answerCalls({ 'PATCH /user/me': ({ body }) => success({ ...aUser(), ...Object(body) }) })
    await page.getByRole('button', { name: '修改资料' }).click()
    await page.getByLabelText('昵称').fill(' ')
    await page.getByLabelText('邮箱').fill('nowhere')
    await page.getByRole('button', { name: '保存' }).click()
    await expect.element(page.getByText('昵称要有 1 到 64 个字，不含看不见的符号')).toBeVisible()
    await expect.element(page.getByText('邮箱地址不对')).toBeVisible()
    await page.getByLabelText('昵称').fill('小雨 👩‍💻')
    await page.getByLabelText('邮箱').fill('rain@example.org')
    await page.getByRole('button', { name: '保存' }).click()
    await expect.element(page.getByRole('dialog', { name: /小雨 👩‍💻/ })).toBeVisible()
    expect(made.filter(({ call }) => call === 'PATCH /user/me').map(({ body }) => body)).toEqual([
      { nickname: '小雨 👩‍💻', email: 'rain@example.org' },
    ])
    await expect.element(page.getByLabelText('昵称')).not.toBeInTheDocument()
  })
})
