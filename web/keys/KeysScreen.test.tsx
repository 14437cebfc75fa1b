import { beforeEach, describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { UNKNOWN_CAPABILITIES } from '#contract/models.ts'
import type { KeyTrial } from '#contract/keyTrials.ts'
import type { KeyChanges, UserKey } from '#contract/keys.ts'
import { answerCalls, aPortal, aUser, refusal, success } from '#web/foundation/api.testing.ts'
import { loadTexts } from '#web/i18n/useTranslate.ts'
import { openScreen } from '#web/kit/openScreen.testing.tsx'
import { aKey } from './builders.testing.ts'
import { KeysScreen } from './KeysScreen.tsx'

beforeEach(() => Promise.all([loadTexts('keys'), loadTexts('usage')]))

const MODEL = { source: 'openai_api', label: null, ...UNKNOWN_CAPABILITIES } as const
const ROTATED = 'cmn_8mB4xJt1CfV7qRn0SgYd2Lw5KhUzt3Pe'
const SECRET = 'cmn_5uN2vQd8LrT0yHk3WbEx6Za9PfGmx7Qk'

async function open(keys: UserKey[], { most = 5, address = '/keys' } = {}) {
  const stored = [...keys]
  const trial: { last: KeyTrial | null } = { last: null }
  const { screen } = await openScreen(KeysScreen, address, { user: aUser() })
  const made = answerCalls({
    'GET /status/portal': success(
      aPortal({
        models: [
          { ...MODEL, code: 'gpt_3_5' },
          { ...MODEL, code: 'gpt_4' },
          { ...MODEL, code: 'gpt_4o' },
        ],
      }),
    ),
    'GET /user/me/keys': () => success({ keys: stored, most }),
    'POST /user/me/keys': ({ body }) => {
      stored.unshift(aKey({ id: 9, name: (body as { name: string }).name, ending: 'x7Qk' }))
      return success({ id: 9, key: SECRET })
    },
    'PATCH /user/me/keys/7': ({ body }) => {
      const { rotate, ...changes } = body as KeyChanges
      const at = stored.findIndex(({ id }) => id === 7)
      stored[at] = aKey({ ...stored[at], ...changes, ...(rotate && { ending: 't3Pe' }) })
      return success({ key: rotate === true ? ROTATED : null })
    },
    'POST /user/me/keys/7/trial': () => {
      trial.last = null
      return success(null)
    },
    'GET /user/me/keys/7/trial': () => success(trial.last),
    'DELETE /user/me/keys/7': () => {
      stored.splice(0, 1)
      return success(null)
    },
  })
  return { screen, made, stored, trial }
}

const testId = (id: string) => page.getByTestId(id)
const secret = testId('key-secret')

/** Of the menu of the only row. */
async function choose(entry: 'key-change' | 'key-rotate' | 'key-revoke') {
  await page.getByRole('button', { name: '的更多操作', exact: false }).click()
  await testId(entry).click()
}

describe('keys', () => {
  test('are none at first, and may be none', async () => {
    await open([])
    await expect.element(page.getByText('还没有密钥')).toBeVisible()
    await expect.element(testId('key-new')).toBeEnabled()
  })
  test('are not offered where the plan has none', async () => {
    await open([], { most: 0 })
    await expect.element(page.getByText('你的计划不能用密钥')).toBeVisible()
    expect(testId('key-new').elements()).toEqual([])
  })
  test('have a row each: when and by what they were used, how much, their limit and their end', async () => {
    const soon = new Date(Date.now() + 3.5 * 86_400_000).toISOString()
    const limit = { source: 'openai_api', unit: 'asks', amount: 20, window: { kind: 'day' }, models: null } as const
    await open([
      aKey({
        ...{ expires_at: soon, last_used_time: new Date().toISOString(), last_tool: 'Claude Code', limits: [limit] },
        used: { limits: [{ used: 18, allowed: 20, resets_at: null }], asks_of_week: 15 },
      }),
      aKey({ id: 8, name: '论文脚本', ending: 'e8Lw' }),
    ])
    const row = testId('key-row').first()
    for (const text of [/笔记本/, /…x7Qk/, /Claude Code/, /15 次/, /18 \/ 20 次，每天/, /还有 4 天/])
      await expect.element(row).toMatchTextContent(text)
    await expect.element(testId('key-row').nth(1)).toMatchTextContent(/还没用过.*没有另外的上限.*不到期/)
    await expect.element(page.getByText('2 / 5 把')).toBeVisible()
  })
  test('are not made beyond as many as there may be', async () => {
    await open([aKey()], { most: 1 })
    await expect.element(testId('key-new')).toBeDisabled()
  })
})

describe('a new key', () => {
  test('is shown this once, and is the one that a tool is connected with', async () => {
    const { made } = await open([])
    await testId('key-new').click()
    await testId('key-name').fill('台式机')
    await page.getByLabelText('自己的上限，可不填').fill('100')
    await page.getByRole('button', { name: '新建密钥' }).click()
    await expect.element(secret).toHaveValue(SECRET)
    expect(made.find(({ call }) => call.startsWith('POST'))?.body).toMatchObject({
      ...{ name: '台式机', may_borrow: true, models: null },
      limits: [{ source: 'openai_api', unit: 'asks', amount: 100, window: { kind: 'week' } }],
    })
    await expect.element(testId('tool-snippet')).toMatchTextContent(/ANTHROPIC_AUTH_TOKEN="cmn_…x7Qk"/)
    expect(page.getByRole('dialog').elements()).toEqual([])
  })
  test('asks for a name and a limit that can be one, and only for some models where some are chosen', async () => {
    const { made } = await open([])
    await testId('key-new').click()
    await page.getByLabelText('自己的上限，可不填').fill('0')
    await page.getByRole('button', { name: '新建密钥' }).click()
    await expect.element(page.getByText('起个名字')).toBeVisible()
    await expect.element(page.getByText('填一个 1 以上的整数，或不填')).toBeVisible()
    expect(made.filter(({ call }) => call.startsWith('POST'))).toEqual([])
    await testId('key-name').fill('台式机')
    await page.getByLabelText('自己的上限，可不填').fill('')
    await page.getByRole('checkbox').first().click()
    await page.getByRole('button', { name: '停下' }).click()
    await page.getByRole('button', { name: '新建密钥' }).click()
    await expect.element(secret).toBeVisible()
    const sent = made.find(({ call }) => call.startsWith('POST'))?.body
    expect(sent).toMatchObject({ limits: [], models: ['gpt_4'], may_borrow: false })
  })
})

describe('changing a key', () => {
  const limit = { source: 'openai_api', unit: 'asks', amount: 20, window: { kind: 'day' }, models: null } as const
  const ofTokens = { ...limit, unit: 'tokens' } as const
  const save = testId('key-save')
  const changes = (made: { call: string; body?: unknown }[]) =>
    made.filter(({ call }) => call.startsWith('PATCH')).map(({ body }) => body)

  test('begins with what it is, and sends what was changed alone', async () => {
    const { made } = await open([aKey({ limits: [limit], models: ['gpt_4'], may_borrow: false })])
    await choose('key-change')
    const name = testId('key-name')
    await expect.element(name).toHaveValue('笔记本')
    await expect.element(page.getByLabelText('自己的上限，可不填')).toHaveValue('20')
    await expect.element(page.getByRole('combobox', { name: '每' })).toHaveValue('day')
    await expect.element(page.getByRole('button', { name: '停下' })).toHaveAttribute('aria-pressed', 'true')
    await expect.element(page.getByRole('button', { name: '不到期' })).toHaveAttribute('aria-pressed', 'true')
    await name.fill('台式机')
    await page.getByLabelText('自己的上限，可不填').fill('')
    await save.click()
    await expect.element(testId('key-row')).toMatchTextContent(/台式机.*没有另外的上限/)
    expect(changes(made)).toEqual([{ name: '台式机', limits: [] }])
    expect(page.getByRole('dialog').elements()).toEqual([])
  })
  test('keeps its end until another is chosen', async () => {
    const { made } = await open([aKey({ expires_at: '2027-11-30T06:00:00.000Z' })])
    await choose('key-change')
    await expect.element(page.getByRole('button', { name: '照旧' })).toHaveAttribute('aria-pressed', 'true')
    await save.click()
    await expect.poll(() => page.getByRole('dialog').elements()).toEqual([])
    expect(changes(made)).toEqual([])
    await choose('key-change')
    await page.getByRole('button', { name: '不到期' }).click()
    await save.click()
    await expect.element(testId('key-row')).toMatchTextContent(/不到期/)
    expect(changes(made)).toEqual([{ expires_at: null }])
  })
  test('keeps limits and models that the page cannot show', async () => {
    const used = { limits: [], asks_of_week: 0 }
    const { made } = await open([aKey({ limits: [limit, ofTokens], models: ['gpt_4', 'gone'], used })])
    await choose('key-change')
    await expect.element(page.getByText('这把密钥有这里填不了的上限，它们不变。')).toBeVisible()
    await page.getByRole('checkbox', { name: 'GPT-4' }).click()
    await save.click()
    await expect.poll(() => changes(made)).toEqual([{ models: ['gone'] }])
  })
  test('does not save a key without a name', async () => {
    const { made } = await open([aKey()])
    await choose('key-change')
    await testId('key-name').fill('')
    await save.click()
    await expect.element(page.getByText('起个名字')).toBeVisible()
    expect(changes(made)).toEqual([])
  })
  test('stays open with what was typed where it is refused', async () => {
    await open([aKey()])
    await choose('key-change')
    await testId('key-name').fill('台式机')
    answerCalls({ 'PATCH /user/me/keys/7': refusal('keyNotFound') })
    await save.click()
    await expect.element(page.getByRole('alert')).toMatchTextContent(/没有找到这个密钥，可能已经吊销/)
    await expect.element(testId('key-name')).toHaveValue('台式机')
  })
})

describe('another secret for a key', () => {
  test('is given when it was asked, and shown this once, under the name that the key has', async () => {
    const { made } = await open([aKey()])
    await choose('key-rotate')
    await expect.element(page.getByText('旧的立刻失效', { exact: false })).toBeVisible()
    await page.getByRole('button', { name: '取消' }).click()
    expect(made.filter(({ call }) => call.startsWith('PATCH'))).toEqual([])
    await choose('key-rotate')
    await page.getByRole('button', { name: '换新密钥' }).click()
    await expect.element(secret).toHaveValue(ROTATED)
    expect(made.filter(({ call }) => call.startsWith('PATCH')).map(({ body }) => body)).toEqual([{ rotate: true }])
    await expect.element(testId('key-row')).toMatchTextContent(/…t3Pe/)
    await expect.element(testId('tool-snippet')).toMatchTextContent(/cmn_…t3Pe/)
    await choose('key-change')
    await testId('key-name').fill('台式机')
    await testId('key-save').click()
    await expect.element(page.getByRole('heading', { name: '“台式机”好了' })).toBeVisible()
    await expect.element(secret).toHaveValue(ROTATED)
  })
})

describe('revoking a key', () => {
  test('says what breaks, and asks', async () => {
    const { made } = await open([aKey()])
    await choose('key-revoke')
    await expect.element(page.getByText('用它的程序立刻被拒', { exact: false })).toBeVisible()
    await page.getByRole('button', { name: '取消' }).click()
    expect(made.filter(({ call }) => call.startsWith('DELETE'))).toEqual([])
    await choose('key-revoke')
    await page.getByRole('button', { name: '吊销密钥' }).click()
    await expect.element(page.getByText('还没有密钥')).toBeVisible()
  })
})

describe('connecting a tool', () => {
  test('shows what is pasted for each, with a variable for a key that was made elsewhere', async () => {
    await open([aKey()])
    await expect.element(testId('tool-snippet')).toMatchTextContent(/ANTHROPIC_BASE_URL/)
    await page.getByRole('radio', { name: 'Codex' }).click()
    await expect.element(testId('tool-snippet')).toMatchTextContent(/wire_api = "responses"/)
    await expect.element(testId('tool-snippet')).toMatchTextContent(/\$COMMONS_KEY/)
    await page.getByRole('combobox', { name: '模型' }).selectOptions('gpt_4')
    await expect.element(testId('tool-snippet')).toMatchTextContent(/model = "gpt_4"/)
  })
  test('opens with the tool of the address, and says which are connected', async () => {
    await open([aKey({ last_tool: 'Codex' })], { address: '/keys?tool=curl' })
    await expect.element(testId('tool-snippet')).toMatchTextContent(/^curl /)
    await expect.element(page.getByRole('radio', { name: 'Codex' })).toMatchTextContent(/接上了/)
  })
  test('waits for the first request, and says what it came from', async () => {
    const { made, trial } = await open([aKey()])
    const time = new Date().toISOString()
    await testId('tool-test').click()
    await expect.element(testId('tool-test-result')).toMatchTextContent(/等第一个请求/)
    expect(made).toContainEqual(expect.objectContaining({ call: 'POST /user/me/keys/7/trial', body: { key: null } }))
    trial.last = {
      time,
      key_id: 7,
      tool: 'aider',
      outcome: { as: 'answered', model: 'gpt_4', tokens: 1204, charged: true },
    }
    await expect
      .element(testId('tool-test-result'))
      .toMatchTextContent(/收到了，aider，刚刚.*gpt_4，1,204 token.*算 1 次/)
    await testId('tool-test').click()
    trial.last = { time, key_id: 8, tool: 'aider', outcome: { as: 'asking', model: 'gpt_4' } }
    await expect.element(testId('tool-test-result')).toMatchTextContent(/正在回答.*已吊销的密钥/)
    await page.getByRole('button', { name: '不等了' }).click()
    await expect.element(testId('tool-test')).toBeVisible()
  })
})

test('keys that cannot be read say why, and can be asked for again', async () => {
  await openScreen(KeysScreen, '/keys', { user: aUser() })
  answerCalls({ 'GET /user/me/keys': refusal('authorityDeny') })
  await expect.element(page.getByRole('button', { name: '重试' })).toBeVisible()
})
