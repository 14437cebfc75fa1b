import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { aSimulator } from '../client.testing.ts'
import { answered, aWebClient, question } from './client.testing.ts'
import { textOf } from './state/conversation.ts'

describe('an ask of the web protocol', () => {
  test('echoes the question, sends the whole answer so far in each event, then a title, and keeps it all', async () => {
    await using simulator = await aSimulator()
    const client = aWebClient(simulator)
    simulator.nextAnswer('One two three')
    const sent = question('Count to three, please')
    const { events, messages, conversation_id } = await answered(client.ask('', { messages: [sent] }))

    expect(events.map(event => (typeof event === 'string' ? event : event.message && textOf(event.message)))).toEqual([
      'Count to three, please',
      'One',
      'One two',
      'One two three',
      'One two three',
      undefined,
      '[DONE]',
    ])
    expect(events.at(-2)).toEqual({ type: 'title_generation', title: 'Count to three, please', conversation_id })
    expect(messages.map(({ id, status, end_turn }) => [id === sent.id, status, end_turn])).toEqual([
      [true, 'finished_successfully', null],
      [false, 'finished_successfully', true],
    ])
    const kept = await client.read('GET', `conversation/${conversation_id}`)
    const answer = messages[1]?.id ?? ''
    expect(kept.body).toMatchObject({
      title: 'Count to three, please',
      current_node: answer,
      mapping: { [sent.id]: { children: [answer] }, [answer]: { parent: sent.id, message: messages[1] } },
    })
    expect(simulator.journal[0]).toMatchObject({ path: '/web/conversation', sent: 'One two three', ended: 'complete' })
  })
  test('goes on under any message of its conversation, and nowhere else', async () => {
    await using simulator = await aSimulator()
    const client = aWebClient(simulator)
    const first = question('one')
    const { conversation_id, messages } = await answered(client.ask('', { messages: [first] }))
    const kept = simulator.web.account().conversations.get(conversation_id)
    const parent = kept?.mapping[first.id]?.parent
    await answered(client.ask('two', { conversation_id, parent_message_id: messages[1]?.id }))
    await answered(client.ask('one, edited', { conversation_id, parent_message_id: parent }))
    expect(kept?.mapping[parent ?? '']?.children).toHaveLength(2)

    const foreign = await client.ask('x', { conversation_id, parent_message_id: randomUUID() })
    const unknown = await client.ask('x', { conversation_id: randomUUID(), parent_message_id: parent })
    expect([foreign.status, unknown.status]).toEqual([404, 404])
  })
})

describe('the conversations of the web protocol', () => {
  test('are those of one token and one team, in pages, and none without a token', async () => {
    await using simulator = await aSimulator()
    const [one, team, other] = [
      aWebClient(simulator, 'one'),
      aWebClient(simulator, 'one', 'team'),
      aWebClient(simulator, 'other'),
    ]
    const ids = simulator.web.account('one').addConversations(50_000)
    await answered(team.ask('hello'))
    const page = await one.read('GET', 'conversations?offset=49990&limit=80')
    expect([page.body.total, page.body.items.map(({ id }: { id: string }) => id)]).toEqual([50_000, ids.slice(-10)])
    expect((await team.read('GET', 'conversations?offset=0&limit=80')).body.total).toBe(1)
    expect((await other.read('GET', 'conversations?offset=0&limit=80')).body.items).toEqual([])
    expect((await fetch(`${simulator.webUrl}conversations`)).status).toBe(401)
    expect(simulator.journal.map(({ web }) => web?.account_id)).toEqual(['team', null, 'team', null, null])
  })
  test('are renamed, given a title and hidden, one or all', async () => {
    await using simulator = await aSimulator()
    const client = aWebClient(simulator)
    const [one = '', two = ''] = simulator.web.account().addConversations(3)
    const history = await client.read('GET', `conversation/${one}`)
    await client.send('PATCH', `conversation/${one}`, { title: 'Renamed' })
    const titled = await client.read('POST', `conversation/gen_title/${two}`, {
      message_id: simulator.web.account().conversations.get(two)?.current_node,
    })
    expect([history.body.title, titled.body]).toEqual(['Weekly plan 1', { title: 'What should I do first this' }])
    await client.send('PATCH', `conversation/${two}`, { is_visible: false })
    const list = await client.read('GET', 'conversations?offset=0&limit=80')
    expect(list.body.items.map(({ title }: { title: string }) => title)).toEqual([
      'Renamed',
      'A letter to the landlord 3',
    ])
    expect((await client.read('GET', `conversation/${two}`)).status).toBe(404)
    await client.send('PATCH', 'conversations', { is_visible: false })
    expect((await client.read('GET', 'conversations')).body.total).toBe(0)
  })
  test('of another token than the one that is set are refused', async () => {
    await using simulator = await aSimulator({ web_token: 'right' })
    const status = async (token: string) => (await aWebClient(simulator, token).send('GET', 'conversations')).status
    expect([await status('wrong'), await status('right')]).toEqual([401, 200])
  })
})
