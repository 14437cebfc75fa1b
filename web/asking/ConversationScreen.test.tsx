import { afterEach, describe, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { until } from '#testing/until.ts'
import { words } from '#testing/messages.ts'
import { aHistory, aMessage } from './builders.testing.ts'
import { aRecord, ID, openTestPortal, withId } from './portal.testing.tsx'
import { question, reply, finished, composerOf, asked, accepted } from './conversationScreen.testing.tsx'

const OTHER = '11111111-2222-4333-8444-555555555555'

afterEach(() => {
  vi.unstubAllGlobals()
})

describe('the first question', () => {
  test('is asked with the first model that may be used, and begins a conversation', async () => {
    const portal = await openTestPortal()
    const socket = await asked(portal)
    await until(() =>
      expect(socket.sent[0]).toMatchObject({
        source: 'openai_api',
        model: 'gpt_3_5',
        new_conversation: true,
        text_content: '几点了',
      }),
    )
    expect(socket.protocol).toBe('commons.delta.v1')
    await expect.element(composerOf(portal)).toHaveValue('')
    await expect.element(portal.screen.getByLabelText('你的问题')).toMatchTextContent(/几点了/)
  })

  test('gets an address and a row in the list when it is accepted', async () => {
    const portal = await openTestPortal()
    await accepted(portal)
    await until(() => expect(portal.router.state.location.search).toEqual({ id: ID }))
    expect(portal.screen.getByTestId('conversation-row').element().getAttribute('data-conversation-id')).toBe(ID)
    await expect.element(portal.screen.getByTestId('conversation-row')).toMatchTextContent(/回复中/)
  })
})

describe('an answer', () => {
  test('grows on the screen, and is complete without being read again', async () => {
    const portal = await openTestPortal()
    const socket = await accepted(portal)
    socket.emit({ n: 1, type: 'message', message: reply }, { n: 3, t: '三点' })
    const answer = portal.screen.getByLabelText('回答', { exact: true })
    await expect.element(answer).toMatchTextContent(/三点/)
    socket.emit({ n: 4, t: '半' })
    await expect.element(answer).toMatchTextContent(/三点半/)
    socket.emit(finished({ ...reply, content: words('三点半') }))
    socket.end()
    await expect.element(portal.screen.getByRole('button', { name: '复制', exact: true })).toBeVisible()
    await expect.element(portal.screen.getByText('回答完了：三点半')).toBeInTheDocument()
    expect(portal.calls.filter(call => call === `GET /conv/${ID}`)).toEqual([])
  })

  test('can be stopped while it grows, and the next question be written', async () => {
    const portal = await openTestPortal()
    const socket = await accepted(portal)
    socket.emit({ n: 1, type: 'message', message: reply }, { n: 3, t: '三点' })
    await composerOf(portal).fill('还有')
    await userEvent.keyboard('{Enter}')
    await portal.screen.getByTestId('stop').click()
    await until(() => expect(socket.sent.at(-1)).toEqual({ stop: true }))
    expect(socket.sent).toHaveLength(2)
    const stopped = { ...reply, content: words('三点'), metadata: { source: 'openai_api', ending: 'stopped' } as const }
    socket.emit({ ...finished(stopped), outcome: 'stopped' })
    socket.end()
    await expect.element(portal.screen.getByText('已停止', { exact: true })).toBeVisible()
    await expect.element(portal.screen.getByRole('button', { name: '接着说' })).toBeVisible()
    await expect.element(composerOf(portal)).toHaveValue('还有')
  })

  test('waits in the queue with its position and estimate', async () => {
    const portal = await openTestPortal()
    const socket = await accepted(portal)
    socket.emit({ type: 'queueing', tip: 'tips.queueing', place: 2, estimate_seconds: 74 })
    await expect.element(portal.screen.getByText(/第 2 位，大约/)).toBeVisible()
    await expect.element(portal.screen.getByTestId('conversation-row')).toMatchTextContent(/第 2 位/)
    await portal.screen.getByRole('button', { name: '离开队列' }).click()
    await until(() => expect(socket.sent.at(-1)).toEqual({ stop: true }))
  })

  test('says when a paused account is asked again', async () => {
    const portal = await openTestPortal()
    const socket = await accepted(portal)
    const cooling_until = new Date(2026, 10, 20, 14, 5).toISOString()
    socket.emit({ type: 'queueing', tip: 'tips.queueing', place: 1, estimate_seconds: null, cooling_until })
    await expect.element(portal.screen.getByText(/14:05/)).toBeVisible()
  })

  test('shows what the server has stored of it, once, even if this page has not received all of it', async () => {
    const portal = await openTestPortal()
    const socket = await accepted(portal)
    socket.emit({ n: 1, type: 'message', message: reply }, { n: 3, t: '三点' })
    const whole = { ...reply, parent: question.id, content: words('三点半，不早了') }
    const second = { ...whole, id: 'second', parent: reply.id, content: words('该走了') }
    socket.emit(finished(whole, second))
    socket.end()
    const answer = portal.screen.getByLabelText('回答', { exact: true })
    await expect.element(answer.first()).toMatchTextContent(/三点半，不早了/)
    await expect.element(portal.screen.getByText('该走了')).toBeVisible()
    const shown = answer
      .elements()
      .map(each => each.textContent)
      .join()
    expect([shown.split('不早了').length - 1, shown.split('三点').length - 1]).toEqual([1, 1])
  })

  test('stays on the screen until it is read again when its end came without it', async () => {
    const part = {
      ...reply,
      content: words('三点'),
      metadata: { source: 'openai_api', ending: 'interrupted' } as const,
    }
    const portal = await openTestPortal({ [`GET /conv/${ID}`]: withId(aHistory(question, part), ID) })
    const socket = await accepted(portal)
    socket.emit({ n: 1, type: 'message', message: reply }, { n: 3, t: '三点' })
    await expect.element(portal.screen.getByLabelText('回答', { exact: true })).toMatchTextContent(/三点/)
    socket.emit({ type: 'finished', outcome: 'interrupted', charged: true })
    await expect.element(portal.screen.getByText('回答中断了，已收到的部分留着')).toBeVisible()
    expect(portal.calls).toContain(`GET /conv/${ID}?thoughts=true`)
  })

  test('continues after a lost connection', async () => {
    const portal = await openTestPortal()
    const socket = await accepted(portal)
    socket.emit({ n: 1, type: 'message', message: reply }, { n: 3, t: '三点' })
    socket.end(1006, '')
    await until(() => expect(portal.sockets).toHaveLength(2))
    const again = await portal.socket()
    await until(() => expect(again.sent).toEqual([{ resume: socket.sent[0]?.['ask_id'], after: 3 }]))
    again.emit({ type: 'accepted', ask_id: 'x', conversation_id: ID, question }, { n: 4, t: '半' })
    await expect.element(portal.screen.getByLabelText('回答', { exact: true })).toMatchTextContent(/三点半/)
  })
})

describe('a conversation whose account is gone', () => {
  test('says so in place of the composer', async () => {
    const history = { ...withId(aHistory(question, reply), ID), read_only: 'errors.upstreamGone' }
    const portal = await openTestPortal(
      { 'GET /conv': [aRecord(ID, '时间')], [`GET /conv/${ID}`]: history },
      `/conversation?id=${ID}`,
    )
    await expect.element(portal.screen.getByText(/只能查看，不能继续/)).toBeVisible()
    expect(composerOf(portal).query()).toBe(null)
  })
})

describe('a conversation that its account does not know', () => {
  test('says so in place of the composer, with what can be done; the list says that it can only be read', async () => {
    const gone = { read_only: 'errors.conversationGone', gone_upstream: '2026-11-01T00:00:00.000Z' }
    const history = { ...withId(aHistory(question, reply), ID), ...gone, stored_copy: 'errors.conversationGone' }
    const portal = await openTestPortal(
      { 'GET /conv': [{ ...aRecord(ID, '时间'), ...gone }], [`GET /conv/${ID}`]: history },
      `/conversation?id=${ID}`,
    )
    const note = portal.screen.getByTestId('account-note')
    await expect.element(note).toMatchTextContent(/不认识这个对话.*可以查看和导出，不能继续/)
    await expect.element(note.getByRole('link', { name: '新对话' })).toBeVisible()
    await expect.element(portal.screen.getByTestId('conversation-row').getByText('只读')).toBeVisible()
    expect(composerOf(portal).query()).toBe(null)
  })
})

describe('a stored conversation', () => {
  const stored = {
    'GET /conv': [aRecord(ID, '时间'), aRecord(OTHER, '别的')],
    [`GET /conv/${ID}`]: withId(aHistory(question, { ...reply, content: words('三点半') }), ID),
    [`GET /conv/${OTHER}`]: withId(aHistory(aMessage({ id: 'q9', role: 'user', content: words('别的问题') })), OTHER),
  }

  test('is shown by its address, and the next question follows its last answer', async () => {
    const portal = await openTestPortal(stored, `/conversation?id=${ID}`)
    await expect.element(portal.screen.getByLabelText('回答', { exact: true })).toMatchTextContent(/三点半/)
    await composerOf(portal).fill('确定吗')
    await userEvent.keyboard('{Enter}')
    const socket = await portal.socket()
    await until(() =>
      expect(socket.sent[0]).toMatchObject({
        conversation_id: ID,
        parent: 'a1',
        model: 'gpt_4',
        new_conversation: false,
      }),
    )
  })

  test('keeps its own draft while another one is open', async () => {
    const portal = await openTestPortal(stored, `/conversation?id=${ID}`)
    await composerOf(portal).fill('写了一半')
    await portal.screen.getByRole('link', { name: '别的' }).click()
    await expect.element(portal.screen.getByText('这个问题没有得到回答')).toBeVisible()
    await expect.element(composerOf(portal)).toHaveValue('')
    await portal.screen.getByRole('link', { name: '时间' }).click()
    await expect.element(composerOf(portal)).toHaveValue('写了一半')
  })

  test('waits with its question while another one is answered', async () => {
    const portal = await openTestPortal(stored, `/conversation?id=${ID}`)
    await composerOf(portal).fill('确定吗')
    await userEvent.keyboard('{Enter}')
    const socket = await portal.socket()
    await portal.screen.getByRole('link', { name: '别的' }).click()
    await expect.element(portal.screen.getByText(/另一个对话还在等回答/)).toBeVisible()
    await composerOf(portal).fill('先写好')
    await expect.element(portal.screen.getByTestId('send')).toBeDisabled()
    socket.emit(
      { type: 'accepted', ask_id: 'x', conversation_id: ID, question: { ...question, id: 'q2', parent: 'a1' } },
      finished({ ...reply, parent: 'q2', content: words('三点半') }),
    )
    socket.end()
    await expect.element(portal.screen.getByTestId('send')).toBeEnabled()
    await expect.element(portal.screen.getByText('新回答')).toBeVisible()
  })

  test('that is being answered on another device is followed', async () => {
    const running = { ...withId(aHistory(question), ID), running_ask: 'ask-9' }
    const portal = await openTestPortal({ ...stored, [`GET /conv/${ID}`]: running }, `/conversation?id=${ID}`)
    const socket = await portal.socket()
    await until(() => expect(socket.sent).toEqual([{ resume: 'ask-9', after: 0 }]))
    socket.emit(
      { type: 'accepted', ask_id: 'ask-9', conversation_id: ID, question },
      { n: 4, type: 'message', message: { ...reply, content: words('三点半') } },
    )
    await expect.element(portal.screen.getByLabelText('回答', { exact: true })).toMatchTextContent(/三点半/)
  })

  test('continues an answer that was cut short, without another question', async () => {
    const cut = { ...reply, content: words('三点'), metadata: { source: 'openai_api', ending: 'stopped' } as const }
    const portal = await openTestPortal(
      { ...stored, [`GET /conv/${ID}`]: withId(aHistory(question, cut), ID) },
      `/conversation?id=${ID}`,
    )
    await portal.screen.getByRole('button', { name: '接着说' }).click()
    const socket = await portal.socket()
    await until(() =>
      expect(socket.sent[0]).toMatchObject({ text_content: ':continue', parent: 'a1', conversation_id: ID }),
    )
    socket.emit(
      { type: 'accepted', ask_id: 'x', conversation_id: ID, question: null },
      { n: 2, type: 'message', message: { ...reply, id: 'a2', parent: 'a1', content: words('半') } },
    )
    await expect.element(portal.screen.getByText('半', { exact: true })).toBeVisible()
    expect(portal.screen.getByLabelText('你的问题').elements()).toHaveLength(1)
  })

  test('is asked with the model that was chosen for it', async () => {
    const portal = await openTestPortal(stored, `/conversation?id=${ID}`)
    await portal.screen.getByRole('button', { name: '模型：GPT-4' }).click()
    await page.getByRole('menuitemradio', { name: /本地的羊驼/ }).click()
    await composerOf(portal).fill('确定吗')
    await userEvent.keyboard('{Enter}')
    const socket = await portal.socket()
    await until(() => expect(socket.sent[0]).toMatchObject({ model: 'llama' }))
  })

  test('takes the title that was made for it', async () => {
    const portal = await openTestPortal()
    const socket = await accepted(portal)
    socket.emit(finished({ ...reply, content: words('三点半') }), { type: 'title', title: '现在几点' })
    socket.end()
    await expect.element(portal.screen.getByRole('button', { name: '现在几点' })).toBeVisible()
  })
})
