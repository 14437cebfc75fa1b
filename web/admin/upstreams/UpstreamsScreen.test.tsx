import { describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { UpstreamLoad, UpstreamRead } from '#contract/upstreams.ts'
import { openAdminScreen } from '#web/admin/openAdminScreen.testing.tsx'
import { answerCalls, success } from '#web/foundation/api.testing.ts'
import { aLoad, anUpstream, anUpstreamOfSettings } from './state/builders.testing.ts'
import { UpstreamsScreen } from './UpstreamsScreen.tsx'

const first = anUpstreamOfSettings({ id: 1, base_url: 'http://127.0.0.1:11434/v1/' })
const unset = {
  base_url: null,
  _set: { secret: { set: false, last4: null, changed_by: null, changed_at: null, unreadable: false } },
}

const PRICES = {
  currency: 'CNY',
  prices: [
    {
      ...{ model: 'qwen', name: 'qwen', input: 2.5, cached_input: null, output: 10, picture: null, free: false },
      ...{ by: 'read', from: '2026-11-18T08:00:00.000Z' },
    },
    {
      ...{ model: 'llama', name: 'llama-3', input: null, cached_input: null, output: null, picture: null, free: false },
      ...{ by: null, from: null },
    },
  ],
  coming: [],
}

async function openScreen(upstreams: UpstreamRead[], loads: UpstreamLoad[], search = '') {
  let changed: UpstreamRead | null = null
  const made = answerCalls({
    'GET /system/upstreams': () => success(changed === null ? upstreams : [changed]),
    'GET /system/upstreams/loads': success({ now: new Date().toISOString(), loads }),
    'GET /status/portal': success(null),
    'GET /shares': success([]),
    'GET /system/upstreams/3/prices': success(PRICES),
    'PUT /system/upstreams/3/prices': success(PRICES),
    'PATCH /system/upstreams/3': () => {
      changed = anUpstream({ label: 'Renamed' })
      return success(changed)
    },
  })
  await openAdminScreen(UpstreamsScreen, `/admin/openai_settings${search}`)
  return made
}

describe('the page of the accounts', () => {
  test('counts who can answer now, and says of each how it is used and what lives there', async () => {
    const paused = anUpstream({ id: 4, label: '备用', paused_since: '2026-11-18T08:00:00Z', paused_by: 7 })
    const zhou = { id: 7, username: 'zhou', nickname: '周明' }
    await openScreen(
      [first, anUpstream(), paused],
      [aLoad({ id: 1, allowed: null, conversations: 0, places: 256 }), aLoad(), aLoad({ id: 4, paused_by: zhou })],
    )
    await expect.element(page.getByText('3 个账号里有 2 个现在能回答', { exact: false })).toBeVisible()
    const second = page.getByRole('listitem', { name: 'Second' })
    await expect.element(second.getByRole('meter')).toHaveAttribute('aria-valuetext', '3小时内已用 38 / 50')
    // A phone has no room for it.
    const conversations = second.getByText('612 个对话')
    await expect.element(conversations).toHaveAttribute('href', '/admin/conversation?upstream_id=3&state=valid')
    await expect.element(page.getByRole('listitem', { name: '主 API' }).getByText('没有对话')).toBeInTheDocument()
    await expect.element(page.getByRole('listitem', { name: '主 API' }).getByText('+251')).toBeInTheDocument()
    await expect.element(page.getByRole('listitem', { name: '备用' }).getByText('周明', { exact: false })).toBeVisible()
  })
  test('shows the one of the settings only where they have an account', async () => {
    await openScreen(
      [{ ...first, ...unset }, anUpstreamOfSettings({ id: 2, source: 'openai_web', enabled: false, ...unset })],
      [],
    )
    await expect.element(page.getByText('还没有连接账号或密钥')).toBeVisible()
    expect(page.getByRole('listitem').elements()).toHaveLength(3)
  })
  test('says what a model can as the account says it, and sends what is set in its place', async () => {
    const made = await openScreen([anUpstream()], [aLoad()], '?open=3')
    await page.getByRole('tab', { name: '模型' }).click()
    await page.getByText('qwen', { exact: true }).click()
    await page.getByLabelText('图片', { exact: true }).selectOptions('true')
    await page.getByTestId('save').click()
    await expect.poll(() => made.filter(({ call }) => call.startsWith('PATCH')).length).toBe(1)
    const body = made.find(({ call }) => call.startsWith('PATCH'))?.body as {
      model_settings: { name: string; set: object }[]
    }
    expect(body.model_settings.find(({ name }) => name === 'qwen')?.set).toMatchObject({
      takes_pictures: true,
      takes_files: null,
    })
  })
  test('says what its models cost and whose price it is, and sends those that were changed', async () => {
    const made = await openScreen([anUpstream()], [aLoad()], '?open=3')
    await page.getByRole('tab', { name: '模型' }).click()
    await expect.element(page.getByText('从账号读取')).toBeVisible()
    await expect.element(page.getByLabelText('qwen：输入', { exact: true })).toHaveValue('2.5')
    await page.getByLabelText('qwen：输入', { exact: true }).fill('-3')
    await expect.element(page.getByText('最多六位小数', { exact: false })).toBeVisible()
    await expect.element(page.getByTestId('save')).toBeDisabled()
    await page.getByLabelText('qwen：输入', { exact: true }).fill('3')
    await page.getByText('粘贴价格表').click()
    await page.getByTestId('price-paste').fill('llama-3\t0.1\t0.4\nother\t1\t2')
    await expect.element(page.getByText('这个账号没有：other', { exact: false })).toBeVisible()
    await page.getByRole('button', { name: '填入价格' }).click()
    await page.getByTestId('save').click()
    await expect.poll(() => made.filter(({ call }) => call.startsWith('PUT')).length).toBe(1)
    const unknown = { input: null, cached_input: null, output: null, picture: null, free: false }
    expect(made.find(({ call }) => call.startsWith('PUT'))?.body).toEqual({
      prices: [
        { ...unknown, model: 'qwen', input: 3, output: 10 },
        { ...unknown, model: 'llama', input: 0.1, output: 0.4 },
      ],
      expected: [
        { ...unknown, model: 'qwen', input: 2.5, output: 10 },
        { ...unknown, model: 'llama' },
      ],
    })
    expect(made.filter(({ call }) => call.startsWith('PATCH'))).toHaveLength(0)
  })
  test('says of a token of another account, before it is saved, what that means for the conversations', async () => {
    const tokenOf = (sub: string) => `${btoa('{"alg":"HS256"}')}.${btoa(JSON.stringify({ sub }))}.${'s'.repeat(43)}`
    const token_account = { account_id: null, user_id: null, subject: 'one' }
    const made = await openScreen([anUpstream({ source: 'openai_web', token_account })], [aLoad()], '?open=3')
    const field = page.getByLabelText('访问令牌', { exact: true })
    await field.fill('{"user":{}}')
    await expect.element(page.getByText('这里面没有访问令牌', { exact: false })).toBeVisible()
    await field.fill(`{"accessToken": "${tokenOf('two')}"}`)
    await page.getByTestId('save').click()
    const dialog = page.getByRole('dialog', { name: '这是另一个账号的令牌' })
    await expect.element(dialog.getByText('612 个对话', { exact: false })).toBeVisible()
    await dialog.getByRole('button', { name: '取消' }).click()
    expect(made.filter(({ call }) => call.startsWith('PATCH'))).toHaveLength(0)
    await page.getByTestId('save').click()
    await dialog.getByRole('button', { name: '换成这个账号' }).click()
    await expect.element(page.getByRole('listitem', { name: 'Renamed' })).toBeVisible()
  })
  test('sends of what is edited only what was changed, with what was seen of it', async () => {
    const made = await openScreen([anUpstream()], [aLoad()], '?open=3')
    await page.getByLabelText('名称', { exact: true }).fill('Renamed')
    await page.getByTestId('save').click()
    await expect.element(page.getByRole('listitem', { name: 'Renamed' })).toBeVisible()
    expect(made.filter(({ call }) => call.startsWith('PATCH')).map(({ body }) => body)).toEqual([
      { label: 'Renamed', expected: { label: 'Second' } },
    ])
  })
  test('never shows a key: one that is entered has its length and its end beside it', async () => {
    await openScreen([anUpstream()], [aLoad()], '?open=3')
    const key = page.getByLabelText('密钥', { exact: true })
    await expect.element(key).toHaveAttribute('placeholder', '已设置，留空就不改')
    await expect.element(page.getByText('周明 在', { exact: false })).toBeVisible()
    await key.fill('sk-0123456789-abcd')
    await expect.element(key).toHaveAttribute('type', 'password')
    await expect.element(page.getByText('18 个字符，结尾是 abcd', { exact: false })).toBeVisible()
    await page.getByRole('button', { name: '重新填' }).click()
    await page.getByRole('button', { name: '清除' }).click()
    await expect.element(page.getByText('保存后清除', { exact: false })).toBeVisible()
  })
  test('tells before it saves what the server would refuse', async () => {
    await openScreen([anUpstream()], [aLoad()], '?open=3')
    await page.getByRole('tab', { name: '共享' }).click()
    await page.getByLabelText('同时回答').fill('0')
    await expect.element(page.getByText('1 到 10,000 的整数')).toBeVisible()
    await expect.element(page.getByTestId('save')).toBeDisabled()
  })
})
