import { afterEach, describe, expect, test, vi } from 'vitest'
import { userEvent } from 'vitest/browser'
import { until } from '#testing/until.ts'
import { modelOf, openTestPortal, userWith, PORTAL, type TestPortal } from './portal.testing.tsx'

afterEach(() => {
  vi.unstubAllGlobals()
})

async function theDialog(answers?: Record<string, unknown>): Promise<TestPortal> {
  const portal = await openTestPortal(answers)
  await portal.screen.getByTestId('new-conversation').click()
  await expect.element(portal.screen.getByTestId('new-conversation-confirm')).toBeVisible()
  return portal
}

const option = ({ screen }: TestPortal, name: RegExp) => screen.getByRole('radio', { name })

describe('the new-conversation dialog', () => {
  test('shows a source that is not allowed, disabled and with the reason', async () => {
    const portal = await theDialog()
    await expect.element(option(portal, /网页账号/)).toBeDisabled()
    await expect.element(portal.screen.getByTestId('new-conversation-source')).toMatchTextContent(/你还不能使用/)
  })

  test('offers the models with what remains, and further ones by their label', async () => {
    const portal = await theDialog()
    await expect
      .element(portal.screen.getByTestId('new-conversation-model'))
      .toMatchTextContent(/GPT-3.5不限次数GPT-4还可问 12 次本地的羊驼不限次数/)
  })

  test('begins with the last selection', async () => {
    window.localStorage.clear()
    const portal = await theDialog()
    await portal.screen.getByText('本地的羊驼').click()
    await portal.screen.getByTestId('new-conversation-confirm').click()
    await expect.element(portal.screen.getByRole('button', { name: '模型：本地的羊驼' })).toBeVisible()
    await portal.screen.getByTestId('new-conversation').click()
    await expect.element(option(portal, /羊驼/)).toBeChecked()
  })

  test('can be used by keyboard alone', async () => {
    const portal = await theDialog()
    await expect.element(option(portal, /GPT-3.5/)).toHaveFocus()
    await userEvent.keyboard('{ArrowDown}')
    await expect.element(option(portal, /GPT-4/)).toBeChecked()
    await userEvent.keyboard('{Tab}')
    await expect.element(portal.screen.getByTestId('new-conversation-title')).toHaveFocus()
    await userEvent.keyboard('热泵{Enter}')
    await expect.element(portal.screen.getByTestId('conversation-row')).toMatchTextContent(/热泵/)
    await expect.element(portal.screen.getByTestId('composer')).toHaveFocus()
  })

  test('holds the conversation here until its first question, which takes title and model along', async () => {
    const portal = await theDialog()
    await option(portal, /GPT-4/).click()
    await portal.screen.getByTestId('new-conversation-title').fill('  热泵  ')
    await portal.screen.getByTestId('new-conversation-confirm').click()
    expect(portal.calls.some(call => call.startsWith('POST'))).toBe(false)
    await portal.screen.getByTestId('composer').fill('多久回本')
    await userEvent.keyboard('{Enter}')
    const socket = await portal.socket()
    await until(() =>
      expect(socket.sent[0]).toMatchObject({
        new_conversation: true,
        model: 'gpt_4',
        new_title: '热泵',
        text_content: '多久回本',
      }),
    )
  })

  test('clears the model when another source is chosen, and asks for one', async () => {
    const codes = ['gpt_4', 'gpt_4_plugins']
    const models = [...codes.map(code => modelOf('openai_web', code)), modelOf('openai_api', 'gpt_3_5')]
    const portal = await openTestPortal(
      { 'GET /status/portal': { ...PORTAL, models } },
      '/conversation',
      userWith({ openai_web: { allow_to_use: true, available_models: codes } }),
    )
    await portal.screen.getByTestId('new-conversation').click()
    await option(portal, /^API/).click()
    await option(portal, /网页账号/).click()
    await portal.screen.getByTestId('new-conversation-confirm').click()
    await expect.element(portal.screen.getByRole('alert')).toMatchTextContent(/请选择模型/)
    await portal.screen.getByText('GPT-4 插件').click()
    await expect.element(portal.screen.getByText('已选 0，最多 3')).toBeVisible()
    await expect.element(portal.screen.getByText(/^没能取得插件列表/)).toBeVisible()
  })
})
