import { QueryClientProvider } from '@tanstack/react-query'
import { beforeEach, describe, expect, test } from 'vitest'
import { loadTexts } from '#web/i18n/useTranslate.ts'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import type { SourceAllowance } from '#contract/allowance.ts'
import { answerCalls, aUser, freshDevice, refusal, success } from '#web/foundation/api.testing.ts'
import { queryClient } from '#web/foundation/queryClient.ts'
import { useSession } from '#web/foundation/session.ts'
import { Kit } from '#web/kit/Kit.tsx'
import { aModel, anAllowance, refusedBy } from './allowance.testing.ts'
import { OwnApiForm } from './OwnApiForm.tsx'
import { SourceLimits } from './SourceLimits.tsx'

beforeEach(() => loadTexts('account'))

beforeEach(() => {
  freshDevice()
  queryClient.clear()
  const user = aUser()
  useSession.setState({ user })
})

async function limits(of: Partial<SourceAllowance>) {
  answerCalls({ 'GET /user/me/allowance': success(anAllowance(of)) })
  await render(
    <QueryClientProvider client={queryClient}>
      <Kit>
        <SourceLimits source="openai_api" setting={aUser().setting.openai_api} />
      </Kit>
    </QueryClientProvider>,
  )
}

const row = (name: string) => page.getByRole('term').filter({ hasText: name }).element().parentElement
const OPENS = new Date(2030, 10, 20, 11, 6).toISOString()

describe('the limits of a source', () => {
  test('have a meter for what is used, and a text for what remains', async () => {
    await limits({
      total: { used: 198, allowed: 500, remaining: 302 },
      models: [{ ...aModel('gpt_4'), count: { used: 28, allowed: 40, remaining: 12 } }],
    })
    await expect.element(page.getByText('还可问 302 次')).toBeVisible()
    expect(row('全部提问')?.textContent).toBe('全部提问还可问 302 次已用 198 / 500')
    expect(row('GPT-4')?.textContent).toBe('GPT-4还可问 12 次已用 28 / 40')
    expect(
      page
        .getByRole('meter')
        .elements()
        .map(meter => [meter.getAttribute('aria-valuenow'), meter.getAttribute('aria-valuemax')]),
    ).toEqual([
      ['28', '40'],
      ['198', '500'],
    ])
  })
  test('say of a window when the next one returns', async () => {
    await limits({
      windows: [
        { window_seconds: 3600, max_requests: 10, used: 9, frees_at: OPENS },
        { window_seconds: 7200, max_requests: 3, used: 3, frees_at: OPENS },
      ],
    })
    await expect.element(page.getByText('每小时', { exact: true })).toBeVisible()
    expect(row('每小时')?.textContent).toMatch(/还可问 1 次.*11:06 恢复 1 次/)
    expect(row('每2小时')?.textContent).toMatch(/已用完.*11:06 恢复 1 次/)
  })
  test('say how many conversations may be started', async () => {
    await limits({ conversations: { used: 7, allowed: 10 } })
    await expect.element(page.getByText('还可建 3 个')).toBeVisible()
  })
  test('say when the next ask is allowed', async () => {
    await limits({ verdict: refusedBy('askedTooOften', OPENS) })
    await expect.element(page.getByText(/11:06 恢复$/)).toBeVisible()
  })
})

describe('an endpoint of one’s own', () => {
  const address = page.getByLabelText('接口地址')
  const key = page.getByLabelText('密钥', { exact: true })

  function open(stored: { url: string | null; key: string | null }) {
    return render(
      <QueryClientProvider client={queryClient}>
        <Kit>
          <OwnApiForm stored={stored} />
        </Kit>
      </QueryClientProvider>,
    )
  }

  test('is saved with its key, which is not shown again', async () => {
    const made = answerCalls({ 'PUT /user/me/openai-api': success(aUser()) })
    await open({ url: null, key: null })
    await address.fill('https://api.example.org/v1/')
    await key.fill('my-key')
    await page.getByRole('button', { name: '保存' }).click()
    await expect.element(key).toHaveValue('')
    expect(made.find(({ call }) => call === 'PUT /user/me/openai-api')?.body).toEqual({
      url: 'https://api.example.org/v1/',
      key: 'my-key',
    })
  })
  test('keeps a stored key with the same host, and asks for it again with another', async () => {
    await open({ url: 'https://api.example.org/v1/', key: '' })
    await expect.element(page.getByText('已保存，留空则不变')).toBeVisible()
    await address.fill('https://elsewhere.example.org/v1/')
    await expect.element(page.getByText('只写入，不会再显示')).toBeVisible()
  })
  test('says at the field what is wrong with the address, before and after asking the server', async () => {
    answerCalls({ 'PUT /user/me/openai-api': refusal('addressNotAllowed') })
    await open({ url: null, key: null })
    await address.fill('api.example.org')
    await page.getByRole('button', { name: '保存' }).click()
    await expect.element(address).toHaveAccessibleDescription(/要以 https/)
    await expect.element(address).toHaveFocus()
    await address.fill('http://10.0.0.1/')
    await page.getByRole('button', { name: '保存' }).click()
    await expect.element(address).toHaveAccessibleDescription(/不允许使用这个地址/)
    await expect.element(address).toHaveFocus()
  })
  test('is cleared after a confirmation', async () => {
    const made = answerCalls({ 'PUT /user/me/openai-api': success(aUser()) })
    await open({ url: 'https://api.example.org/v1/', key: '' })
    await page.getByRole('button', { name: '清除', exact: true }).click()
    await page.getByRole('button', { name: '清除接口' }).click()
    await expect.element(address).toHaveValue('')
    expect(made.at(-1)?.body).toEqual({ url: null, key: null })
  })
})
