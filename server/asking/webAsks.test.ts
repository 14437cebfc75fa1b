import { describe, expect, test } from 'vitest'
import type { ConversationHistory } from '#contract/conversations.ts'
import type { Message } from '#contract/messages.ts'
import { conversationStore } from '#server/conversations/store.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import type { Provider, ProviderAsk } from '#server/providers/provider.ts'
import { anAnswer } from '#testing/asks.ts'
import { eachStorage } from '#testing/database.ts'
import { type Person, question } from '#testing/person.ts'
import { aPlugin } from '#testing/plugins.ts'
import { startPortal } from '#testing/portal.ts'
import { storedUpstream } from '#testing/upstreams.ts'

const TEAM = 'team-1'
const ENVIRONMENT = {
  COMMONS_OPENAI_WEB_ENABLED: 'true',
  COMMONS_OPENAI_WEB_CHATGPT_BASE_URL: 'http://web.example.org/',
  COMMONS_OPENAI_WEB_ENABLE_TEAM_SUBSCRIPTION: 'true',
  COMMONS_OPENAI_WEB_TEAM_ACCOUNT_ID: TEAM,
  COMMONS_OPENAI_WEB_ENABLED_MODELS: '["gpt_3_5","gpt_4","gpt_4_plugins"]',
}
const WEB = { source: 'openai_web', model: 'gpt_4' } as const

/**
 * The shared account: keeps conversations itself, and answers each question with its number. Refuses as often as it is
 * told.
 */
function webService() {
  const asked: ProviderAsk[] = []
  const service = { asked, refusals: 0 }
  const provider: Provider = {
    async readConversation() {
      const first = { ...anAnswer('first', 'one'), role: 'user' as const, parent: 'beginning' }
      return {
        ...{ title: null, create_time: null, update_time: null, current_node: null },
        messages: [first],
        metadata: { source: 'openai_web' },
      }
    },
    listInstalledPlugins: () => Promise.resolve([aPlugin('plugin-1')]),
    async reply(ask, emit) {
      asked.push(ask)
      if (service.refusals > 0) {
        service.refusals--
        throw new Refusal('httpError')
      }
      const id = `answer-${asked.length}`
      emit({ type: 'conversation', upstream_conversation_id: ask.question.upstream_conversation_id ?? 'theirs' })
      emit({
        type: 'message',
        message: {
          ...anAnswer(id, ''),
          source: 'openai_web',
          content: { content_type: 'text', parts: [`Answer ${asked.length}`] },
          metadata: { source: 'openai_web', recipient: 'all', end_turn: true },
        },
      })
    },
  }
  return { service, provider }
}

const partsOf = ({ thread }: ProviderAsk) => thread.map(({ role, content, parent }) => ({ role, content, parent }))
const said = (text: string) => ({ content_type: 'text', parts: [text] })

eachStorage((_name, storage) => {
  async function aWebPortal(environment = {}) {
    const { service, provider } = webService()
    const portal = await startPortal({
      storage: await storage(),
      environment: { ...ENVIRONMENT, ...environment },
      providers: { openai_web: provider },
    })
    const { database } = portal.app.services.open
    const lin = await portal.person()
    const rowOf = async (conversation_id: string) => conversationStore(database).find(conversation_id)
    const useTeam = (use_team: boolean) =>
      portal.admin.result('PATCH', `/user/${lin.id}/setting`, { openai_web: { use_team } })
    return { ...portal, database, lin, service, asked: service.asked, rowOf, useTeam }
  }

  /** Asks and gives the id of the conversation and that of the question. */
  async function askOf(person: Person, text: string, more: object = {}) {
    const frames = await person.ask(text, { ...WEB, ...more })
    const asked = frames[0]?.['question'] as Message | null // of its event
    return { conversation_id: String(frames[0]?.['conversation_id']), question_id: asked?.id ?? null, frames }
  }
  const refused = async (person: Person, more: object) => {
    const chat = await person.chat(question('hello', { ...WEB, ...more }))
    return (await chat.closed).reason
  }

  describe('a question of the web source', () => {
    test('goes alone, and once more beside itself when it is asked again after an answer', async () => {
      const { lin, asked } = await aWebPortal()
      const { conversation_id, question_id } = await askOf(lin, 'one', { new_title: 'x' })
      const there = { new_conversation: false, conversation_id }
      await askOf(lin, 'two', { ...there, parent: 'answer-1' })
      const again = await askOf(lin, ':continue', { ...there, parent: question_id })
      expect(again.question_id).not.toBe(question_id)
      await askOf(lin, 'two, edited', { ...there, parent: 'answer-1', variant_of: asked[1]?.thread[0]?.id })
      await askOf(lin, ':continue', { ...there, parent: 'answer-2' })
      expect(asked.map(partsOf)).toMatchObject([
        [{ role: 'user', content: said('one'), parent: null }],
        [{ role: 'user', content: said('two'), parent: 'answer-1' }],
        [{ role: 'user', content: said('one'), parent: 'beginning' }],
        [{ role: 'user', content: said('two, edited'), parent: 'answer-1' }],
        [{ role: 'assistant', content: said('Answer 2') }],
      ])
      expect(asked.map(({ question: { continues } }) => continues)).toEqual([false, false, false, false, true])
      const { mapping } = await lin.result<ConversationHistory>('GET', `/conv/${conversation_id}`)
      const beginnings = [question_id, again.question_id].map(id => mapping[id ?? '']?.parent)
      expect(beginnings).toEqual([null, null])
    })

    test('that got no answer is sent again as it is, begins the conversation anew, and is nobody’s parent', async () => {
      const { lin, asked, service, rowOf } = await aWebPortal()
      service.refusals = 2
      const plugins = { model: 'gpt_4_plugins', openai_web_plugin_ids: ['plugin-1'] }
      const { conversation_id, question_id } = await askOf(lin, 'one', { new_title: 'x', ...plugins })
      const there = { new_conversation: false, conversation_id, model: 'gpt_4_plugins' }
      await askOf(lin, ':continue', { ...there, parent: question_id })
      await askOf(lin, 'instead', { ...there, parent: question_id })
      expect(asked.map(({ thread }) => thread[0]?.id === question_id)).toEqual([true, true, false])
      expect(asked.at(-1)?.thread).toMatchObject([{ parent: null, content: said('instead') }])
      expect(asked.map(each => each.question.extras['plugin_ids'])).toEqual([['plugin-1'], ['plugin-1'], ['plugin-1']])
      expect(await rowOf(conversation_id)).toMatchObject({
        upstream_conversation_id: 'theirs',
        conversation_metadata: { plugin_ids: ['plugin-1'] },
      })
    })

    test('has plugins with the model for them alone, and those of a later question are left out', async () => {
      const { lin, asked } = await aWebPortal()
      const plugins = { openai_web_plugin_ids: ['plugin-1'] }
      expect(await refused(lin, plugins)).toBe('errors.pluginsNotAllowed')
      expect(await refused(lin, { ...plugins, source: 'openai_api' })).toBe('errors.pluginsNotAllowed')
      const four = { openai_web_plugin_ids: ['1', '2', '3', '4'], model: 'gpt_4_plugins' }
      expect(await refused(lin, four)).toBe('errors.pluginsCountMoreThan3')
      const unknown = { openai_web_plugin_ids: ['plugin-1', 'plugin-2'], model: 'gpt_4_plugins' }
      expect(await refused(lin, unknown)).toBe('errors.pluginNotFound')
      const { conversation_id } = await askOf(lin, 'one', { ...plugins, new_title: 'x', model: 'gpt_4_plugins' })
      await askOf(lin, 'two', { ...plugins, new_conversation: false, conversation_id, parent: 'answer-1' })
      expect(asked.map(each => each.question.extras['plugin_ids'])).toEqual([['plugin-1'], []])
    })

    test('keeps its files, which only the account that has them is asked with', async () => {
      const { lin, app, database, asked, rowOf } = await aWebPortal()
      const holder = await storedUpstream(app, { source: 'openai_web' })
      const file = { file_id: crypto.randomUUID(), uploader_id: lin.id, original_filename: 'a.png', size: 3 }
      await database
        .insertInto('uploaded_files')
        .values({
          ...{ ...file, content_type: 'image/png', upload_time: 1, web_file_id: 'file-abc', download_url: 'https://x' },
          upstream_id: holder,
        })
        .execute()
      const attachments = [{ name: 'a.png', id: 'file-abc', size: 3, mimeType: 'image/png' }]
      const image = { asset_pointer: 'file-service://file-abc', size_bytes: 3, width: 1, height: 2 }
      const files = { openai_web_attachments: attachments, openai_web_multimodal_image_parts: [image] }
      const { conversation_id, question_id } = await askOf(lin, 'look', { new_title: 'x', ...files })
      expect(await rowOf(conversation_id)).toMatchObject({ upstream_id: holder })
      const shown = { content_type: 'image_asset_pointer', ...image }
      expect(asked[0]?.thread.at(-1)).toMatchObject({
        content: { parts: [shown, 'look'] },
        metadata: { attachments },
      })
      const { mapping } = await lin.result<ConversationHistory>('GET', `/conv/${conversation_id}`)
      expect(mapping[question_id ?? '']).toMatchObject({
        content: { content_type: 'multimodal_text', parts: [shown, 'look'] },
        metadata: { source: 'openai_web', attachments },
      })
      const atFirst = await askOf(lin, 'one', { new_title: 'y' })
      expect(await rowOf(atFirst.conversation_id)).not.toMatchObject({ upstream_id: holder })
      const there = { new_conversation: false, conversation_id: atFirst.conversation_id, parent: 'answer-2' }
      expect(await refused(lin, { ...there, ...files })).toBe('errors.fileOfOtherAccount')
      const neutral = [
        { file_id: 'file-abc', as: 'picture', name: '', size: 3, width: 1, height: 2 },
        { file_id: 'file-abc', as: 'file', name: 'a.png', size: 3, mime_type: 'image/png' },
      ]
      await askOf(lin, 'look', { new_title: 'z', attachments: neutral })
      expect(asked.at(-1)?.thread.at(-1)).toMatchObject({
        content: { parts: [shown, 'look'] },
        metadata: { attachments },
      })
    })
  })

  describe('the team of an account', () => {
    test('has the conversations that are begun by whoever may use it, and personal ones stay personal', async () => {
      const { lin, asked, rowOf, useTeam } = await aWebPortal()
      await useTeam(false)
      const mine = await askOf(lin, 'mine', { new_title: 'mine' })
      await useTeam(true)
      const ours = await askOf(lin, 'ours', { new_title: 'ours' })
      await askOf(lin, 'more', { new_conversation: false, conversation_id: ours.conversation_id, parent: 'answer-2' })
      await askOf(lin, 'more', { new_conversation: false, conversation_id: mine.conversation_id, parent: 'answer-1' })
      expect(asked.map(({ upstream }) => upstream.web?.team_account_id)).toEqual([null, TEAM, TEAM, null])
      expect((await rowOf(ours.conversation_id))?.source_id).toBe(TEAM)
      expect((await rowOf(mine.conversation_id))?.source_id).toBe(null)
    })

    test('is refused in words to whoever may not use it any more', async () => {
      const { lin, useTeam } = await aWebPortal()
      await useTeam(true)
      const { conversation_id } = await askOf(lin, 'ours', { new_title: 'ours' })
      const there = { new_conversation: false, conversation_id, parent: 'answer-1' }
      await useTeam(false)
      expect(await refused(lin, there)).toBe('errors.teamConversationNotAllowed')
      const file = { file_name: 'a.pdf', file_size: 10, use_case: 'my_files' }
      const { message } = await lin.call(
        'POST',
        `/files/openai-web/upload-start?conversation_id=${conversation_id}`,
        file,
      )
      expect(message).toBe('errors.teamConversationNotAllowed')
    })

    test('is renamed by those who may use it, and by superusers; the others read and delete it', async () => {
      const { lin, admin, useTeam } = await aWebPortal()
      await useTeam(true)
      const { conversation_id } = await askOf(lin, 'ours', { new_title: 'ours' })
      const at = `/conv/${conversation_id}`
      await useTeam(false)
      for (const change of ['?title=mine', '/gen_title?message_id=answer-1'])
        expect((await lin.call('PATCH', at + change)).message).toBe('errors.teamConversationNotAllowed')
      expect((await lin.result<ConversationHistory>('GET', at)).title).toBe('ours')
      await admin.result('PATCH', `${at}?title=theirs`)
      await useTeam(true)
      await lin.result('PATCH', `${at}?title=ours+again`)
      await useTeam(false)
      await lin.result('DELETE', at)
      await lin.result('POST', `${at}/restore`)
      expect((await lin.result<ConversationHistory>('GET', at)).title).toBe('ours again')
    })

    test('is refused to everybody while the portal uses none', async () => {
      const { lin, database, rowOf, useTeam } = await aWebPortal({
        COMMONS_OPENAI_WEB_ENABLE_TEAM_SUBSCRIPTION: 'false',
      })
      await useTeam(true)
      const { conversation_id } = await askOf(lin, 'mine', { new_title: 'mine' })
      expect((await rowOf(conversation_id))?.source_id).toBe(null)
      await conversationStore(database).change(conversation_id, { source_id: TEAM })
      const there = { new_conversation: false, conversation_id, parent: 'answer-1' }
      expect(await refused(lin, there)).toBe('errors.teamConversationNotAllowed')
    })
  })
})
