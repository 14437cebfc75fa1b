import { beforeEach, describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { UNKNOWN_CAPABILITIES } from '#contract/models.ts'
import { openAdminScreen } from '#web/admin/openAdminScreen.testing.tsx'
import { anAccount } from '#web/conversations/sharedMeter/builders.testing.ts'
import { answerCalls, refusal, success } from '#web/foundation/api.testing.ts'
import { anUpstream } from '../upstreams/state/builders.testing.ts'
import { ANSWERS, demonstration, status } from './answers.testing.ts'
import { SystemScreen } from './SystemScreen.tsx'

beforeEach(() => page.viewport(1440, 900))

const openScreen = () => openAdminScreen(SystemScreen, '/')

describe('the overview', () => {
  test('has the figures of the portal and of the range', async () => {
    const made = answerCalls(ANSWERS)
    const { router } = await openScreen()
    for (const text of ['1,284', '248', '4:12', '启动于', 'Asia/Shanghai', 'API Llama 3', 'API 未知（mystery）'])
      await expect.element(page.getByText(text, { exact: true }).first()).toBeVisible()
    await expect.element(page.getByText('快满了')).toBeVisible()
    await page.getByText('7 天').click()
    await expect.poll(() => router.state.location.search).toEqual({ range: '7d' })
    await expect
      .poll(() =>
        made
          .filter(({ call }) => call === 'GET /system/plots/asks')
          .at(-1)
          ?.query.get('granularity'),
      )
      .toBe('21600')
  })

  test('shows who is answered and who waits, and ends what somebody asked', async () => {
    const made = answerCalls({ ...ANSWERS, 'POST /system/asks/b/stop': success(true) })
    await openScreen()
    await expect.element(page.getByRole('meter')).toHaveAttribute('aria-valuetext', '3小时内已用 38 / 50')
    await expect.element(page.getByText('鸡兔同笼，GPT-4')).toBeVisible()
    await expect.element(page.getByText('第 1 位，约 40秒')).toBeVisible()
    await page.getByRole('button', { name: '陈建国的提问' }).click()
    await page.getByTestId('end-ask').click()
    await page.getByRole('dialog').getByRole('button', { name: '结束提问' }).click()
    await expect.element(page.getByText('已结束陈建国的提问')).toBeVisible()
    expect(made.filter(({ call }) => call.startsWith('POST')).map(({ call }) => call)).toEqual([
      'POST /system/asks/b/stop',
    ])
  })

  test('names every stored key that cannot be opened, with the way to where it is entered again', async () => {
    answerCalls({
      ...ANSWERS,
      'GET /system/unreadable-keys': success([
        { of: 'settings', name: 'openai_web_access_token' },
        { of: 'account', id: 7, source: 'openai_api', label: 'Second' },
        { of: 'user', id: 9, username: 'mei', nickname: '小梅' },
      ]),
    })
    await openScreen()
    await expect.element(page.getByText('有保存的密钥打不开')).toBeVisible()
    const ways = page.getByRole('alert').getByRole('link').elements()
    expect(ways.map(each => each.textContent)).toEqual(['访问令牌', 'Second', '小梅（mei）自己的接口'])
    expect(ways.map(each => each.getAttribute('href')?.split('?')[0])).toEqual([
      '/admin/config',
      '/admin/openai_settings',
      '/admin/user',
    ])
  })

  test.each([
    ['已到期', -1],
    ['快到期', 1],
  ])('says of an account at its head that its token is %s', async (word, days) => {
    const token_expire_time = new Date(Date.now() + days * 86_400_000).toISOString()
    const account = { ...anAccount(), asks: [] }
    answerCalls({
      ...ANSWERS,
      'GET /system/queue': success({ now: new Date().toISOString(), accounts: [account] }),
      'GET /system/upstreams': success([
        anUpstream({ id: account.upstream_id, source: 'openai_web', token_expire_time }),
      ]),
    })
    await openScreen()
    const head = page.getByTestId('shared-account')
    await expect.element(head.getByText(word)).toBeVisible()
    expect(head.getByText('正常').elements()).toEqual([])
    const link = head.getByRole('link').element()
    expect(link.getAttribute('href')).toBe(`/admin/openai_settings?open=${account.upstream_id}`)
  })

  test('draws questions, and shows the same as a table', async () => {
    answerCalls(ANSWERS)
    await openScreen()
    const card = page.getByRole('region', { name: '提问', exact: true })
    await expect.element(card.getByTestId('plot')).toBeVisible()
    await expect.poll(() => document.querySelector('[data-testid=plot] canvas')).not.toBeNull()
    const legend = card.getByRole('button', { name: /GPT-4/ })
    await expect.element(legend).toHaveTextContent('API GPT-4248')
    await legend.click()
    await expect.element(legend).toHaveAttribute('aria-pressed', 'false')
    await card.getByRole('button', { name: '看表格' }).click()
    await expect.element(card.getByRole('table').getByText('148')).toBeVisible()
    await expect.element(page.getByText('这段时间里没有')).toBeVisible()
  })
})

describe('a job of the portal', () => {
  const idle = { every: null, state: 'idle', started_by: null, start_time: null, next_run: null, failures: 0 }
  const time = new Date().toISOString()
  const run = { outcome: 'stopped', started_by: null, start_time: time, end_time: time, failure: null, result: null }
  const reached = { done: 120, total: 300 }
  const stopped = { ...idle, ...reached, name: 'users', key: 'k', last_run: { ...run, ...reached }, may_go_on: true }

  test('that was stopped says how far it came, and goes on', async () => {
    let job: object = stopped
    const made = answerCalls({
      ...ANSWERS,
      'GET /system/jobs': () => success([job]),
      'POST /system/jobs/users/go-on': () => {
        job = { ...job, state: 'running', may_go_on: false }
        return success(job)
      },
    })
    await openScreen()
    const row = page.getByTestId('job')
    await expect.element(row.getByText('120 / 300')).toBeVisible()
    await row.getByRole('button').click()
    await page.getByRole('menuitem', { name: '继续做完' }).click()
    await expect.element(row.getByText('正在进行', { exact: false })).toBeVisible()
    expect(made.find(({ call }) => call.startsWith('POST'))?.query.get('key')).toBe('k')
  })
  test('that has ended stands once, as it was the last time', async () => {
    const over = (key: string, name = 'conversations') => ({ ...stopped, name, key, may_go_on: false })
    const left = { ...stopped, name: 'conversations', key: 'left' }
    const running = { ...over('now'), state: 'running', done: 7, total: 9 }
    const last = { ...over('last'), last_run: { ...run, outcome: 'finished', done: 1, total: 1 } }
    answerCalls({ ...ANSWERS, 'GET /system/jobs': success([running, last, over('before'), left, over('', 'users')]) })
    await openScreen()
    const texts = () =>
      page
        .getByTestId('job')
        .elements()
        .map(row => row.textContent)
    await expect.poll(texts).toHaveLength(4)
    expect(texts()).toEqual([
      expect.stringContaining('7 / 9'),
      expect.stringContaining('完成'),
      expect.stringContaining('120 / 300'),
      expect.stringContaining('批量处理用户'),
    ])
  })
  test('that waits for another attempt can be stopped', async () => {
    const made = answerCalls({
      ...ANSWERS,
      'GET /system/jobs': success([{ ...stopped, state: 'waiting', may_go_on: false }]),
      'POST /system/jobs/users/stop': success(true),
    })
    await openScreen()
    await page.getByTestId('job').getByRole('button').click()
    await page.getByRole('menuitem', { name: '停下' }).click()
    await expect.poll(() => made.map(({ call }) => call)).toContain('POST /system/jobs/users/stop')
  })
})

describe('in demonstration, connecting a real upstream', () => {
  test('stores the address before the key that belongs to it', async () => {
    const LISTED = { source: 'openai_api', code: 'qwen3:8b', label: 'qwen3:8b', ...UNKNOWN_CAPABILITIES }
    let connected = false
    let listed = false
    const made = answerCalls({
      ...ANSWERS,
      'GET /status/common': success(status),
      'GET /status/portal': () =>
        success({ ...demonstration, demonstration: !connected, ...(listed && { models: [LISTED] }) }),
      'POST /system/action/read-models': () => {
        listed = true
        return success({ listed: 1, models: [] })
      },
      'PUT /system/settings': () => {
        connected = true
        return success({
          configuration: { _version: 'v', _origins: {}, _set_secrets: [], _stored: {}, _variables: {} },
          credentials: { openai_web_access_token: null, openai_api_key: null, _set: {} },
        })
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
      {
        openai_api: { openai_base_url: 'http://127.0.0.1:11434/v1/' },
        credentials: { openai_api_key: 'sk-secret' },
      },
    ])
  })
  test('refuses what is no address, and tells of a refusal', async () => {
    const made = answerCalls({
      ...ANSWERS,
      'GET /status/common': success(status),
      'GET /status/portal': success(demonstration),
      'PUT /system/settings': refusal('configurationWrong'),
    })
    await openScreen()
    await page.getByLabelText('地址').fill('localhost:11434')
    await page.getByRole('button', { name: '连接' }).click()
    await expect.element(page.getByText('地址要以 http:// 或 https:// 开头')).toBeVisible()
    expect(made.some(({ call }) => call === 'PUT /system/settings')).toBe(false)
    await page.getByLabelText('地址').fill('http://localhost:11434/v1/')
    await page.getByRole('button', { name: '连接' }).click()
    await expect.element(page.getByRole('alert').getByText('配置里有不正确的值', { exact: false })).toBeVisible()
  })
})
