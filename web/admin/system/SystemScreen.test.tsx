import { QueryClientProvider } from '@tanstack/react-query'
import { beforeEach, describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import type { Portal } from '#contract/status.ts'
import { aQueue, anAccount } from '#web/conversations/sharedMeter/builders.testing.ts'
import { answerCalls, freshDevice, refusal, success } from '#web/foundation/api.testing.ts'
import { queryClient } from '#web/foundation/queryClient.ts'
import { loadAdminTexts } from '#web/i18n/useTranslate.ts'
import { Kit } from '#web/kit/Kit.tsx'
import { Toasts } from '#web/kit/Toasts.tsx'
import { SystemScreen } from './SystemScreen.tsx'

const status = {
  active_user_in_5m: 3,
  active_user_in_1h: 7,
  active_user_in_1d: 15,
  is_chatbot_busy: true,
  chatbot_waiting_count: 2,
  gpt4_count_in_3_hours: 38,
}
const demonstration: Portal = {
  name: null,
  version: '0.4.9',
  time_zone: 'Asia/Shanghai',
  demonstration: true,
  max_text_length: 1000,
  max_running_asks_per_user: 1,
  sources: [
    { source: 'openai_web', enabled: false },
    { source: 'openai_api', enabled: true },
  ],
  models: [
    { source: 'openai_web', code: 'gpt_4_plugins', label: null, context_length: null },
    { source: 'openai_api', code: 'llama', label: 'Llama 3', context_length: null },
    { source: 'openai_api', code: 'mystery', label: null, context_length: null },
  ],
}

beforeEach(async () => {
  await loadAdminTexts()
  freshDevice()
  queryClient.clear()
})

function openScreen() {
  return render(
    <QueryClientProvider client={queryClient}>
      <Kit>
        <SystemScreen />
        <Toasts />
      </Kit>
    </QueryClientProvider>,
  )
}

describe('the overview', () => {
  test('shows how busy the portal is, in words beside the marks', async () => {
    answerCalls({
      'GET /status/common': success(status),
      'GET /status/portal': success({ ...demonstration, demonstration: false }),
      'GET /status/meter': success({
        now: new Date().toISOString(),
        accounts: [anAccount({ used: 38, ...aQueue(1, 2) })],
      }),
    })
    await openScreen()
    await expect.element(page.getByText('回复中')).toBeVisible()
    await expect.element(page.getByText('第 2 位')).toBeVisible()
    await expect.element(page.getByRole('meter')).toHaveAttribute('aria-valuetext', '3小时内已用 38 / 50')
    await expect.element(page.getByText('Asia/Shanghai')).toBeVisible()
    expect(page.getByText('现在是演示', { exact: false }).elements()).toEqual([])
  })
  test('tells of the accounts that are shared, and of no other', async () => {
    answerCalls({
      'GET /status/common': success(status),
      'GET /status/portal': success(demonstration),
      'GET /status/meter': success({
        now: new Date().toISOString(),
        accounts: [anAccount({ source: 'openai_api', allowed: null })],
      }),
    })
    await openScreen()
    await expect.element(page.getByText('共享账号', { exact: true })).toBeVisible()
    expect(page.getByRole('meter').elements()).toEqual([])
  })
  test('names the models of the sources that are on, and a code nobody knows with the code', async () => {
    answerCalls({ 'GET /status/common': success(status), 'GET /status/portal': success(demonstration) })
    await openScreen()
    await expect.element(page.getByText('API Llama 3')).toBeVisible()
    await expect.element(page.getByText('API 未知（mystery）')).toBeVisible()
    expect(page.getByText('插件', { exact: false }).elements()).toEqual([])
  })
})

describe('in demonstration, connecting a real upstream', () => {
  test('stores the address before the key that belongs to it', async () => {
    const LISTED = { source: 'openai_api', code: 'qwen3:8b', label: 'qwen3:8b', context_length: null }
    let connected = false
    let listed = false
    const made = answerCalls({
      'GET /status/common': success(status),
      'GET /status/portal': () =>
        success({ ...demonstration, demonstration: !connected, ...(listed && { models: [LISTED] }) }),
      'PUT /system/config': success({ _version: 'v', _origins: {}, _set_secrets: [] }),
      'POST /system/action/read-models': () => {
        listed = true
        return success({ listed: 1, models: [] })
      },
      'PUT /system/credentials': () => {
        connected = true
        return success({ openai_web_access_token: null, openai_api_key: null, _set: {} })
      },
    })
    await openScreen()
    await page.getByLabelText('地址').fill('http://127.0.0.1:11434/v1/')
    await page.getByLabelText('密钥', { exact: true }).fill('sk-secret')
    await page.getByRole('button', { name: '连接' }).click()
    await expect.element(page.getByText('已连接', { exact: false })).toBeVisible()
    await expect.element(page.getByText('现在是演示', { exact: false })).not.toBeInTheDocument()
    await expect.element(page.getByText('API qwen3:8b')).toBeVisible()
    expect(made.filter(({ call }) => call.startsWith('PUT')).map(({ body }) => body)).toEqual([
      { openai_api: { openai_base_url: 'http://127.0.0.1:11434/v1/' } },
      { openai_api_key: 'sk-secret' },
    ])
  })
  test('refuses what is no address, and tells of a refusal', async () => {
    const made = answerCalls({
      'GET /status/common': success(status),
      'GET /status/portal': success(demonstration),
      'PUT /system/config': refusal('configurationWrong'),
    })
    await openScreen()
    await page.getByLabelText('地址').fill('localhost:11434')
    await page.getByRole('button', { name: '连接' }).click()
    await expect.element(page.getByText('地址要以 http:// 或 https:// 开头')).toBeVisible()
    expect(made.some(({ call }) => call === 'PUT /system/config')).toBe(false)
    await page.getByLabelText('地址').fill('http://localhost:11434/v1/')
    await page.getByRole('button', { name: '连接' }).click()
    await expect.element(page.getByRole('alert').getByText('配置里有不正确的值（422）')).toBeVisible()
  })
})
