import { describe, expect, test } from 'vitest'
import type { ConversationHistory, SearchResults } from '#contract/conversations.ts'
import type { ImportedConversation, ImportedMessage, ImportResult } from '#contract/transfer.ts'
import { newId } from '#server/foundation/ids.ts'
import { eachDatabasePlace } from '#testing/database.ts'
import { type Person, question } from '#testing/person.ts'
import { startPortal } from '#testing/portal.ts'
import { type Random, randomFrom } from '#testing/random.ts'

const TIME = '2026-03-02T10:00:00.000Z'

function aMessage(fields: Partial<ImportedMessage> = {}): ImportedMessage {
  return {
    id: newId(),
    parent: null,
    role: 'user',
    author_name: null,
    model: null,
    create_time: TIME,
    content: { content_type: 'text', text: '热泵' },
    metadata: null,
    ...fields,
  }
}

function aConversation(messages: ImportedMessage[], fields: Partial<ImportedConversation> = {}): ImportedConversation {
  return {
    id: newId(),
    title: '热泵',
    create_time: TIME,
    update_time: TIME,
    current_node: messages.at(-1)?.id ?? null,
    current_model: 'gpt_4',
    messages,
    ...fields,
  }
}

/** A question with two answers, of which the first is the current one. */
function aFork() {
  const question = aMessage()
  const answers = ['第一个回答', '第二个回答'].map(text =>
    aMessage({ parent: question.id, role: 'assistant', model: 'gpt_4', content: { content_type: 'text', text } }),
  )
  return {
    question,
    answers,
    conversation: aConversation([question, ...answers], { current_node: answers[0]?.id ?? null }),
  }
}

async function imported(person: Person, ...conversations: ImportedConversation[]): Promise<ImportResult[]> {
  return (await person.result<{ results: ImportResult[] }>('POST', '/conv/import', { conversations })).results
}

type Page = { conversations: ConversationHistory[]; next: string | null; total: number }

async function exported(person: Person): Promise<ConversationHistory[]> {
  const all: ConversationHistory[] = []
  for (let after: string | null = ''; after !== null;) {
    const page: Page = await person.result<Page>('GET', `/conv/export${after === '' ? '' : `?after=${after}`}`)
    all.push(...page.conversations)
    after = page.next
  }
  return all
}

/** As the page sends an exported conversation. */
function again({
  _id: id,
  title,
  create_time,
  update_time,
  current_node,
  current_model,
  mapping,
}: ConversationHistory): ImportedConversation {
  return { id, title, create_time, update_time, current_node, current_model, messages: Object.values(mapping) }
}

const withoutIds = ({ _id, ...history }: ConversationHistory) => history

eachDatabasePlace((_name, place) => {
  describe('an import', () => {
    test('stores a conversation with its branches, times and place', async () => {
      const { person } = await startPortal({ place: await place() })
      const lin = await person()
      const { conversation, question, answers } = aFork()
      const [result] = await imported(lin, conversation)
      expect(result).toEqual({ conversation_id: expect.any(String), outcome: 'new', added: 3, reason: null })
      const history = await lin.result<ConversationHistory>('GET', `/conv/${result?.conversation_id}`)
      expect(history).toMatchObject({
        title: '热泵',
        source: 'openai_api',
        create_time: TIME,
        update_time: TIME,
        current_node: answers[0]?.id,
        current_model: 'gpt_4',
      })
      expect(history.mapping[question.id]?.children).toEqual(answers.map(({ id }) => id))
      const found = await lin.result<SearchResults>('GET', `/conv/search?words=${encodeURIComponent('第二个')}`)
      expect(found.results.map(({ message_id }) => message_id)).toEqual([answers[1]?.id])
    })

    test('lets nobody find the notes that no thread shows, nor does a copy of it', async () => {
      const { person } = await startPortal({ place: await place() })
      const lin = await person()
      const [note, question] = [aMessage({ role: 'system' }), aMessage()]
      const [result] = await imported(lin, aConversation([note, { ...question, parent: note.id }]))
      const copy = await lin.result<{ conversation_id: string }>(
        'POST',
        `/conv/${result?.conversation_id}/fork?message_id=${question.id}`,
      )
      const { results } = await lin.result<SearchResults>('GET', `/conv/search?words=${encodeURIComponent('热泵')}`)
      expect(results.map(({ conversation_id, role }) => [conversation_id, role]).toSorted()).toEqual(
        [result?.conversation_id, copy.conversation_id].map(id => [id, 'user']).toSorted(),
      )
    })

    test('that is repeated changes nothing', async () => {
      const { person } = await startPortal({ place: await place() })
      const lin = await person()
      const { conversation } = aFork()
      await imported(lin, conversation)
      const before = await exported(lin)
      expect(await imported(lin, conversation, conversation)).toMatchObject([
        { outcome: 'present', added: 0 },
        { outcome: 'present', added: 0 },
      ])
      expect(await exported(lin)).toEqual(before)
    })

    test('of the same file twice at once stores it once', async () => {
      const { person } = await startPortal({ place: await place() })
      const lin = await person()
      const { conversation } = aFork()
      const outcomes = await Promise.all([imported(lin, conversation), imported(lin, conversation)])
      expect(
        outcomes
          .flat()
          .map(({ outcome }) => outcome)
          .toSorted(),
      ).toEqual(['new', 'present'])
      expect(await exported(lin)).toHaveLength(1)
    })

    test('completes what is there with what is missing, and leaves the rest as it is', async () => {
      const { person } = await startPortal({ place: await place() })
      const lin = await person()
      const {
        conversation,
        question,
        answers: [first, second],
      } = aFork()
      const [{ conversation_id } = { conversation_id: null }] = await imported(lin, {
        ...conversation,
        messages: [question, first ?? question],
        current_node: first?.id ?? null,
      })
      await lin.result('PATCH', `/conv/${conversation_id}?title=mine`)
      expect(
        await imported(lin, { ...conversation, messages: [second ?? question], current_node: first?.id ?? null }),
      ).toMatchObject([{ conversation_id, outcome: 'completed', added: 1 }])
      const history = await lin.result<ConversationHistory>('GET', `/conv/${conversation_id}`)
      expect(history).toMatchObject({ title: 'mine', current_node: first?.id })
      expect(history.mapping[question.id]?.children).toEqual([first?.id, second?.id])
    })

    test('of one’s own export finds what is there, and brings back what was deleted', async () => {
      const { person } = await startPortal({ place: await place() })
      const lin = await person()
      await lin.ask('hello', { new_title: 'kept' })
      await lin.ask('hello', { new_title: 'deleted' })
      const before = await exported(lin)
      const deleted = before.find(({ title }) => title === 'deleted')
      await lin.result('DELETE', `/conv/${deleted?._id}`)
      expect((await imported(lin, ...before.map(again))).map(({ outcome }) => outcome).toSorted()).toEqual([
        'completed',
        'present',
      ])
      expect(await exported(lin)).toEqual(before)
    })

    test('leaves alone what was withdrawn', async () => {
      const { app, person } = await startPortal({ place: await place() })
      const lin = await person()
      const { conversation, question, answers } = aFork()
      const [{ conversation_id } = { conversation_id: null }] = await imported(lin, {
        ...conversation,
        messages: [question],
      })
      await app.services.open.database
        .updateTable('messages')
        .set({ withdraw_time: 1 })
        .where('message_id', '=', question.id)
        .execute()
      expect(await imported(lin, conversation)).toMatchObject([{ outcome: 'present', added: 0 }])
      expect((await lin.result<ConversationHistory>('GET', `/conv/${conversation_id}`)).mapping).toEqual({})
      expect(answers).toHaveLength(2)
    })

    test('belongs to whoever made it, and to nobody else with the same file', async () => {
      const { person } = await startPortal({ place: await place() })
      const [lin, mei] = [await person(), await person()]
      const { conversation } = aFork()
      const [[ofLin], [ofMei]] = [await imported(lin, conversation), await imported(mei, conversation)]
      expect(ofMei).toMatchObject({ outcome: 'new' })
      expect(ofMei?.conversation_id).not.toBe(ofLin?.conversation_id)
      await lin.ask('hello', { new_title: 'secret' })
      const own = (await exported(lin)).map(again)
      await imported(mei, ...own.map(each => ({ ...each, title: 'taken' })))
      expect((await exported(lin)).map(({ title }) => title)).toEqual(['热泵', 'secret'])
    })

    test('obeys the number of conversations, and refuses only those beyond it', async () => {
      const { person, admin } = await startPortal({ place: await place() })
      const lin = await person()
      await admin.result('PATCH', `/user/${lin.id}/setting`, { openai_api: { max_conv_count: 1 } })
      const [first, second] = [aFork().conversation, aFork().conversation]
      expect(await imported(lin, first, second, first)).toMatchObject([
        { outcome: 'new' },
        { outcome: 'refused', conversation_id: null, reason: 'errors.maxConversationCountReached' },
        { outcome: 'present' },
      ])
    })

    test('obeys the length of a conversation, and keeps nothing of one that is too long', async () => {
      const { person } = await startPortal({
        place: await place(),
        environment: { COMMONS_ASKING_MAX_MESSAGES_PER_CONVERSATION: '10' },
      })
      const lin = await person()
      const messages = Array.from({ length: 11 }, () => aMessage())
      expect(await imported(lin, aConversation(messages))).toMatchObject([
        { outcome: 'refused', reason: 'errors.conversationTooLong' },
      ])
      expect(await exported(lin)).toEqual([])
    })

    test('obeys what a conversation may take, also when it grows in parts, and lets it be asked in no more', async () => {
      const { person } = await startPortal({
        place: await place(),
        environment: { COMMONS_ASKING_MAX_CONVERSATION_BYTES: '65536' },
      })
      const lin = await person()
      const id = newId()
      const long = () => aMessage({ content: { content_type: 'text', text: '热'.repeat(10_000) } })
      const [first, second, third] = [long(), long(), long()]
      expect(await imported(lin, aConversation([first, second], { id }))).toMatchObject([{ outcome: 'new', added: 2 }])
      expect(await imported(lin, aConversation([third], { id }))).toMatchObject([
        { outcome: 'refused', reason: 'errors.conversationTooLong' },
      ])
      const [stored] = await exported(lin)
      const follow = (text_content: string) =>
        lin.chat(
          question(text_content, {
            new_conversation: false,
            conversation_id: stored?._id,
            parent: stored?.current_node,
          }),
        )
      await imported(
        lin,
        aConversation([aMessage({ content: { content_type: 'text', text: 'a'.repeat(5_300) } })], { id }),
      )
      expect((await (await follow('is there room?')).closed).reason).toBe('tips.finished')
      const [grown] = await exported(lin)
      const more = await lin.chat(
        question('and now?', { new_conversation: false, conversation_id: grown?._id, parent: grown?.current_node }),
      )
      expect((await more.closed).reason).toBe('errors.conversationTooLong')
    })

    test('of one that comes in parts takes what finds room, counts the rest, and goes on with it in another', async () => {
      const { person } = await startPortal({
        place: await place(),
        environment: { COMMONS_ASKING_MAX_MESSAGES_PER_CONVERSATION: '10' },
      })
      const lin = await person()
      const chain: ImportedMessage[] = []
      for (let at = 0; at < 25; at++)
        chain.push(aMessage({ parent: chain.at(-1)?.id ?? null, role: at % 2 === 0 ? 'user' : 'assistant' }))
      const id = newId()
      const part = (in_parts: number, from: number, to?: number) =>
        aConversation(chain.slice(from, to), {
          id: in_parts === 1 ? id : `${id}#${in_parts}`,
          in_parts,
          current_node: chain.at(-1)?.id ?? null,
          message_count: chain.length,
        })
      const all = () => imported(lin, part(1, 0, 6), part(1, 6, 14), part(1, 14), part(2, 10), part(3, 20))
      expect(await all()).toMatchObject([
        { outcome: 'new', added: 6, reason: null },
        { outcome: 'completed', added: 4, left: 4 },
        { outcome: 'present', added: 0, left: 11 },
        { outcome: 'new', added: 10, left: 5 },
        { outcome: 'new', added: 5 },
      ])
      const stored = (await exported(lin)).toSorted((a, b) => a.title.localeCompare(b.title))
      expect(stored.map(({ title, mapping }) => [title, Object.keys(mapping).length])).toEqual([
        ['热泵 (1)', 10],
        ['热泵 (2)', 10],
        ['热泵 (3)', 5],
      ])
      expect(stored.map(({ current_node }) => current_node)).toEqual([chain[9]?.id, chain[19]?.id, chain[24]?.id])
      // The same file changes nothing, and the last one can be asked in.
      expect((await all()).map(({ outcome, added }) => [outcome, added])).toEqual(
        Array.from({ length: 5 }, () => ['present', 0]),
      )
      expect(await exported(lin)).toHaveLength(3)
      const last = stored.at(-1)
      expect(
        (
          await lin.ask('and then?', {
            new_conversation: false,
            conversation_id: last?._id,
            parent: last?.current_node,
          })
        ).at(-1),
      ).toMatchObject({ type: 'finished' })
    })

    test('refuses a message that finds no room in any part', async () => {
      const { person } = await startPortal({
        place: await place(),
        environment: { COMMONS_ASKING_MAX_CONVERSATION_BYTES: '65536' },
      })
      const lin = await person()
      const long = aMessage({ content: { content_type: 'text', text: '热'.repeat(30_000) } })
      expect(await imported(lin, aConversation([long], { in_parts: 1 }))).toMatchObject([
        { outcome: 'refused', reason: 'errors.conversationTooLong' },
      ])
      expect(await imported(lin, aConversation([aMessage(), long], { in_parts: 1 }))).toMatchObject([
        { outcome: 'new', added: 1, left: 1 },
      ])
      expect(await exported(lin)).toMatchObject([{ title: '热泵 (1)' }])
    })

    test('of a conversation without messages is refused', async () => {
      const { person } = await startPortal({ place: await place() })
      const lin = await person()
      expect(
        await imported(lin, aConversation([]), aConversation([], { in_parts: 1 }), aConversation([aMessage()])),
      ).toMatchObject([
        { outcome: 'refused', reason: 'errors.missingMessage' },
        { outcome: 'refused' },
        { outcome: 'new' },
      ])
      expect(await exported(lin)).toHaveLength(1)
    })

    test('makes of odd ids, lost parents, circles and times to come what can be read', async () => {
      const { person } = await startPortal({ place: await place() })
      const lin = await person()
      const odd = [
        aMessage({ id: 'client-created-root', create_time: '2999-01-01T00:00:00.000Z' }),
        aMessage({ id: 'aaa', parent: 'client-created-root' }),
        aMessage({ id: 'x', parent: 'y' }),
        aMessage({ id: 'y', parent: 'x' }),
        aMessage({ id: 'self', parent: 'self' }),
        aMessage({ id: 'aaa' }),
        aMessage({ id: 'lost', parent: 'nowhere' }),
      ]
      const [result] = await imported(
        lin,
        aConversation(odd, {
          id: '../../etc',
          title: 'two\nlines',
          update_time: '2999-01-01T00:00:00.000Z',
          current_node: 'unknown',
        }),
      )
      expect(result).toMatchObject({ outcome: 'new', added: 6 })
      const history = await lin.result<ConversationHistory>('GET', `/conv/${result?.conversation_id}`)
      const parents = Object.values(history.mapping).map(({ parent }) => parent)
      expect(parents.filter(parent => parent === null)).toHaveLength(4)
      expect(parents.every(parent => parent === null || history.mapping[parent] !== undefined)).toBe(true)
      expect(history.title).toBe('two lines')
      for (const time of [
        history.update_time,
        ...Object.values(history.mapping).map(message => message.create_time ?? ''),
      ])
        expect(Date.parse(time)).toBeLessThanOrEqual(Date.now())
      expect(Object.keys(history.mapping)).toContain(history.current_node)
    })

    test('can be asked on in', async () => {
      const { person } = await startPortal({ place: await place() })
      const lin = await person()
      const { conversation, answers } = aFork()
      const [{ conversation_id } = { conversation_id: null }] = await imported(lin, conversation)
      const frames = await lin.ask('and then?', { new_conversation: false, conversation_id, parent: answers[1]?.id })
      expect(frames.at(-1)).toMatchObject({ type: 'finished', outcome: 'finished' })
    })

    test('of nonsense is refused as a whole', async () => {
      const { person } = await startPortal({ place: await place() })
      const lin = await person()
      const good = aConversation([aMessage()])
      for (const body of [
        {},
        { conversations: [] },
        { conversations: [null] },
        { conversations: [{ ...good, messages: 'none' }] },
        { conversations: Array.from({ length: 101 }, () => good) },
        { conversations: [{ ...good, create_time: 'yesterday' }] },
        { conversations: [{ ...good, messages: [{ ...aMessage(), role: 'root' }] }] },
        { conversations: [{ ...good, messages: [aMessage({ content: { content_type: 'text', text: 'a\0b' } })] }] },
      ])
        expect(await lin.call('POST', '/conv/import', body)).toMatchObject({ code: 422 })
      expect(await exported(lin)).toEqual([])
    })
  })

  describe('what is exported', () => {
    test('and imported by somebody else is exported by them as the same trees', async () => {
      const { person } = await startPortal({ place: await place() })
      for (const seed of [1, 2, 3]) {
        const [lin, mei] = [await person(), await person()]
        const random = randomFrom(seed)
        await imported(lin, ...Array.from({ length: 4 }, () => aRandomConversation(random)))
        const first = await exported(lin)
        await imported(mei, ...first.map(again))
        expect((await exported(mei)).map(withoutIds)).toEqual(first.map(withoutIds))
      }
    })

    test('are one’s own valid conversations, some at a time and each once', async () => {
      const { person } = await startPortal({ place: await place() })
      const [lin, mei] = [await person(), await person()]
      const long = { content_type: 'text', text: '长'.repeat(150_000) } as const
      const many = Array.from({ length: 12 }, (_, at) =>
        aConversation([aMessage({ content: long })], { title: `${at}` }),
      )
      for (const each of many) await imported(lin, each)
      await imported(mei, aConversation([aMessage()]))
      const page = await lin.result<Page>('GET', '/conv/export')
      expect(page).toMatchObject({ total: 12, next: expect.any(String) })
      expect(page.conversations.length).toBeLessThan(12)
      expect((await exported(lin)).map(({ title }) => title)).toEqual(many.map(({ title }) => title))
    })
  })
})

function aRandomConversation(random: Random): ImportedConversation {
  const messages: ImportedMessage[] = []
  for (let count = 1 + random.below(40); count > 0; count--) {
    const parent = random.percent(10) ? null : (messages[random.below(messages.length + 1)]?.id ?? null)
    messages.push(
      aMessage({
        parent,
        role: random.of(['user', 'assistant', 'tool', 'system']),
        model: random.of([null, 'gpt_4']),
        author_name: random.of([null, 'python']),
        create_time: new Date(1_700_000_000_000 + random.below(1e9)).toISOString(),
        content: random.of([
          null,
          { content_type: 'text', text: '“引号”\n\n😀' },
          { content_type: 'text', parts: ['a', 'b'] },
          { content_type: 'code', language: 'python', text: 'print(1)' },
          {
            content_type: 'tether_quote',
            url: 'https://example.org',
            text: 'words',
            title: null,
            extra: { deep: [1, null] },
          },
        ]),
        metadata: random.of([
          null,
          { source: 'openai_api', usage: { prompt_tokens: 1, completion_tokens: 2 } },
          { source: 'openai_web', fallback_content: { any: ['thing'] } },
        ]),
      }),
    )
  }
  return aConversation(messages, {
    current_node: random.of(messages).id,
    title: random.of([null, '标题', 'a title']),
    current_model: random.of([null, 'gpt_4']),
  })
}
