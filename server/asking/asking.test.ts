import { describe, expect, test } from 'vitest'
import type { ConversationHistory, ConversationRecord } from '#contract/conversations.ts'
import { textOf } from '#contract/messages.ts'
import { eachStorage } from '#testing/database.ts'
import { bringsText, question, textOfFrames } from '#testing/person.ts'
import { startPortal } from '#testing/portal.ts'

eachStorage((_name, storage) => {
  describe('an ask', () => {
    test('is answered, and its answer is there when the conversation is read again', async () => {
      const { person, simulator } = await startPortal({ storage: await storage() })
      const lin = await person()
      simulator.setPace(100)
      simulator.nextAnswer('你好，这里是**答案**。')
      const frames = await lin.ask('什么是热泵？')
      expect(frames.map(frame => frame.type ?? 't').filter(type => type !== 't')).toEqual([
        'accepted',
        'waiting',
        'message',
        'finished',
        'title',
      ])
      expect(textOfFrames(frames)).toBe('你好，这里是**答案**。')
      const conversation_id = String(frames[0]?.['conversation_id'])
      const history = await lin.result<ConversationHistory>('GET', `/conv/${conversation_id}`)
      const thread = Object.values(history.mapping)
      expect(thread.map(message => [message.role, textOf(message)])).toEqual([
        ['user', '什么是热泵？'],
        ['assistant', '你好，这里是**答案**。'],
      ])
      expect(history.current_node).toBe(thread[1]?.id)
      expect(thread[1]).toMatchObject({
        model: 'gpt_4',
        parent: thread[0]?.id,
        metadata: { source: 'openai_api', finish_reason: 'stop' },
      })
    })

    test('numbers its events so that each carries on where the one before ended', async () => {
      const { person, simulator } = await startPortal({ storage: await storage() })
      const lin = await person()
      simulator.setPace(100)
      simulator.nextAnswer('one two three four five six seven eight nine ten')
      const frames = await lin.ask('count')
      expect(frames.filter(frame => 't' in frame).length).toBeGreaterThan(1)
      let n = 0
      for (const frame of frames) {
        if (typeof frame['t'] === 'string') expect(frame['n']).toBe(n + frame['t'].length)
        if (typeof frame['n'] === 'number') n = frame['n']
      }
      expect(n).toBeGreaterThan(40)
    })

    test('in a conversation goes on from the chosen message and takes its context along', async () => {
      const { person, simulator } = await startPortal({ storage: await storage() })
      const lin = await person()
      const first = await lin.ask('first question')
      const conversation_id = String(first[0]?.['conversation_id'])
      const history = await lin.result<ConversationHistory>('GET', `/conv/${conversation_id}`)
      await lin.ask('second question', { new_conversation: false, conversation_id, parent: history.current_node })
      await lin.ask('another second', { new_conversation: false, conversation_id, parent: history.current_node })
      const asked = simulator.journal
        .map(entry => entry.body as { messages: { content: string }[] })
        .map(body => body.messages.map(message => message.content))
      expect(asked.at(-1)).toEqual([
        'first question',
        textOf(history.mapping[history.current_node ?? ''] ?? { content: null }),
        'another second',
      ])
      const after = await lin.result<ConversationHistory>('GET', `/conv/${conversation_id}`)
      expect(after.mapping[history.current_node ?? '']?.children).toHaveLength(2)
    })

    test('takes along at most api_context_message_count messages, and no answer without its question', async () => {
      const { person, simulator } = await startPortal({ storage: await storage() })
      const lin = await person()
      simulator.nextAnswer('one')
      const first = await lin.ask('first', { new_title: 'named' })
      const inIt = { new_conversation: false, conversation_id: String(first[0]?.['conversation_id']) }
      const currentNode = () =>
        lin.result<ConversationHistory>('GET', `/conv/${inIt.conversation_id}`).then(history => history.current_node)
      simulator.nextAnswer('two')
      await lin.ask('second', { ...inIt, parent: await currentNode() })
      const parent = await currentNode()
      const taken = []
      for (const api_context_message_count of [0, 1, 2, 3, 4, 1000]) {
        await lin.ask('now', { ...inIt, parent, api_context_message_count })
        const { messages } = simulator.journal.at(-1)!.body as { messages: { content: string }[] }
        taken.push(messages.map(message => message.content).join(' '))
      }
      expect(taken).toEqual([
        'now',
        'now',
        'second two now',
        'second two now',
        'first one second two now',
        'first one second two now',
      ])
    })

    test('gets a title from the first exchange when it was begun without one', async () => {
      const { person } = await startPortal({ storage: await storage() })
      const lin = await person()
      await lin.ask('How does a heat pump work?')
      await lin.ask('named', { new_title: 'My own title' })
      const titles = (await lin.result<ConversationRecord[]>('GET', '/conv')).map(record => record.title)
      expect(titles).toHaveLength(2)
      expect(titles).toContain('My own title')
      expect(titles.every(title => title !== null && title !== '')).toBe(true)
    })

    test('that fails leaves its question’s first line as the title, which a later answer leaves as it is', async () => {
      const { person, simulator } = await startPortal({ storage: await storage() })
      const lin = await person()
      simulator.nextFault({ kind: 'status', status: 500 })
      const frames = await lin.ask('\n# 热泵冬天也能用吗？\n第二行')
      expect(frames.at(-2)).toMatchObject({ type: 'error' })
      expect(frames.at(-1)).toEqual({ type: 'title', title: '热泵冬天也能用吗？' })
      const [record] = await lin.result<ConversationRecord[]>('GET', '/conv')
      expect(record?.title).toBe('热泵冬天也能用吗？')
      const { current_node } = await lin.result<ConversationHistory>('GET', `/conv/${record?.conversation_id}`)
      await lin.ask('and now?', {
        new_conversation: false,
        conversation_id: record?.conversation_id,
        parent: current_node,
      })
      expect(await lin.result('GET', '/conv')).toMatchObject([{ title: '热泵冬天也能用吗？' }])
    })

    test('that is stopped ends at the upstream and keeps what has arrived', async () => {
      const { person, simulator } = await startPortal({ storage: await storage() })
      simulator.setPace(50)
      const lin = await person()
      const chat = await lin.chat(question('/simulate tokens=2000', { new_title: 'long' }))
      await chat.until(bringsText)
      chat.send({ stop: true })
      expect(await chat.until(frame => frame.type === 'finished')).toMatchObject({ outcome: 'stopped', charged: true })
      await simulator.waitFor(entry => entry.ended === 'aborted')
      const conversation_id = String(chat.frames[0]?.['conversation_id'])
      const history = await lin.result<ConversationHistory>('GET', `/conv/${conversation_id}`)
      const answer = history.mapping[history.current_node ?? '']
      expect(answer?.metadata).toMatchObject({ ending: 'stopped' })
      expect(textOf(answer ?? { content: null })).toBe(textOfFrames(chat.frames))
    })

    test('goes on when its socket is gone, and is taken up again without gap or repeat', async () => {
      const { person, simulator } = await startPortal({ storage: await storage() })
      simulator.setPace(100)
      const lin = await person()
      const chat = await lin.chat(question('/simulate tokens=150', { new_title: 'long' }))
      const some = await chat.until(bringsText)
      chat.leave()
      await chat.closed
      const last = Math.max(...chat.frames.map(frame => Number(frame['n'] ?? 0)))
      expect(Number(some['n'])).toBeLessThanOrEqual(last)
      const again = await lin.chat({ resume: chat.frames[0]?.['ask_id'], after: last })
      await again.until(frame => frame.type === 'finished')
      const numbered = again.frames.filter(frame => typeof frame['n'] === 'number')
      const firstText = numbered.find(frame => typeof frame['t'] === 'string')
      expect(Number(firstText?.['n']) - String(firstText?.['t']).length).toBe(last)
      const sent = simulator.journal[0]?.sent ?? ''
      const appended = textOfFrames(chat.frames.concat(again.frames.filter(frame => frame.type !== 'message')))
      expect(sent.startsWith(appended)).toBe(true)
      expect(appended.length).toBeGreaterThan(last)
      expect(textOfFrames(again.frames)).toBe(sent)
    })

    test('taken up again beyond what has come tells nothing twice and holds nobody up', async () => {
      const { person, simulator } = await startPortal({ storage: await storage() })
      simulator.setPace(20)
      const lin = await person()
      const ask_id = crypto.randomUUID()
      const chat = await lin.chat(question('/simulate tokens=500', { ask_id, new_title: 'far' }))
      await chat.until(bringsText)
      const ahead = await lin.chat({ resume: ask_id, after: 1_000_000 })
      await ahead.until(frame => frame.type === 'waiting')
      expect(await lin.result('GET', '/user/me')).toMatchObject({ id: lin.id })
      ahead.send({ stop: true })
      await ahead.until(frame => frame.type === 'finished')
      expect(ahead.frames.filter(frame => 'n' in frame)).toEqual([])
    })

    test('sent twice with the same id is asked once', async () => {
      const { person, simulator } = await startPortal({ storage: await storage() })
      simulator.setPace(200)
      const lin = await person()
      const request = question('/simulate tokens=60', { ask_id: crypto.randomUUID(), new_title: 'once' })
      const [one, two] = await Promise.all([lin.chat(request), lin.chat(request)])
      await Promise.all([one.closed, two.closed])
      expect(textOfFrames(two.frames)).toBe(textOfFrames(one.frames))
      const late = await lin.chat(request)
      await late.closed
      expect(textOfFrames(late.frames)).toBe(textOfFrames(one.frames))
      expect(simulator.journal).toHaveLength(1)
    })

    test('of somebody else can neither be followed nor taken over', async () => {
      const { person, simulator } = await startPortal({ storage: await storage() })
      simulator.setPace(50)
      const [lin, mei] = [await person(), await person()]
      const ask_id = crypto.randomUUID()
      const chat = await lin.chat(question('/simulate tokens=500', { ask_id, new_title: 'mine' }))
      await chat.until(frame => frame.type === 'accepted')
      for (const first of [{ resume: ask_id, after: 0 }, question('hello', { ask_id })]) {
        const foreign = await mei.chat(first)
        expect((await foreign.closed).code).toBe(1008)
        expect(foreign.frames.map(frame => frame.type)).toEqual(['error'])
      }
      chat.send({ stop: true })
      await chat.closed
    })
  })
})
