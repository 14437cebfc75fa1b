import { describe, expect, onTestFinished, test } from 'vitest'
import type { ConversationHistory, ConversationRecord } from '#contract/conversations.ts'
import type { UploadedFile } from '#contract/files.ts'
import type { SharedMeter } from '#contract/status.ts'
import type { UpstreamRead } from '#contract/upstreams.ts'
import type { Simulator } from '#simulator/simulator.ts'
import { startSimulator } from '#simulator/simulator.ts'
import { conversationStore } from '#server/conversations/store.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import { bringsText, type Frame, question, type Person } from '#testing/person.ts'
import { startPortal } from '#testing/portal.ts'
import { until } from '#testing/until.ts'

const WEB = { source: 'openai_web', model: 'gpt_4' } as const
const PLUGINS = { source: 'openai_web', model: 'gpt_4_plugins' } as const
const FULL = new Refusal('openai.429', { retry_after_seconds: 3_600 })

/** A portal with two web accounts, each at a simulator of its own, asked by the provider that there is. */
async function twoWebAccounts() {
  const simulators = await Promise.all([
    startSimulator({ tokens_per_second: 0 }),
    startSimulator({ tokens_per_second: 0 }),
  ])
  for (const each of simulators) onTestFinished(() => each.close())
  const [one, two] = simulators as [Simulator, Simulator] // there are two
  const portal = await startPortal({
    simulator: one,
    environment: {
      COMMONS_OPENAI_WEB_ENABLED: 'true',
      COMMONS_OPENAI_WEB_CHATGPT_BASE_URL: one.webUrl,
      COMMONS_CREDENTIALS_OPENAI_WEB_ACCESS_TOKEN: 'first-token',
      COMMONS_OPENAI_WEB_ENABLED_MODELS: '["gpt_3_5","gpt_4","gpt_4_plugins"]',
    },
  })
  const { admin, app } = portal
  const { upstreams, open } = app.services
  const further = { source: 'openai_web', label: 'Second', base_url: two.webUrl, secret: 'second-token' }
  const second = (await admin.result<UpstreamRead>('POST', '/system/upstreams', further)).id
  const first = upstreams.ofSettings('openai_web').id
  const lin = await portal.person()
  const health = async (id: number) =>
    (await admin.result<UpstreamRead[]>('GET', '/system/upstreams')).find(each => each.id === id)?.health
  const asksOf = (simulator: Simulator) => simulator.journal.filter(({ path }) => path === '/web/conversation')
  const rowOf = (conversation_id: string) => conversationStore(open.database).find(conversation_id)
  /** Asks, and says where. */
  async function askedOf(person: Person, text: string, more: Parameters<Person['ask']>[1] = WEB) {
    const frames = await person.ask(text, { new_title: text, ...more })
    const conversation_id = String(frames[0]?.['conversation_id'])
    const row = await rowOf(conversation_id)
    const end = frames.find(({ type }) => type === 'finished' || type === 'error')
    return { conversation_id, upstream_id: row?.upstream_id, end, parent: row?.current_node ?? '' }
  }
  const there = ({ conversation_id, parent }: { conversation_id: string; parent: string }) => ({
    ...{ ...WEB, new_conversation: false, conversation_id, parent, new_title: undefined },
  })
  return { ...portal, one, two, first, second, lin, upstreams, health, asksOf, askedOf, there, rowOf }
}

const isIn = (type: string) => (frame: Frame) => frame.type === type

describe('a question to one of two web accounts', () => {
  test('with a file goes to the one that has the file and nowhere else; with plugins to the one that has them', async () => {
    const { url, lin, one, two, first, second, upstreams, asksOf, askedOf, there } = await twoWebAccounts()
    const atFirst = await askedOf(lin, 'one')
    expect(atFirst.upstream_id).toBe(first)
    upstreams.report(first, FULL)
    const start = { file_name: 'days.txt', file_size: 3, use_case: 'my_files' }
    const { upload_file_info: file } = await lin.result<{ upload_file_info: UploadedFile }>(
      'POST',
      '/files/openai-web/upload-start',
      start,
    )
    await fetch(new URL(file.openai_web_info?.upload_url ?? '', url), {
      ...{ method: 'PUT', body: 'a,b' },
      headers: { cookie: lin.cookie, origin: url, 'content-type': 'text/plain' },
    })
    await lin.result('POST', `/files/openai-web/upload-complete/${file.id}`)
    upstreams.report(first, 'answered')
    const id = file.openai_web_info?.file_id ?? ''
    expect([one.web.fileOf(id), two.web.fileOf(id)?.size]).toEqual([undefined, 3])
    const files = { openai_web_attachments: [{ name: 'days.txt', id, size: 3, mimeType: 'text/plain' }] }
    expect(await askedOf(lin, 'Read it', { ...WEB, ...files })).toMatchObject({
      upstream_id: second,
      end: { outcome: 'finished' },
    })
    expect(asksOf(two)[0]?.body).toMatchObject({ messages: [{ metadata: { attachments: [{ id }] } }] })
    const refused = await lin.chat(question('And there?', { ...there(atFirst), ...files }))
    expect(await refused.closed).toEqual({ code: 1008, reason: 'errors.fileOfOtherAccount' })
    expect(JSON.stringify(one.journal)).not.toContain(id)

    const [both = '', other = ''] = two.web.account('second-token').installed
    one.web.account('first-token').installed = new Set([both])
    two.web.account('second-token').installed = new Set([both, other])
    const withPlugins = (...ids: string[]) => askedOf(lin, 'With plugins', { ...PLUGINS, openai_web_plugin_ids: ids })
    const [anywhere, only] = [await withPlugins(both), await withPlugins(both, other)]
    expect([anywhere.upstream_id, only.upstream_id]).toEqual([first, second])
    expect(only.end).toMatchObject({ outcome: 'finished' })
    expect(asksOf(two).at(-1)?.body).toMatchObject({ plugin_ids: [both, other] })
    expect(JSON.stringify(asksOf(one))).not.toContain(other)
  })

  test('waits for its account, told until when, or moves where it can; with nobody healthy it is tried; an expired token signs nobody out', async () => {
    const portal = await twoWebAccounts()
    const { person, admin, lin, one, two, first, second, upstreams, health, askedOf, there, rowOf } = portal
    const kept = await askedOf(lin, 'kept')
    for (const each of [one, two]) each.setPace(20)
    const [atOne, atTwo] = [await person(), await person()]
    for (const busy of [atOne, atTwo]) await (await busy.chat(question('/simulate tokens=5000', WEB))).until(bringsText)
    const started = await (await person()).chat(question('new', { ...WEB, new_title: 'new' }))
    const waiting = await lin.chat(question('more', there(kept)))
    for (const each of [started, waiting]) await each.until(isIn('queueing'))
    const new_id = String(started.frames[0]?.['conversation_id'])
    expect(await rowOf(new_id)).toMatchObject({ upstream_id: first })

    upstreams.report(first, FULL)
    expect(await waiting.until(frame => frame['cooling_until'] !== undefined)).toMatchObject({
      type: 'queueing',
      place: 1,
    })
    await until(async () => expect(await rowOf(new_id)).toMatchObject({ upstream_id: second }))
    two.setPace(0)
    expect(await started.until(isIn('finished'))).toMatchObject({ outcome: 'finished' })
    expect(started.frames.some(frame => frame['cooling_until'] !== undefined)).toBe(false)
    one.setPace(0)
    await one.waitFor(({ path, ended }) => path === '/web/conversation' && ended === 'complete')
    expect(waiting.frames.some(isIn('waiting'))).toBe(false)
    upstreams.report(second, FULL)
    expect(await waiting.until(isIn('finished'))).toMatchObject({ outcome: 'finished' })

    upstreams.report(first, FULL)
    expect(await askedOf(lin, 'all the same')).toMatchObject({ end: { outcome: 'finished' } })
    for (const id of [first, second]) upstreams.report(id, 'answered')
    one.web.account('first-token').fail(401)
    expect(await askedOf(lin, 'expired')).toMatchObject({
      upstream_id: first,
      end: { type: 'error', tip: 'errors.openai.401', charged: false },
    })
    for (const who of [lin, admin]) expect(await who.call('GET', '/user/me')).toMatchObject({ code: 200 })
    expect(await health(first)).toMatchObject({ state: 'attention', message: 'errors.openai.401' })
    const after = await askedOf(lin, 'after')
    expect(after).toMatchObject({ upstream_id: second, end: { outcome: 'finished' } })
    const read = (id: string) => lin.result<ConversationHistory>('GET', `/conv/${id}`)
    expect(await read(kept.conversation_id)).toMatchObject({ stored_copy: 'errors.openai.401' })

    await admin.result('DELETE', `/system/upstreams/${second}`)
    const gone = await read(after.conversation_id)
    expect(gone).toMatchObject({ read_only: 'errors.upstreamGone', stored_copy: 'errors.upstreamGone' })
    expect(Object.values(gone.mapping).map(({ role }) => role)).toEqual(['user', 'assistant'])
    const records = await lin.result<ConversationRecord[]>('GET', '/conv')
    expect(records.find(({ conversation_id }) => conversation_id === after.conversation_id)?.read_only).toBe(
      'errors.upstreamGone',
    )
    const refused = await lin.chat(question('more', there(after)))
    expect(await refused.closed).toEqual({ code: 1008, reason: 'errors.upstreamGone' })
    await lin.result('DELETE', `/conv/${after.conversation_id}`)
  })

  test('of a model that its account has had enough of goes elsewhere or waits, and other models are asked there', async () => {
    const portal = await twoWebAccounts()
    const { admin, person, lin, one, two, first, second, askedOf, there, rowOf } = portal
    const kept = await askedOf(lin, 'kept')
    expect(kept.upstream_id).toBe(first)
    const cap = JSON.stringify({ detail: { code: 'model_cap_exceeded', clears_in: 11_461 } })
    one.web.nextFault('ask', { kind: 'status', status: 429, body: cap })
    const capped = await lin.ask('more', there(kept))
    expect(capped.at(-1)).toMatchObject({
      tip: 'errors.openai.429',
      values: { retry_after_seconds: 11_461, of_model: true },
    })
    const seen = (await admin.result<UpstreamRead[]>('GET', '/system/upstreams')).find(({ id }) => id === first)
    expect(seen).toMatchObject({
      health: { state: 'normal' },
      cooling_models: [{ model: 'gpt_4', message: 'errors.openai.429' }],
    })
    const { accounts } = await lin.result<SharedMeter>('GET', '/status/meter')
    expect(
      accounts.map(({ upstream_id, cooling_until, cooling_models }) => [
        upstream_id,
        cooling_until,
        cooling_models.map(({ model }) => model),
      ]),
    ).toEqual(
      expect.arrayContaining([
        [first, null, ['gpt_4']],
        [second, null, []],
      ]),
    )
    expect(await askedOf(lin, 'new')).toMatchObject({ upstream_id: second, end: { outcome: 'finished' } })
    expect(await askedOf(lin, 'other', { ...WEB, model: 'gpt_3_5' })).toMatchObject({
      upstream_id: first,
      end: { outcome: 'finished' },
    })

    const waiting = await lin.chat(question('again', there(kept)))
    const held = await waiting.until(frame => frame['cooling_until'] !== undefined)
    expect(Date.parse(String(held['cooling_until']))).toBeGreaterThan(Date.now() + 10_000_000)
    // It comes behind the one that waits, and is asked before it.
    const mei = await person()
    const meis = await mei.ask('behind', { ...WEB, model: 'gpt_3_5', new_title: 'behind' })
    expect(await rowOf(String(meis[0]?.['conversation_id']))).toMatchObject({ upstream_id: second })
    two.setPace(20)
    await (await person()).chat(question('/simulate tokens=5000', WEB))
    await two.waitFor(({ path, ended }) => path === '/web/conversation' && ended === 'open')
    const next = await mei.ask('at the first', { ...WEB, model: 'gpt_3_5', new_title: 'at the first' })
    expect(next.at(-1)).toMatchObject({ outcome: 'finished' })
    expect(waiting.frames.some(isIn('waiting'))).toBe(false)
    two.setPace(0)
  })
})
