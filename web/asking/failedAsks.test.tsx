import { afterEach, describe, expect, test, vi } from 'vitest'
import { until } from '#testing/until.ts'
import { words } from '#testing/messages.ts'
import { aHistory } from './builders.testing.ts'
import { ID, keptDrafts, openTestPortal, withId } from './portal.testing.tsx'
import { question, reply, answered, finished, composerOf, asked, accepted } from './conversationScreen.testing.tsx'

afterEach(() => {
  vi.unstubAllGlobals()
})

describe('an answer that breaks off', () => {
  test('says so itself, and can be asked for again there', async () => {
    const portal = await openTestPortal()
    const socket = await accepted(portal)
    const failure = { tip: 'errors.httpError', values: null, charged: true }
    const metadata = { source: 'openai_api', ending: 'failed', failure } as const
    const stored = { ...reply, content: words('三点'), metadata }
    socket.emit(answered('三点'), { type: 'error', ...failure, messages: [stored] })
    socket.end(1001, 'errors.httpError')
    await expect
      .element(portal.screen.getByLabelText('回答', { exact: true }))
      .toMatchTextContent(/三点.*回答没有完成.*这次算进了你的次数/)
    expect(portal.screen.getByRole('alert').elements()).toEqual([])
    await portal.screen.getByTestId('message-regenerate').click()
    await until(() => expect(portal.sockets).toHaveLength(2))
    const again = await portal.socket()
    await until(() => expect(again.sent[0]).toMatchObject({ text_content: ':continue', parent: 'q1' }))
  })
})

describe('a refusal', () => {
  test('is under the question with its reason, and whether it was charged', async () => {
    const portal = await openTestPortal()
    const socket = await asked(portal)
    socket.emit({ type: 'error', tip: 'errors.queueFull', values: null, charged: false })
    socket.end(1008, 'errors.queueFull')
    const note = portal.screen.getByRole('alert')
    await expect.element(note).toMatchTextContent(/没有算进你的次数/)
    await expect.element(portal.screen.getByLabelText('你的问题')).toMatchTextContent(/几点了/)
  })

  test('gives the text back when the question is withdrawn', async () => {
    const portal = await openTestPortal()
    const socket = await asked(portal, '一段很长的话')
    socket.emit({ type: 'error', tip: 'errors.queueFull', values: null, charged: false })
    socket.end(1008, 'errors.queueFull')
    await portal.screen.getByRole('button', { name: '撤回问题' }).click()
    await expect.element(composerOf(portal)).toHaveValue('一段很长的话')
    await expect.element(portal.screen.getByRole('alert')).not.toBeInTheDocument()
  })

  test('lets the question be asked again, as another ask', async () => {
    const portal = await openTestPortal()
    const socket = await asked(portal)
    socket.emit({ type: 'error', tip: 'errors.queueFull', values: null, charged: false })
    socket.end(1008, 'errors.queueFull')
    await portal.screen.getByRole('button', { name: '再试一次' }).click()
    await until(() => expect(portal.sockets).toHaveLength(2))
    const again = await portal.socket()
    await until(() => expect(again.sent[0]).toMatchObject({ text_content: '几点了', new_conversation: true }))
    expect(again.sent[0]?.['ask_id']).not.toBe(socket.sent[0]?.['ask_id'])
  })
})

describe('a first question that got no answer', () => {
  const refused = { type: 'error', tip: 'errors.openai.500', values: { status: 500 }, charged: false }
  const WITHDRAWAL = `DELETE /conv/${ID}/question/q1`

  async function failed(answers: Record<string, unknown> = {}) {
    const portal = await openTestPortal({ [WITHDRAWAL]: { current_node: null }, ...answers })
    const socket = await accepted(portal)
    socket.emit(refused)
    socket.end(1001, 'errors.openai.500')
    await expect.element(portal.screen.getByRole('alert')).toBeVisible()
    return portal
  }

  test('is answered again without being asked a second time', async () => {
    const portal = await failed()
    await portal.screen.getByRole('button', { name: '再试一次' }).click()
    await until(() => expect(portal.sockets).toHaveLength(2))
    const again = await portal.socket()
    await until(() =>
      expect(again.sent[0]).toMatchObject({
        new_conversation: false,
        text_content: ':continue',
        conversation_id: ID,
        parent: 'q1',
      }),
    )
    again.emit(
      { type: 'accepted', ask_id: 'x', conversation_id: ID, question: null },
      finished({ ...reply, content: words('三点半') }),
    )
    again.end()
    await expect.element(portal.screen.getByLabelText('回答', { exact: true })).toMatchTextContent(/三点半/)
    expect(portal.screen.getByLabelText('你的问题').elements()).toHaveLength(1)
  })

  test('because the server process ended shows the reason that is stored', async () => {
    const failure = { tip: 'errors.interrupted', values: null, charged: false }
    const failures = { q1: { ask_id: 'x', model: 'gpt_3_5', time: '2026-11-20T06:00:00.000Z', ...failure } }
    const portal = await openTestPortal({ [`GET /conv/${ID}`]: { ...withId(aHistory(question), ID), failures } })
    const socket = await accepted(portal)
    socket.emit({ ...finished(), outcome: 'interrupted', charged: false })
    await expect.element(portal.screen.getByRole('alert')).toMatchTextContent(/没有算进你的次数/)
  })

  test('that fails once more can still be withdrawn', async () => {
    const portal = await failed()
    await portal.screen.getByRole('button', { name: '再试一次' }).click()
    await until(() => expect(portal.sockets).toHaveLength(2))
    const again = await portal.socket()
    again.emit({ type: 'accepted', ask_id: 'x', conversation_id: ID, question: null }, refused)
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

  test('keeps what has been written meanwhile', async () => {
    const portal = await failed()
    await composerOf(portal).fill('还想问')
    await portal.screen.getByRole('button', { name: '撤回问题' }).click()
    await expect.element(composerOf(portal)).toHaveValue('几点了\n\n还想问')
  })

  test('stays where it is when it cannot be withdrawn', async () => {
    const portal = await failed({ [WITHDRAWAL]: undefined })
    await portal.screen.getByRole('button', { name: '撤回问题' }).click()
    await until(() => expect(portal.calls).toContain(WITHDRAWAL))
    await expect.element(portal.screen.getByLabelText('你的问题')).toMatchTextContent(/几点了/)
  })
})

describe('a question that is not delivered', () => {
  test('can be withdrawn', async () => {
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
