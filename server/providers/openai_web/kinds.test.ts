import { describe, expect, test } from 'vitest'
import { type Message, textOf, withText } from '#contract/messages.ts'
import { askingProvider, PROVIDERS, rawUpstream, type Replied } from '#testing/upstream.ts'

const CITE = '\uE200cite\uE202turn0search0\uE201'
const ENTITY = '\uE200entity\uE202["place","Tea House","Paris"]\uE201'
const WORDS = `The tea house opens at nine. ${CITE} ${ENTITY} is near.`
const TEA = { title: 'Opening hours', url: 'https://example.org/tea', attribution: 'example.org' }
const METADATA = {
  model_slug: 'gpt-5-2-thinking',
  content_references: [
    {
      matched_text: CITE,
      start_idx: 29,
      end_idx: 48,
      alt: '([example.org](https://example.org/tea))',
      type: 'grouped_webpages',
      items: [TEA],
    },
  ],
}

type Fields = Record<string, unknown>

const message = (id: string, role: string, content: Fields, more: Fields = {}) => ({
  message: {
    id,
    author: { role, name: null, metadata: {} },
    content,
    status: 'finished_successfully',
    end_turn: null,
    metadata: { model_slug: 'gpt-5-2-thinking' },
    recipient: 'all',
    channel: null,
    ...more,
  },
  conversation_id: 'c',
  error: null,
})

/** A conversation of today: hidden context, thoughts, their recap, the canvas, and an answer with marks. */
const BEFORE = [
  message('context', 'assistant', { content_type: 'model_editable_context', model_set_context: '', repository: null }),
  message('thoughts', 'assistant', {
    content_type: 'thoughts',
    thoughts: [{ summary: 'Looking at the tea', content: 'The hours are wanted.', chunks: [], finished: true }],
  }),
  message('recap', 'assistant', { content_type: 'reasoning_recap', content: 'Thought for 9s' }),
  message(
    'canvas',
    'assistant',
    {
      content_type: 'code',
      language: 'json',
      text: '{"name":"Tea plan","type":"document","content":"# Tea\\n\\nAt nine."}',
    },
    { recipient: 'canmore.create_textdoc' },
  ),
  message(
    'report',
    'tool',
    { content_type: 'text', parts: ['Successfully created text document with textdoc_id: 123'] },
    { author: { role: 'tool', name: 'canmore.create_textdoc' } },
  ),
]

const answer = (words: string, more: Fields = {}) =>
  message('answer', 'assistant', { content_type: 'text', parts: [words] }, { metadata: METADATA, ...more })
const GROWING = { status: 'in_progress' }
const cuts = Array.from({ length: 20 }, (_, at) => WORDS.slice(0, Math.ceil((WORDS.length * (at + 1)) / 20)))

const line = (body: unknown) => `data: ${JSON.stringify(body)}\n\n`
const delta = (body: unknown) => `event: delta\n${line(body)}`
const WHOLE = [
  ...BEFORE.map(line),
  ...cuts.map(words => line(answer(words, GROWING))),
  line(answer(WORDS, { end_turn: true })),
].join('')
const DELTAS = [
  'event: delta_encoding\ndata: "v1"\n\n',
  line({ type: 'resume_conversation_token', token: 'none', conversation_id: 'c' }),
  ...BEFORE.map((v, c) => delta({ p: '', o: 'add', v, c })),
  line({ type: 'message_marker', conversation_id: 'c', message_id: 'answer', marker: 'user_visible_token' }),
  delta({ v: answer('', { ...GROWING, metadata: {} }), c: 5 }),
  delta({ p: '/message/content/parts/0', o: 'append', v: cuts[0] }),
  ...cuts.slice(1).map((words, at) => delta({ v: words.slice(cuts[at]?.length) })),
  line({ type: 'url_moderation', url_moderation_result: { full_url: 'https://example.org/tea', is_safe: true } }),
  line({ type: 'conversation_detail_metadata', limits_progress: [], conversation_id: 'c' }),
  line({ type: 'something_of_tomorrow', v: { message: {} } }),
  delta({
    p: '',
    o: 'patch',
    v: [
      { p: '/message/metadata', o: 'append', v: METADATA },
      { p: '/message/status', o: 'replace', v: 'finished_successfully' },
      { p: '/message/end_turn', o: 'replace', v: true },
    ],
  }),
  line({ type: 'message_stream_complete', conversation_id: 'c' }),
].join('')

async function replied(stream: string, most = 100_000): Promise<Replied> {
  const { reply } = await askingProvider(PROVIDERS.find(({ source }) => source === 'openai_web')!)
  const base_url = await rawUpstream((_request, response) => {
    response.setHeader('content-type', 'text/event-stream')
    response.end(stream)
  })
  return reply('When does it open?', { base_url, max_answer_length: most })
}

function messagesIn({ events }: Replied): Message[] {
  const messages = new Map<string, Message>()
  let latest: Message | undefined
  for (const event of events) {
    if (event.type === 'message') latest = event.message
    else if (event.type === 'text' && latest !== undefined)
      latest = { ...latest, content: withText(latest.content, textOf(latest) + event.text) }
    if (latest !== undefined) messages.set(latest.id, latest)
  }
  return [...messages.values()]
}

describe('a conversation of 2026', () => {
  test.each([
    ['messages as a whole', WHOLE],
    ['changes', DELTAS],
    ['changes without the names of their events', DELTAS.replaceAll('event: delta\n', '')],
  ])('is shown with its words, in %s', async (_, stream) => {
    const { events, refusal, ...reply } = await replied(stream)
    expect(refusal).toBe(null)
    const messages = messagesIn({ events, refusal, ...reply })
    const seen = messages.filter(({ role }) => role !== 'system')
    expect(seen.map(({ id, content }) => [id, content])).toEqual([
      ['thoughts', { content_type: 'thoughts', text: 'Looking at the tea\nThe hours are wanted.', seconds: 9 }],
      ['canvas', { content_type: 'text', parts: ['**Tea plan**\n\n# Tea\n\nAt nine.'] }],
      ['answer', { content_type: 'text', parts: ['The tea house opens at nine. Tea House is near.'] }],
    ])
    expect(seen.at(-1)?.metadata).toMatchObject({
      citations: [{ start_ix: 28, end_ix: 28, metadata: { title: TEA.title, url: TEA.url } }],
    })
    expect(messages.map(({ id, parent }) => [id, parent]).slice(1)).toEqual([
      ['thoughts', 'context'],
      ['recap', 'thoughts'],
      ['canvas', 'recap'],
      ['report', 'canvas'],
      ['answer', 'report'],
    ])
    const texts = events.flatMap(event => (event.type === 'text' ? [event.text] : []))
    expect(texts.join('')).not.toMatch(/[\uE200-\uE2FF]|turn0|entity|Paris/)
    expect(texts.length).toBeGreaterThan(stream === WHOLE ? 8 : 0)
  })
  test('that is thoughts alone is no answer', async () => {
    const { refusal } = await replied(BEFORE.slice(0, 3).map(line).join('') + 'data: [DONE]\n\n')
    expect(refusal).toMatchObject({ key: 'openai.thoughtsOnly' })
  })
})

describe('a stream of changes from outside', () => {
  const STARTED = [
    delta({ p: '', o: 'add', v: answer('Hello', GROWING), c: 0 }),
    delta({ p: '/message/status', o: 'replace', v: 'in_progress' }),
  ]

  test('is cut where its text is too long', async () => {
    const more = Array.from({ length: 40 }, () =>
      delta({ p: '/message/content/parts/0', o: 'append', v: 'x'.repeat(100) }),
    )
    const { text, refusal } = await replied([...STARTED, ...more].join(''), 1_000)
    expect([text.length, refusal]).toEqual([1_000, null])
  })
  test('is refused where more comes beside its text than anybody means', async () => {
    const more = Array.from({ length: 40 }, (_, at) =>
      delta({ p: `/message/metadata/f${at}`, o: 'append', v: 'x'.repeat(1024 * 1024) }),
    )
    const { text, refusal } = await replied([...STARTED, ...more].join(''))
    expect(text).toBe('Hello')
    expect(refusal).toMatchObject({ key: 'openai.unknown', values: { reason: 'junk' } })
  })
  test('that only says what makes no sense is refused', async () => {
    const junk = delta({ p: '/__proto__/polluted', o: 'add', v: 1 }).repeat(250_000)
    const { refusal } = await replied([...STARTED, junk].join(''))
    expect(refusal).toMatchObject({ key: 'openai.unknown', values: { reason: 'junk' } })
    expect(Reflect.get({}, 'polluted')).toBeUndefined()
  })
  test('goes on where a change in it cannot be read', async () => {
    const odd = [
      delta({ p: 7, o: {}, v: null }),
      'event: delta\ndata: {"v":\n\n',
      delta({ p: '/nowhere', o: 'append', v: 'x' }),
    ]
    const rest = [
      delta({ p: '/message/content/parts/0', o: 'append', v: ' there' }),
      line({ type: 'message_stream_complete' }),
    ]
    const { text, refusal } = await replied([...STARTED, ...odd, ...rest].join(''))
    expect([text, refusal]).toEqual(['Hello there', null])
  })
})

test('a stream that says that the account has uploaded enough files for now is refused so, with the time', async () => {
  const error = { message: 'You have reached our limit of file uploads.', code: 'file_upload_limit', clears_in: 600 }
  const { refusal } = await replied(line({ error, conversation_id: 'c' }))
  expect(refusal).toMatchObject({ key: 'openai.uploadLimit', values: { retry_after_seconds: 600 } })
})
