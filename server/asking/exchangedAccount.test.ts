import { describe, expect, onTestFinished, test } from 'vitest'
import type { ConversationHistory, ConversationRecord } from '#contract/conversations.ts'
import type { UpstreamRead } from '#contract/upstreams.ts'
import { startSimulator } from '#simulator/simulator.ts'
import { conversationStore } from '#server/conversations/store.ts'
import { type Person, question } from '#testing/person.ts'
import { startPortal } from '#testing/portal.ts'

const WEB = { source: 'openai_web', model: 'gpt_4' } as const
const GONE = 'errors.conversationGone'

/** A portal whose web account gets the token of another one, with conversations of a person from before. */
async function anExchangedAccount() {
  const simulator = await startSimulator({ tokens_per_second: 0 })
  onTestFinished(() => simulator.close())
  const portal = await startPortal({
    simulator,
    environment: { COMMONS_OPENAI_WEB_ENABLED: 'true', COMMONS_OPENAI_WEB_CHATGPT_BASE_URL: simulator.webUrl },
  })
  const { admin, app } = portal
  const enter = (openai_web_access_token: string) =>
    admin.result('PUT', '/system/credentials', { openai_web_access_token })
  await enter('of-the-first-account')
  const lin = await portal.person()
  const begin = async (text: string) =>
    String((await lin.ask(text, { ...WEB, new_title: text }))[0]?.['conversation_id'])
  const rowOf = (id: string) => conversationStore(app.services.open.database).find(id)
  const read = (id: string, person: Person = lin) => person.result<ConversationHistory>('GET', `/conv/${id}`)
  const list = () => lin.result<ConversationRecord[]>('GET', '/conv')
  const goOn = async (id: string) => ({
    ...WEB,
    new_conversation: false,
    conversation_id: id,
    parent: (await rowOf(id))?.current_node,
  })
  return { ...portal, simulator, enter, lin, begin, rowOf, read, list, goOn }
}

describe('conversations of a web account that got the token of another account', () => {
  test('stay in their owner’s list, whoever opens them, and go on when the token comes back', async () => {
    const { admin, lin, enter, begin, read, list, goOn, rowOf } = await anExchangedAccount()
    const [one, two] = [await begin('Of tea'), await begin('Of milk')]
    await enter('of-another-account')
    for (const reader of [lin, admin, lin])
      expect(await read(one, reader)).toMatchObject({ title: 'Of tea', stored_copy: GONE, read_only: GONE })
    expect(Object.keys((await read(one)).mapping)).toHaveLength(2)
    expect(await list()).toMatchObject([
      { conversation_id: two, is_valid: true },
      { conversation_id: one, is_valid: true, read_only: GONE, gone_upstream: expect.any(String) },
    ])
    expect(await (await lin.chat(question('more', await goOn(one)))).closed).toEqual({ code: 1008, reason: GONE })
    // What nobody has opened since is asked for, and the account says that it does not know it.
    const frames = await lin.ask('more', await goOn(two))
    expect(frames.at(-1)).toMatchObject({ type: 'error', tip: GONE })
    expect(await rowOf(two)).toMatchObject({ is_valid: true, gone_upstream_time: expect.any(Number) })
    expect((await list()).map(({ read_only }) => read_only)).toEqual([GONE, GONE])

    await enter('of-the-first-account')
    expect((await read(one)).read_only).toBe(undefined)
    expect((await lin.ask('and now?', await goOn(one))).at(-1)).toMatchObject({ type: 'finished', outcome: 'finished' })
    expect(await list()).toHaveLength(2)
  })

  test('can be renamed, named, hidden, restored and removed for good', async () => {
    const { admin, lin, enter, begin, read, list, rowOf } = await anExchangedAccount()
    const [one, two] = [await begin('Of tea'), await begin('Of milk')]
    const answer_id = (await rowOf(one))?.current_node
    await enter('of-another-account')
    await read(one)
    expect(await lin.result('PATCH', `/conv/${one}?title=Mine`)).toMatchObject({ title: 'Mine' })
    expect(await lin.result('PATCH', `/conv/${one}/gen_title?message_id=${answer_id}`)).toBe('Mine')
    expect(await lin.result('GET', `/conv/${one}/interpreter`)).toEqual({ kernel_started: false, time_remaining_ms: 0 })
    const path = `interpreter/download-url?message_id=${answer_id}&sandbox_path=/mnt/data/a.csv`
    expect(await lin.call('GET', `/conv/${one}/${path}`)).toMatchObject({ message: 'errors.resourceNotFound' })
    await lin.result('DELETE', `/conv/${one}`)
    expect(await list()).toHaveLength(1)
    await lin.result('POST', `/conv/${one}/restore`)
    expect(await list()).toHaveLength(2)
    for (const id of [one, two]) await admin.result('DELETE', `/conv/${id}/vanish`)
    expect(await Promise.all([one, two].map(rowOf))).toEqual([undefined, undefined])
  })

  test('that were had with a custom GPT go on with it, and are read-only for a day where that is refused', async () => {
    const { admin, lin, simulator, begin, read, list, goOn, rowOf, app } = await anExchangedAccount()
    const one = await begin('Of tea')
    const conversations = conversationStore(app.services.open.database)
    await conversations.change(one, { conversation_metadata: { gizmo_id: 'g-tea' } })
    expect((await lin.ask('more', await goOn(one))).at(-1)).toMatchObject({ outcome: 'finished' })
    const bodies = () => simulator.journal.filter(({ path }) => path === '/web/conversation').map(({ body }) => body)
    expect(bodies().at(-1)).toMatchObject({ conversation_mode: { kind: 'gizmo_interaction', gizmo_id: 'g-tea' } })
    const body = { detail: { code: 'gizmo_inaccessible', message: 'You do not have access to this GPT' } }
    simulator.web.nextFault('ask', { kind: 'json', body })
    expect((await lin.ask('more', await goOn(one))).at(-1)).toMatchObject({ tip: 'errors.customGptRefused' })
    const refused = { read_only: 'errors.customGptRefused' }
    expect(await read(one)).toMatchObject(refused)
    expect(await list()).toMatchObject([{ conversation_id: one, is_valid: true, ...refused }])
    // The account is as well as before.
    const [upstream] = await admin.result<UpstreamRead[]>('GET', '/system/upstreams')
    expect(upstream?.health.state).toBe('normal')
    await conversations.change(one, { gizmo_refused_time: Date.now() - 86_400_001 })
    expect((await lin.ask('and now?', await goOn(one))).at(-1)).toMatchObject({ outcome: 'finished' })
    expect(await rowOf(one)).toMatchObject({ gizmo_refused_time: null })
  })

  test('are listed and valid after a sync, which has marked them read-only', async () => {
    const { admin, simulator, enter, begin, list } = await anExchangedAccount()
    await begin('Of tea')
    await begin('Of milk')
    simulator.web.account('of-another-account').addConversations(3)
    await enter('of-another-account')
    await admin.result('POST', '/system/action/sync-openai-web-conv')
    expect(await list()).toMatchObject([
      { is_valid: true, read_only: GONE },
      { is_valid: true, read_only: GONE },
    ])
    await enter('of-the-first-account')
    await admin.result('POST', '/system/action/sync-openai-web-conv')
    expect((await list()).map(({ read_only }) => read_only)).toEqual([undefined, undefined])
  })
})
