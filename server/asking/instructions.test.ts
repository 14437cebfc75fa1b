import { text } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import type { AskRequest } from '#contract/asking.ts'
import type { ConversationHistory } from '#contract/conversations.ts'
import { UNKNOWN_CAPABILITIES } from '#contract/models.ts'
import type { UpstreamRead } from '#contract/upstreams.ts'
import { eachStorage, type NewStorage } from '#testing/database.ts'
import { type Frame, type Person } from '#testing/person.ts'
import { startPortal } from '#testing/portal.ts'
import { rawUpstream } from '#testing/upstream.ts'

const OWN = { about_me: 'I teach.', how_to_answer: '', is_on: true, with_keys: false }
const ABOUT_ME = 'About the user:\nI teach.'
const UNKNOWN = '6f9619ff-8b86-4d01-b42d-00cf4fc964ff'

type Body = { messages: { role: string; content: string }[]; [field: string]: unknown }
/** What an endpoint makes of a request: a refusal, or null for an answer. */
type Refuse = (body: Body) => string | null

type Options = { instructions?: string; refuse?: Refuse }

async function aPortal(storage: NewStorage, { instructions = '', refuse = () => null }: Options = {}) {
  const asked: Body[] = []
  const base_url = await rawUpstream(async (request, response) => {
    if (request.method === 'GET') return void response.end(JSON.stringify({ data: [{ id: 'gpt-4' }] }))
    const body = JSON.parse(await text(request)) as Body
    asked.push(body)
    const message = refuse(body)
    const type = message === null ? 'text/event-stream' : 'application/json'
    response.writeHead(message === null ? 200 : 400, { 'content-type': type })
    if (message !== null) return void response.end(JSON.stringify({ error: { message } }))
    const answer = { choices: [{ delta: { content: 'Yes.' }, finish_reason: 'stop' }] }
    response.end(`data: ${JSON.stringify(answer)}\n\ndata: [DONE]\n\n`)
  })
  const portal = await startPortal({
    storage: await storage(),
    environment: {
      OPENAI_BASE_URL: base_url,
      ...(instructions !== '' && { COMMONS_PORTAL_INSTRUCTIONS: instructions }),
    },
  })
  /** Roles and texts of the last request. */
  const sent = () => asked.at(-1)?.messages.map(({ role, content }) => [role, content])
  return { ...portal, lin: await portal.person(), asked, sent }
}

/** Asks, in a new conversation unless one is named; gives its id. */
async function askIn(person: Person, words: string, more: Partial<AskRequest> = {}) {
  const frames = await person.ask(words, { ...((more.new_conversation ?? true) && { new_title: 'Titled' }), ...more })
  expect(frames.at(-1)).toMatchObject({ type: 'finished', outcome: 'finished' })
  const accepted = frames.find(({ type }) => type === 'accepted') as Frame & { conversation_id: string }
  return accepted.conversation_id
}

async function askOn(person: Person, conversation_id: string, words: string, more: Partial<AskRequest> = {}) {
  const { current_node } = await person.result<ConversationHistory>('GET', `/conv/${conversation_id}`)
  return askIn(person, words, { new_conversation: false, conversation_id, parent: current_node, ...more })
}

eachStorage((_name, storage) => {
  describe('instructions', () => {
    test('of the portal, the person and the conversation go before the first question, in this order', async () => {
      const { lin, sent } = await aPortal(storage, { instructions: 'Be brief.' })
      await lin.result('PUT', '/user/me/instructions', OWN)
      expect(await lin.result('GET', '/user/me/instructions')).toEqual({
        ...{ ...OWN, portal: 'Be brief.', plan: null },
      })
      const id = await askIn(lin, 'One?', { instructions: { text: 'In metres.', with_own: null } })
      const first = ['system', `Be brief.\n\n${ABOUT_ME}\n\nIn metres.`]
      expect(sent()).toEqual([first, ['user', 'One?']])
      await askOn(lin, id, 'Two?')
      expect(sent()).toEqual([first, ['user', 'One?'], ['assistant', 'Yes.'], ['user', 'Two?']])
    })
    test('of the plan stand between the portal’s and the person’s, and are that plan’s alone', async () => {
      const { lin, admin, person, sent } = await aPortal(storage, { instructions: 'Be brief.' })
      const plan = await admin.result<{ id: number }>('POST', '/plan', {
        name: 'Pupils',
        instructions: 'Use no slang.',
      })
      await admin.result('PUT', `/user/${lin.id}/plan`, { plan_id: plan.id })
      const mei = await person()
      for (const somebody of [lin, mei]) await somebody.result('PUT', '/user/me/instructions', OWN)
      expect(await lin.result('GET', '/user/me/instructions')).toMatchObject({ plan: 'Use no slang.' })
      await askIn(lin, 'One?', { instructions: { text: 'In metres.', with_own: null } })
      expect(sent()?.[0]).toEqual(['system', `Be brief.\n\nUse no slang.\n\n${ABOUT_ME}\n\nIn metres.`])
      await askIn(mei, 'One?')
      expect(sent()?.[0]).toEqual(['system', `Be brief.\n\n${ABOUT_ME}`])
      await admin.result('PATCH', `/plan/${plan.id}`, { instructions: null })
      await askIn(lin, 'Two?', { instructions: { text: 'In metres.', with_own: false } })
      expect(sent()?.[0]).toEqual(['system', 'Be brief.\n\nIn metres.'])
    })
    test('that change go with the next question, and stay out of what is stored', async () => {
      const { lin, sent } = await aPortal(storage)
      await lin.result('PUT', '/user/me/instructions', OWN)
      const id = await askIn(lin, 'One?')
      await lin.result('PUT', `/conv/${id}/instructions`, { text: 'In feet.', with_own: false })
      await askOn(lin, id, 'Two?')
      expect(sent()?.[0]).toEqual(['system', 'In feet.'])
      const { mapping } = await lin.result<ConversationHistory>('GET', `/conv/${id}`)
      expect(Object.values(mapping).map(({ role }) => role)).not.toContain('system')
    })
    test('go along into a copy of the conversation', async () => {
      const { lin } = await aPortal(storage)
      const id = await askIn(lin, 'One?', { instructions: { text: 'In metres.', with_own: false } })
      const { current_node } = await lin.result<ConversationHistory>('GET', `/conv/${id}`)
      const copy = await lin.result<{ conversation_id: string }>('POST', `/conv/${id}/fork?message_id=${current_node}`)
      expect(await lin.result('GET', `/conv/${copy.conversation_id}/instructions`)).toEqual({
        text: 'In metres.',
        with_own: false,
      })
    })
    test('of a conversation are nobody else’s', async () => {
      const { lin, person } = await aPortal(storage)
      const id = await askIn(lin, 'One?')
      const other = await person()
      for (const of of [id, UNKNOWN]) {
        const refused = { message: 'errors.conversationNotFound' }
        expect(await other.call('GET', `/conv/${of}/instructions`)).toMatchObject(refused)
        expect(await other.call('PUT', `/conv/${of}/instructions`, { text: 'x', with_own: null })).toMatchObject(
          refused,
        )
      }
    })
    test('that are too long are refused', async () => {
      const { lin } = await aPortal(storage)
      const long = { ...OWN, about_me: 'x'.repeat(1_001) }
      expect(await lin.call('PUT', '/user/me/instructions', long)).toMatchObject({ code: 422 })
    })
  })

  describe('an endpoint that takes no system message', () => {
    test.each<[refusal: string, role: 'user' | 'developer']>([
      ["Unsupported value: 'messages[0].role' does not support 'system' with this model.", 'user'],
      ['System role not supported', 'user'],
      ["'system' is not supported; use the 'developer' role instead", 'developer'],
    ])('"%s" gets them in the role %s, from then on at once', async (refusal, role) => {
      const { lin, asked, sent } = await aPortal(storage, {
        instructions: 'Be brief.',
        refuse: ({ messages }) => (messages.some(message => message.role === 'system') ? refusal : null),
      })
      await askIn(lin, 'One?')
      const expected =
        role === 'user'
          ? [['user', 'Be brief.\n\nOne?']]
          : [
              [role, 'Be brief.'],
              ['user', 'One?'],
            ]
      expect(sent()).toEqual(expected)
      expect(asked).toHaveLength(2)
      await askIn(lin, 'One?')
      expect(sent()).toEqual(expected)
      expect(asked).toHaveLength(3)
    })
  })

  describe('how hard a model is to think', () => {
    test('goes with the question and stays with the conversation', async () => {
      const { lin, asked } = await aPortal(storage)
      const id = await askIn(lin, 'One?', { parameters: { reasoning_effort: 'high' } })
      expect(asked.at(-1)).toMatchObject({ reasoning_effort: 'high' })
      const level = async () => (await lin.result<ConversationHistory>('GET', `/conv/${id}`)).thinking_level
      expect(await level()).toBe('high')
      await askOn(lin, id, 'Two?')
      expect(asked.at(-1)).not.toHaveProperty('reasoning_effort')
      expect(await level()).toBeUndefined()
    })
    test('is said in the fields that an administrator set of the level', async () => {
      const { lin, admin, asked } = await aPortal(storage)
      const upstreams = await admin.result<UpstreamRead[]>('GET', '/system/upstreams')
      const { id } = upstreams.find(({ source }) => source === 'openai_api')!
      const set = { ...UNKNOWN_CAPABILITIES, thinking_levels: ['off', 'on'] }
      const thinking_fields = { off: { enable_thinking: false } }
      const model = { code: 'gpt_4', name: 'gpt-4', set, request_fields: null, thinking_fields }
      await admin.result('PATCH', `/system/upstreams/${id}`, { model_settings: [model] })
      await askIn(lin, 'One?', { parameters: { reasoning_effort: 'off' } })
      expect(asked.at(-1)).toMatchObject({ enable_thinking: false })
      expect(asked.at(-1)).not.toHaveProperty('reasoning_effort')
    })
  })
})
