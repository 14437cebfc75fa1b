import { afterEach, describe, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { until } from '#testing/until.ts'
import { queryClient } from '#web/foundation/queryClient.ts'
import { aHistory, aMessage } from './builders.testing.ts'
import { aRecord, keptDrafts, openTestPortal, type TestPortal, type TestSocket, withId } from './portal.testing.tsx'

const ID = '0f1e2d3c-4b5a-4978-8899-aabbccddeeff'
const OTHER = '11111111-2222-4333-8444-555555555555'
const text = (words: string) => ({ content_type: 'text', text: words }) as const
const question = aMessage({ id: 'q1', role: 'user', content: text('几点了') })
const reply = aMessage({ id: 'a1', role: 'assistant', parent: 'q1' })
const answered = (words: string) => ({
  n: 2 + words.length,
  type: 'message',
  message: { ...reply, content: text(words) },
})
const FINISHED = { type: 'finished', outcome: 'finished', charged: true }

afterEach(() => {
  vi.unstubAllGlobals()
})

const composerOf = ({ screen }: TestPortal) => screen.getByTestId('composer')

async function asked(portal: TestPortal, words = '几点了'): Promise<TestSocket> {
  await expect.element(portal.screen.getByRole('button', { name: '模型：GPT-3.5' })).toBeVisible()
  await composerOf(portal).fill(words)
  await userEvent.keyboard('{Enter}')
  return portal.socket()
}

async function accepted(portal: TestPortal, words?: string): Promise<TestSocket> {
  const socket = await asked(portal, words)
  await until(() => expect(socket.said).toHaveLength(1))
  socket.tell({ type: 'accepted', ask_id: socket.said[0]?.['ask_id'], conversation_id: ID, question })
  return socket
}

describe('the first question', () => {
  test('is asked with the first model that may be used, and begins a conversation', async () => {
    const portal = await openTestPortal()
    const socket = await asked(portal)
    await until(() =>
      expect(socket.said[0]).toMatchObject({
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

  test('gets an address and a place in the list when it is accepted', async () => {
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
    socket.tell({ n: 1, type: 'message', message: reply }, { n: 3, t: '三点' })
    const answer = portal.screen.getByLabelText('回答', { exact: true })
    await expect.element(answer).toMatchTextContent(/三点/)
    socket.tell({ n: 4, t: '半' })
    await expect.element(answer).toMatchTextContent(/三点半/)
    socket.tell(answered('三点半'), FINISHED)
    socket.end()
    await expect.element(portal.screen.getByRole('button', { name: '复制', exact: true })).toBeVisible()
    await expect.element(portal.screen.getByText('回答完了：三点半')).toBeInTheDocument()
    expect(portal.calls.filter(call => call === `GET /conv/${ID}`)).toEqual([])
  })

  test('can be stopped while it grows, and the next question be written', async () => {
    const portal = await openTestPortal()
    const socket = await accepted(portal)
    socket.tell({ n: 1, type: 'message', message: reply }, { n: 3, t: '三点' })
    await composerOf(portal).fill('还有')
    await userEvent.keyboard('{Enter}')
    await portal.screen.getByTestId('stop').click()
    await until(() => expect(socket.said.at(-1)).toEqual({ stop: true }))
    expect(socket.said).toHaveLength(2)
    socket.tell({ type: 'finished', outcome: 'stopped', charged: true })
    socket.end()
    await expect.element(portal.screen.getByText('已停止', { exact: true })).toBeVisible()
    await expect.element(portal.screen.getByRole('button', { name: '接着说' })).toBeVisible()
    await expect.element(composerOf(portal)).toHaveValue('还有')
  })

  test('waits in the queue with its place and estimate', async () => {
    const portal = await openTestPortal()
    const socket = await accepted(portal)
    socket.tell({ type: 'queueing', tip: 'tips.queueing', place: 2, estimate_seconds: 74 })
    await expect.element(portal.screen.getByText(/第 2 位，大约/)).toBeVisible()
    await expect.element(portal.screen.getByTestId('conversation-row')).toMatchTextContent(/第 2 位/)
    await portal.screen.getByRole('button', { name: '离开队列' }).click()
    await until(() => expect(socket.said.at(-1)).toEqual({ stop: true }))
  })

  test('goes on after a lost connection', async () => {
    const portal = await openTestPortal()
    const socket = await accepted(portal)
    socket.tell({ n: 1, type: 'message', message: reply }, { n: 3, t: '三点' })
    socket.end(1006, '')
    await until(() => expect(portal.sockets).toHaveLength(2))
    const again = await portal.socket()
    await until(() => expect(again.said).toEqual([{ resume: socket.said[0]?.['ask_id'], after: 3 }]))
    again.tell({ type: 'accepted', ask_id: 'x', conversation_id: ID, question }, { n: 4, t: '半' })
    await expect.element(portal.screen.getByLabelText('回答', { exact: true })).toMatchTextContent(/三点半/)
  })
})

describe('an answer that breaks off', () => {
  test('says so in its place, as it will when it is read again, and is asked for once more there', async () => {
    const portal = await openTestPortal()
    const socket = await accepted(portal)
    socket.tell(
      answered('三点'),
      { type: 'error', tip: 'errors.httpError', values: null, charged: true },
      { ...FINISHED, outcome: 'failed' },
    )
    socket.end(1001, 'errors.httpError')
    await expect
      .element(portal.screen.getByLabelText('回答', { exact: true }))
      .toMatchTextContent(/三点.*回答没有完成.*这次算进了你的次数/)
    expect(portal.screen.getByRole('alert').elements()).toEqual([])
    await portal.screen.getByTestId('message-regenerate').click()
    await until(() => expect(portal.sockets).toHaveLength(2))
    const again = await portal.socket()
    await until(() => expect(again.said[0]).toMatchObject({ text_content: ':continue', parent: 'q1' }))
  })
})

describe('a refusal', () => {
  test('stands under the question with its reason, and whether it counted', async () => {
    const portal = await openTestPortal()
    const socket = await asked(portal)
    socket.tell({ type: 'error', tip: 'errors.queueFull', values: null, charged: false })
    socket.end(1008, 'errors.queueFull')
    const note = portal.screen.getByRole('alert')
    await expect.element(note).toMatchTextContent(/没有算进你的次数/)
    await expect.element(portal.screen.getByLabelText('你的问题')).toMatchTextContent(/几点了/)
  })

  test('gives the text back when the question is withdrawn', async () => {
    const portal = await openTestPortal()
    const socket = await asked(portal, '一段很长的话')
    socket.tell({ type: 'error', tip: 'errors.queueFull', values: null, charged: false })
    socket.end(1008, 'errors.queueFull')
    await portal.screen.getByRole('button', { name: '撤回问题' }).click()
    await expect.element(composerOf(portal)).toHaveValue('一段很长的话')
    await expect.element(portal.screen.getByRole('alert')).not.toBeInTheDocument()
  })

  test('lets the question be asked again, as another ask', async () => {
    const portal = await openTestPortal()
    const socket = await asked(portal)
    socket.tell({ type: 'error', tip: 'errors.queueFull', values: null, charged: false })
    socket.end(1008, 'errors.queueFull')
    await portal.screen.getByRole('button', { name: '再试一次' }).click()
    await until(() => expect(portal.sockets).toHaveLength(2))
    const again = await portal.socket()
    await until(() => expect(again.said[0]).toMatchObject({ text_content: '几点了', new_conversation: true }))
    expect(again.said[0]?.['ask_id']).not.toBe(socket.said[0]?.['ask_id'])
  })
})

describe('a first question that got no answer', () => {
  const refused = { type: 'error', tip: 'errors.openai.500', values: { status: 500 }, charged: false }
  const WITHDRAWAL = `DELETE /conv/${ID}/question/q1`

  async function failed(answers: Record<string, unknown> = {}) {
    const portal = await openTestPortal({ [WITHDRAWAL]: { current_node: null }, ...answers })
    const socket = await accepted(portal)
    socket.tell(refused)
    socket.end(1001, 'errors.openai.500')
    await expect.element(portal.screen.getByRole('alert')).toBeVisible()
    return portal
  }

  test('is answered in its place, and not asked a second time', async () => {
    const portal = await failed()
    await portal.screen.getByRole('button', { name: '再试一次' }).click()
    await until(() => expect(portal.sockets).toHaveLength(2))
    const again = await portal.socket()
    await until(() =>
      expect(again.said[0]).toMatchObject({
        new_conversation: false,
        text_content: ':continue',
        conversation_id: ID,
        parent: 'q1',
      }),
    )
    again.tell(
      { type: 'accepted', ask_id: 'x', conversation_id: ID, question: null },
      { n: 4, type: 'message', message: { ...reply, content: text('三点半') } },
      FINISHED,
    )
    again.end()
    await expect.element(portal.screen.getByLabelText('回答', { exact: true })).toMatchTextContent(/三点半/)
    expect(portal.screen.getByLabelText('你的问题').elements()).toHaveLength(1)
  })

  test('that fails once more can still be withdrawn', async () => {
    const portal = await failed()
    await portal.screen.getByRole('button', { name: '再试一次' }).click()
    await until(() => expect(portal.sockets).toHaveLength(2))
    const again = await portal.socket()
    again.tell({ type: 'accepted', ask_id: 'x', conversation_id: ID, question: null }, refused)
    again.end(1001, 'errors.openai.500')
    await portal.screen.getByTestId('message-withdraw').click()
    await expect.element(composerOf(portal)).toHaveValue('几点了')
  })

  test('is withdrawn together with its conversation', async () => {
    const portal = await failed()
    await portal.screen.getByRole('button', { name: '撤回问题' }).click()
    await expect.element(composerOf(portal)).toHaveValue('几点了')
    await until(() => expect(portal.router.state.location.href).toBe('/conversation'))
    expect(portal.calls).toContain(WITHDRAWAL)
  })

  test('loses nothing of what has been written meanwhile', async () => {
    const portal = await failed()
    await composerOf(portal).fill('还想问')
    await portal.screen.getByRole('button', { name: '撤回问题' }).click()
    await expect.element(composerOf(portal)).toHaveValue('几点了\n\n还想问')
  })

  test('stays where it is when it cannot be taken back', async () => {
    const portal = await failed({ [WITHDRAWAL]: undefined })
    await portal.screen.getByRole('button', { name: '撤回问题' }).click()
    await until(() => expect(portal.calls).toContain(WITHDRAWAL))
    await expect.element(portal.screen.getByLabelText('你的问题')).toMatchTextContent(/几点了/)
  })
})

describe('a question that is not delivered', () => {
  test('can be taken back', async () => {
    const portal = await openTestPortal()
    portal.network.up = false
    await asked(portal, '还没送到')
    await expect.element(portal.screen.getByText(/问题还没有送到/)).toBeVisible()
    await portal.screen.getByTestId('stop').click()
    await expect.element(composerOf(portal)).toHaveValue('还没送到')
    await expect.element(portal.screen.getByTestId('send')).toBeEnabled()
  })

  test('is a draft again after a reload', async () => {
    const portal = await openTestPortal()
    await asked(portal, '还没送到')
    expect(keptDrafts()).toContain('还没送到')
  })
})

describe('a stored conversation', () => {
  const stored = {
    'GET /conv': [aRecord(ID, '时间'), aRecord(OTHER, '别的')],
    [`GET /conv/${ID}`]: withId(aHistory(question, { ...reply, content: text('三点半') }), ID),
    [`GET /conv/${OTHER}`]: withId(aHistory(aMessage({ id: 'q9', role: 'user', content: text('别的问题') })), OTHER),
  }

  test('is shown by its address, and the next question follows its last answer', async () => {
    const portal = await openTestPortal(stored, `/conversation?id=${ID}`)
    await expect.element(portal.screen.getByLabelText('回答', { exact: true })).toMatchTextContent(/三点半/)
    await composerOf(portal).fill('确定吗')
    await userEvent.keyboard('{Enter}')
    const socket = await portal.socket()
    await until(() =>
      expect(socket.said[0]).toMatchObject({
        conversation_id: ID,
        parent: 'a1',
        model: 'gpt_4',
        new_conversation: false,
      }),
    )
  })

  test('keeps its own draft while another one is looked at', async () => {
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
    socket.tell(
      { type: 'accepted', ask_id: 'x', conversation_id: ID, question: { ...question, id: 'q2', parent: 'a1' } },
      FINISHED,
    )
    socket.end()
    await expect.element(portal.screen.getByTestId('send')).toBeEnabled()
    await expect.element(portal.screen.getByText('新回答')).toBeVisible()
  })

  test('that is being answered elsewhere is followed', async () => {
    const running = { ...withId(aHistory(question), ID), running_ask: 'ask-9' }
    const portal = await openTestPortal({ ...stored, [`GET /conv/${ID}`]: running }, `/conversation?id=${ID}`)
    const socket = await portal.socket()
    await until(() => expect(socket.said).toEqual([{ resume: 'ask-9', after: 0 }]))
    socket.tell(
      { type: 'accepted', ask_id: 'ask-9', conversation_id: ID, question },
      { n: 4, type: 'message', message: { ...reply, content: text('三点半') } },
    )
    await expect.element(portal.screen.getByLabelText('回答', { exact: true })).toMatchTextContent(/三点半/)
  })

  test('goes on with an answer that was cut short, without another question', async () => {
    const cut = { ...reply, content: text('三点'), metadata: { source: 'openai_api', ending: 'stopped' } as const }
    const portal = await openTestPortal(
      { ...stored, [`GET /conv/${ID}`]: withId(aHistory(question, cut), ID) },
      `/conversation?id=${ID}`,
    )
    await portal.screen.getByRole('button', { name: '接着说' }).click()
    const socket = await portal.socket()
    await until(() =>
      expect(socket.said[0]).toMatchObject({ text_content: ':continue', parent: 'a1', conversation_id: ID }),
    )
    socket.tell(
      { type: 'accepted', ask_id: 'x', conversation_id: ID, question: null },
      { n: 2, type: 'message', message: { ...reply, id: 'a2', parent: 'a1', content: text('半') } },
    )
    await expect.element(portal.screen.getByText('半', { exact: true })).toBeVisible()
    expect(portal.screen.getByLabelText('你的问题').elements()).toHaveLength(1)
  })

  test('is asked with the model that was chosen for it', async () => {
    const portal = await openTestPortal(stored, `/conversation?id=${ID}`)
    await portal.screen.getByRole('button', { name: '模型：GPT-4' }).click()
    await page.getByRole('menuitemradio', { name: '本地的羊驼' }).click()
    await composerOf(portal).fill('确定吗')
    await userEvent.keyboard('{Enter}')
    const socket = await portal.socket()
    await until(() => expect(socket.said[0]).toMatchObject({ model: 'llama' }))
  })

  test('takes the title that was made for it', async () => {
    const portal = await openTestPortal()
    const socket = await accepted(portal)
    socket.tell({ n: 4, type: 'message', message: { ...reply, content: text('三点半') } }, FINISHED, {
      type: 'title',
      title: '现在几点',
    })
    socket.end()
    await expect.element(portal.screen.getByRole('button', { name: '现在几点' })).toBeVisible()
  })

  test('that is not there says so, in the header as well', async () => {
    const portal = await openTestPortal({}, `/conversation?id=${ID}`)
    await expect.element(portal.screen.getByRole('heading', { name: '没有找到这个对话' })).toBeVisible()
    await expect.element(portal.screen.getByRole('banner')).toMatchTextContent(/没有找到这个对话/)
    await expect.element(portal.screen.getByText('正在载入对话')).not.toBeInTheDocument()
  })

  test('that was deleted elsewhere leaves its draft to a new one', async () => {
    let isThere = true
    const portal = await openTestPortal(
      { ...stored, [`GET /conv/${ID}`]: () => (isThere ? stored[`GET /conv/${ID}`] : undefined) },
      `/conversation?id=${ID}`,
    )
    await composerOf(portal).fill('还没问完')
    isThere = false
    await queryClient.resetQueries()
    await expect.element(portal.screen.getByRole('heading', { name: '没有找到这个对话' })).toBeVisible()
    await portal.router.navigate({ to: '/conversation', search: {} })
    await expect.element(composerOf(portal)).toHaveValue('还没问完')
  })
})
