import { beforeEach, describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { Prompt } from '#contract/prompts.ts'
import { aUser, answerCalls, freshDevice, success } from '#web/foundation/api.testing.ts'
import { queryClient } from '#web/foundation/queryClient.ts'
import { useSession } from '#web/foundation/session.ts'
import { loadTexts } from '#web/i18n/useTranslate.ts'
import { openAdminScreen } from '../openAdminScreen.testing.tsx'
import { PromptsScreen } from './PromptsScreen.tsx'

const REPAIR: Prompt = {
  id: 2,
  name: '物业报修信',
  short_name: '报修信',
  text: '[地址]的[什么]坏了。',
  blanks: {},
  is_shared: true,
  is_active: true,
  update_time: '2026-11-02T08:00:00Z',
  uses: { count: 14, people: 5 },
}
const MINUTES: Prompt = { ...REPAIR, id: 3, name: '会议整理', is_active: false, uses: { count: 0, people: 0 } }
const OWN: Prompt = { ...REPAIR, id: 4, name: '只给自己的', is_shared: false }

async function open(answers: Parameters<typeof answerCalls>[0] = {}) {
  const made = answerCalls({
    'GET /prompt': success([REPAIR, MINUTES, OWN]),
    'GET /system/config': success({
      portal: { instructions: '用提问的语言回答' },
      _version: '1',
      _set_secrets: [],
      _origins: {},
      _variables: {},
      _stored: {},
    }),
    ...answers,
  })
  await loadTexts('instructions')
  await openAdminScreen(PromptsScreen, '/admin/prompts')
  return (name: string) => made.filter(({ call }) => call === name).map(({ body }) => body)
}

beforeEach(() => {
  freshDevice()
  queryClient.clear()
  useSession.setState({ user: aUser({ is_superuser: true }) })
})

describe('the page of prompts', () => {
  test('lists the shared ones with their uses of the month, and nobody’s own', async () => {
    await open()
    const table = page.getByTestId('admin-table')
    await expect.element(table).toMatchTextContent(/物业报修信.*\/报修信.*14 次，5 人/)
    await expect.element(table).toMatchTextContent(/会议整理.*停用/)
    await expect.element(page.getByText('只给自己的')).not.toBeInTheDocument()
  })
  test('fills blanks in beforehand and says which must be filled in', async () => {
    const sent = await open({ 'PATCH /prompt/2': success(REPAIR) })
    await page.getByText('物业报修信').click()
    await page.getByRole('textbox', { name: '[地址] 填什么' }).fill('1402')
    await page.getByRole('checkbox', { name: '必填' }).click()
    await page.getByTestId('save-prompt').click()
    await expect.element(page.getByTestId('drawer')).not.toBeInTheDocument()
    expect(sent('PATCH /prompt/2')).toMatchObject([
      { blanks: { 地址: { value: '1402', is_required: true }, 什么: { value: '', is_required: false } } },
    ])
  })
  test('makes a new one for everybody', async () => {
    const sent = await open({ 'POST /prompt': success(REPAIR) })
    await page.getByTestId('add-prompt').click()
    await page.getByTestId('prompt-name').fill('周报')
    await page.getByTestId('prompt-short-name').fill('周报')
    await page.getByTestId('prompt-text').fill('写周报')
    await page.getByTestId('save-prompt').click()
    await expect.element(page.getByTestId('drawer')).not.toBeInTheDocument()
    expect(sent('POST /prompt')).toMatchObject([{ name: '周报', is_shared: true, is_active: true }])
  })
  test('changes the instructions of the portal, with what was seen of them before', async () => {
    const sent = await open({ 'PUT /system/settings': success({ configuration: {}, credentials: { _set: {} } }) })
    await page.getByTestId('portal-instructions').click()
    await page.getByTestId('portal-instructions-text').fill('短一点\n别编')
    await page.getByTestId('save').click()
    await expect
      .poll(() => sent('PUT /system/settings'))
      .toEqual([
        { portal: { instructions: '短一点\n别编' }, expected: { portal: { instructions: '用提问的语言回答' } } },
      ])
  })
})
