import { afterEach, describe, expect, test, vi } from 'vitest'
import { until } from '#testing/until.ts'
import { useSession } from '#web/foundation/session.ts'
import { changeLanguage } from '#web/i18n/useTranslate.ts'
import { aHistory, aMessage } from './builders.testing.ts'
import { aRecord, ID, openTestPortal, withId } from './portal.testing.tsx'

const question = aMessage({ id: 'q1', role: 'user', content: { content_type: 'text', text: '几点了' } })

afterEach(async () => {
  await changeLanguage('zh-CN')
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

describe('a question that got no answer before the page was loaded', () => {
  const failure = {
    ask_id: 'ask-9',
    model: 'gpt_4',
    time: '2026-11-20T06:00:01.000Z',
    tip: 'errors.openai.429',
    values: { status: 429, retry_after_seconds: 40 },
    charged: false,
  }
  const answers = {
    'GET /conv': [{ ...aRecord(ID, '时间'), unanswered: true }],
    [`GET /conv/${ID}`]: { ...withId(aHistory(question), ID), failures: { q1: failure } },
  }

  test('shows the reason and whether it was charged, and can be retried or withdrawn', async () => {
    const portal = await openTestPortal(answers, `/conversation?id=${ID}`)
    const note = portal.screen.getByRole('alert')
    await expect.element(note).toMatchTextContent(/上游的次数或额度已用完（429），40秒后可再问/)
    await expect.element(note).toMatchTextContent(/没有算进你的次数/)
    await expect.element(portal.screen.getByTestId('message-withdraw')).toBeVisible()
    await portal.screen.getByTestId('message-retry').click()
    const socket = await portal.socket()
    await until(() =>
      expect(socket.sent[0]).toMatchObject({ text_content: ':continue', parent: 'q1', conversation_id: ID }),
    )
  })

  test('says how long the wait was', async () => {
    const stored = { ...withId(aHistory(question), ID), failures: { q1: { ...failure, waited_seconds: 60 } } }
    const portal = await openTestPortal({ ...answers, [`GET /conv/${ID}`]: stored }, `/conversation?id=${ID}`)
    await expect.element(portal.screen.getByRole('alert')).toMatchTextContent(/等了 60 秒。没有算进你的次数。/)
  })

  test('has details that can be copied', async () => {
    const copied: string[] = []
    vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(words => Promise.resolve(void copied.push(words)))
    const portal = await openTestPortal(answers, `/conversation?id=${ID}`)
    await portal.screen.getByRole('button', { name: '复制详情' }).click()
    await until(() =>
      expect(JSON.parse(copied[0] ?? '{}')).toEqual({ ...failure, conversation_id: ID, source: 'openai_api' }),
    )
  })

  test.each([
    ['zh-CN', 'beside'],
    ['en-US', 'below'],
    ['ms-MY', 'below'],
  ] as const)('has its reason in one line in %s, and the buttons %s it', async (language, where) => {
    const portal = await openTestPortal(answers, `/conversation?id=${ID}`)
    await changeLanguage(language)
    const title = portal.screen.getByRole('alert').getByRole('paragraph').first()
    await expect.element(title).toMatchTextContent(/429/)
    const words = title.element().getBoundingClientRect()
    const button = portal.screen.getByTestId('message-retry').element().getBoundingClientRect()
    expect(words.height).toBeLessThan(30)
    expect(button.top < words.bottom ? 'beside' : 'below').toBe(where)
    // Below the text, the button is aligned with its beginning.
    if (where === 'below') expect(Math.abs(button.left - words.left)).toBeLessThan(2)
  })

  test('has its thoughts, folded, and no tools for an answer', async () => {
    const thoughts = aMessage({
      id: 't1',
      role: 'assistant',
      content: { content_type: 'thoughts', text: '嗯', seconds: 7 },
    })
    const history = {
      ...withId(aHistory(question, thoughts), ID),
      current_node: 'q1',
      failures: { q1: { ...failure, tip: 'errors.openai.thoughtsOnly', values: null } },
    }
    const portal = await openTestPortal({ ...answers, [`GET /conv/${ID}`]: history }, `/conversation?id=${ID}`)
    await expect.element(portal.screen.getByTestId('step')).toMatchTextContent(/思考了 7 秒/)
    await expect
      .element(portal.screen.getByRole('alert'))
      .toMatchTextContent(/模型只思考，没有写出回答.*没有算进你的次数/)
    expect(portal.screen.getByTestId('message-regenerate').elements()).toHaveLength(0)
    await portal.screen.getByTestId('message-retry').click()
    const socket = await portal.socket()
    await until(() => expect(socket.sent[0]).toMatchObject({ text_content: ':continue', parent: 'q1' }))
  })

  test('names the setting behind a timeout to those who may change it', async () => {
    const late = { ...failure, tip: 'errors.upstreamTimeout', values: { setting: 'openai_api.read_timeout' } }
    const history = { ...withId(aHistory(question), ID), failures: { q1: late } }
    const portal = await openTestPortal({ ...answers, [`GET /conv/${ID}`]: history }, `/conversation?id=${ID}`)
    const note = portal.screen.getByRole('alert')
    await expect.element(note).toMatchTextContent(/上游太久没有回应/)
    expect(note.element().textContent).not.toContain('openai_api')
    useSession.setState(({ user }) => ({ user: user && { ...user, is_superuser: true } }))
    await expect.element(note).toMatchTextContent(/设置项：openai_api\.read_timeout/)
  })

  test('is marked in the list', async () => {
    const portal = await openTestPortal(answers)
    await expect.element(portal.screen.getByTestId('conversation-row')).toMatchTextContent(/没有回答/)
  })
})

describe('a session that ends while an answer comes', () => {
  test('shows no failure, because the server goes on answering', async () => {
    const portal = await openTestPortal(
      { [`GET /conv/${ID}`]: { ...withId(aHistory(question), ID), running_ask: 'ask-9' } },
      `/conversation?id=${ID}`,
    )
    const socket = await portal.socket()
    await until(() => expect(socket.sent).toEqual([{ resume: 'ask-9', after: 0 }]))
    socket.emit(
      { type: 'accepted', ask_id: 'ask-9', conversation_id: ID, question },
      { n: 1, type: 'message', message: aMessage({ id: 'a1', role: 'assistant', parent: 'q1' }) },
      { n: 3, t: '三点' },
    )
    socket.end(1008, 'errors.loginExpired')
    await expect.element(portal.screen.getByText('登录已过期，请重新登录')).toBeVisible()
    await expect.element(portal.screen.getByText('回答在服务器上继续，重新登录后就能看到。').first()).toBeVisible()
    await expect.element(portal.screen.getByText(/算进/)).not.toBeInTheDocument()
    await expect.element(portal.screen.getByText('没有回答')).not.toBeInTheDocument()
  })
})
