import { describe, expect, test } from 'vitest'
import type { ConversationRecord } from '#contract/conversations.ts'
import type { ConversationChangeResult } from '#contract/conversationAdministration.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import type { Provider } from '#server/providers/provider.ts'
import { anAnswer } from '#testing/asks.ts'
import { eachStorage } from '#testing/database.ts'
import type { Person } from '#testing/person.ts'
import { startPortal } from '#testing/portal.ts'
import { until } from '#testing/until.ts'
import { conversationStore } from '#server/conversations/store.ts'

const WEB = { source: 'openai_web', model: 'gpt_4' } as const

/** A shared account that notes what it is told, and refuses it as the test says. */
function webService() {
  const service = { sent: [] as string[], refuses: null as Refusal | null, title: 'Made there' as string | null }
  let asked = 0
  const sent = (text: string) => {
    service.sent.push(text)
    return service.refuses === null ? Promise.resolve() : Promise.reject(service.refuses)
  }
  const provider: Provider = {
    async reply({ question }, emit) {
      const upstream_conversation_id = question.upstream_conversation_id ?? `theirs-${++asked}`
      emit({ type: 'conversation', upstream_conversation_id })
      const content = { content_type: 'text' as const, parts: ['An answer'] }
      const metadata = { source: 'openai_web' as const }
      emit({ type: 'message', message: { ...anAnswer('answer', ''), source: 'openai_web', content, metadata } })
    },
    renameConversation: (_endpoint, id, title) => sent(`${id}: ${title}`),
    hideConversation: (_endpoint, id) => sent(`hide ${id}`),
    showConversation: (_endpoint, id) => sent(`show ${id}`),
    titleConversation: async (_endpoint, id, message_id) => {
      await sent(`title ${id} ${message_id}`)
      return service.title ?? ''
    },
  }
  return { service, provider }
}

eachStorage((_name, storage) => {
  async function aWebPortal() {
    const { service, provider } = webService()
    const portal = await startPortal({
      storage: await storage(),
      environment: { COMMONS_OPENAI_WEB_ENABLED: 'true' },
      providers: { openai_web: provider },
    })
    const { open } = portal.app.services
    const rowOf = (id: string) => conversationStore(open.database).find(id)
    const left = () => open.database.selectFrom('upstream_changes').selectAll().execute()
    const sent = (...lines: string[]) => until(() => expect(service.sent).toEqual(lines))
    const lin = await portal.person()
    return { ...portal, open, service, rowOf, left, sent, lin }
  }
  async function askOf(person: Person, new_title: string) {
    const [accepted] = await person.ask('What is it about?\nThat.', { ...WEB, new_title })
    return String(accepted?.['conversation_id'])
  }
  const listOf = (person: Person) => person.result<ConversationRecord[]>('GET', '/conv')

  describe('what is changed here of a conversation that the web service keeps', () => {
    test('is told there: the title that somebody gave it, its deletion and its return', async () => {
      const { lin, sent, left } = await aWebPortal()
      const id = await askOf(lin, 'Mine')
      await sent('theirs-1: Mine')
      await lin.result('PATCH', `/conv/${id}?title=Ours`)
      await sent('theirs-1: Mine', 'theirs-1: Ours')
      await lin.result('DELETE', `/conv/${id}`)
      await sent('theirs-1: Mine', 'theirs-1: Ours', 'hide theirs-1')
      await lin.result('POST', `/conv/${id}/restore`)
      await sent('theirs-1: Mine', 'theirs-1: Ours', 'hide theirs-1', 'show theirs-1')
      await until(async () => expect(await left()).toEqual([]))
    })

    test('counts here at once and stays when it could not be told there, which is tried again', async () => {
      const { lin, service, sent, left, open, app } = await aWebPortal()
      const id = await askOf(lin, 'Mine')
      await sent('theirs-1: Mine')
      await until(async () => expect(await left()).toEqual([]))
      service.refuses = new Refusal('openai.500')
      await lin.result('PATCH', `/conv/${id}?title=Ours`)
      expect(await listOf(lin)).toMatchObject([{ title: 'Ours' }])
      await lin.result('DELETE', `/conv/${id}`)
      expect(await listOf(lin)).toEqual([])
      await until(async () => expect((await left()).map(({ failures }) => failures)).toEqual([1, 1]))
      service.refuses = null
      service.sent.length = 0
      await open.database.updateTable('upstream_changes').set({ next_try: 1 }).execute()
      await until(async () => {
        await app.services.jobs.start('changes at upstreams')
        expect(service.sent.toSorted()).toEqual(['hide theirs-1', 'theirs-1: Ours'])
      })
    })

    test('is told of each of one’s own when all are deleted, and of everybody’s by a superuser, never of others there', async () => {
      const { lin, admin, person, service, sent } = await aWebPortal()
      for (const title of ['', '']) await askOf(lin, title)
      const mei = await person()
      await askOf(mei, '')
      service.sent.length = 0
      await lin.result('DELETE', '/conv')
      expect(await listOf(lin)).toEqual([])
      await until(() => expect(service.sent.toSorted()).toEqual(['hide theirs-1', 'hide theirs-2']))
      service.sent.length = 0
      await admin.result('DELETE', '/conv')
      await sent('hide theirs-3')
    })

    test('is its end when it is removed for good: hidden there first, and refused where that cannot be', async () => {
      const { lin, admin, service, rowOf } = await aWebPortal()
      const [one, two] = [await askOf(lin, ''), await askOf(lin, '')]
      service.sent.length = 0
      service.refuses = new Refusal('openai.401')
      expect(await admin.call('DELETE', `/conv/${one}/vanish`)).toMatchObject({ message: 'errors.openai.401' })
      expect((await rowOf(one))?.is_valid).toBe(false)
      const ids = [(await rowOf(one))?.id ?? 0, (await rowOf(two))?.id ?? 0]
      const destroy = async () => {
        const { key } = await admin.result<{ key: string }>('POST', '/system/conversations/bulk', {
          action: 'vanish',
          ids,
        })
        return until(async () => {
          const job = await admin.result<{ state: string; last_run: { result: ConversationChangeResult } | null }>(
            'GET',
            `/system/jobs/conversations/${key}`,
          )
          expect(job.state).toBe('idle')
          return job.last_run?.result
        })
      }
      expect(await destroy()).toMatchObject({ done: 0, failed: 2, failed_ids: { 'openai.401': ids } })
      expect((await rowOf(two))?.is_valid).toBe(false)
      service.refuses = null
      expect(await destroy()).toMatchObject({ done: 2, failed: 0, done_ids: ids })
      expect(await rowOf(one)).toBe(undefined)
    })
  })

  describe('the title of a conversation that the web service keeps', () => {
    test('is made there, and by its question where none is made there', async () => {
      const { lin, service, rowOf } = await aWebPortal()
      const one = await askOf(lin, '')
      expect((await rowOf(one))?.title).toBe('Made there')
      expect(service.sent).toEqual(['title theirs-1 answer'])
      service.refuses = new Refusal('openai.500')
      const two = await askOf(lin, '')
      expect((await rowOf(two))?.title).toBe('What is it about?')
      service.refuses = null
      expect(await lin.result('PATCH', `/conv/${two}/gen_title?message_id=answer`)).toBe('What is it about?')
    })
  })
})
