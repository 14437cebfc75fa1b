import { describe, expect, test } from 'vitest'
import { chain, only, type Spoken } from './chatGptExport.testing.ts'

const [BEGIN, END, PART] = ['\uE200', '\uE201', '\uE202']
const mark = (...parts: string[]) => `${BEGIN}${parts.join(PART)}${END}`
const answer = (text: string, metadata: object = {}): Spoken => ({
  role: 'assistant',
  content: { content_type: 'text', parts: [text] },
  metadata,
})
const tool = (name: string, text: string): Spoken => ({
  role: 'tool',
  name,
  content: { content_type: 'text', parts: [text] },
})
const page = (url: string, more: object = {}) => ({ title: 'Page', url, snippet: 'words', ...more })

/** The text of an answer, and the addresses that it cites with the places where it does. */
async function read(text: string, metadata: object = {}) {
  const message = await only(answer(text, metadata))
  const citations = message?.metadata?.source === 'openai_web' ? (message.metadata.citations ?? []) : []
  return {
    text: message?.content?.content_type === 'text' ? message.content.text : undefined,
    cited: citations.map(each => [each.start_ix, each.metadata?.url]),
  }
}

describe('a mark of the upstream', () => {
  test.each([
    ['a name', `by ${mark('entity', '["people", "Ada Example", 0]')} notes`, 'by Ada Example notes'],
    ['a name of a product', `by ${mark('product_entity', '["turn0product1","A lamp"]')} it`, 'by A lamp it'],
    ['a name that is broken', `by ${mark('entity', '["people","Ada Exam')} notes`, 'by Ada Exam notes'],
    ['a name with quotes', mark('entity', '["book","The \\"Tea\\" Book",""]'), 'The "Tea" Book'],
    [
      'a link',
      `Visit ${mark('url', 'Tea House', 'https://example.org/tea')}.`,
      'Visit [Tea House](https://example.org/tea).',
    ],
    [
      'a link with brackets',
      mark('url', 'Tea [House]', 'https://example.org/a_(b)'),
      '[Tea (House)](<https://example.org/a_(b)>)',
    ],
    ['a link that leads nowhere safe', `Visit ${mark('url', 'Tea House', 'javascript:alert(1)')}.`, 'Visit Tea House.'],
    ['a source that is not known', `True ${mark('cite', 'turn0search3', 'turn0search8')}. End`, 'True. End'],
    ['pictures', `Look.\n\n${mark('image_group', '{"query":["tea","cup"]}')}\n\nThere`, 'Look.\n\n\n\nThere'],
    ['a list of pages', `Read ${mark('navlist', 'More on tea', 'turn0news1,turn0news2')} now`, 'Read More on tea now'],
    ['a rate', `Now ${mark('finance', 'turn0finance0')} it is`, 'Now it is'],
    ['a forecast at the beginning', `${mark('forecast', 'turn0forecast0')} Sunny`, 'Sunny'],
    ['the beginning and the end of what is cited', '\uE203True\uE204 enough\uE206.', 'True enough.'],
    ['one that was cut off', `True ${BEGIN}cite${PART}turn0sea`, 'True'],
    ['two in a row', `True ${mark('cite', 'turn0search1')}${mark('cite', 'turn0search2')} so`, 'True so'],
  ])('that stands for %s', async (_, written, text) => {
    expect((await read(written)).text).toBe(text)
  })
  test('becomes the sources that the references name, at its position', async () => {
    const cite = mark('cite', 'turn0search3', 'turn0search8')
    expect(
      await read(`- 😀 It is so. ${cite}  \n- Next`, {
        content_references: [
          { matched_text: cite, items: [page('https://example.org/1'), page('https://example.org/2')] },
        ],
      }),
    ).toEqual({
      text: '- 😀 It is so.  \n- Next',
      cited: [
        [13, 'https://example.org/1'],
        [13, 'https://example.org/2'],
      ],
    })
  })
  test('finds its sources by their ids, and where a tool has lost the private characters', async () => {
    const found = {
      search_result_groups: [
        { entries: [page('https://example.org/8', { ref_id: { turn_index: 0, ref_type: 'search', ref_index: 8 } })] },
      ],
    }
    expect(await read(`So ${mark('cite', 'turn0search8')}`, found)).toEqual({
      text: 'So',
      cited: [[2, 'https://example.org/8']],
    })
    expect(
      await read(`So ${mark('cite', 'turn0view1')}`, {
        content_references: [{ matched_text: 'citeturn0view1', items: [page('https://example.org/v')] }],
      }),
    ).toEqual({ text: 'So', cited: [[2, 'https://example.org/v']] })
  })
  test('becomes what the references call it', async () => {
    const [name, video] = [mark('entity', '["city","X"]'), mark('video', 'turn0youtube1')]
    const content_references = [
      { matched_text: name, type: 'entity', name: 'Exampleville', alt: 'Exampleville' },
      { matched_text: video, type: 'video', alt: '[How tea is made](https://example.org/v)' },
    ]
    expect((await read(`In ${name}: ${video}`, { content_references })).text).toBe(
      'In Exampleville: [How tea is made](https://example.org/v)',
    )
  })
  test('of the older kind is replaced as well where it has a reference', async () => {
    const content_references = [
      { matched_text: '【3†L1-L2】', type: 'webpage', title: 'Old', url: 'https://example.org/o' },
      { matched_text: ' ', type: 'sources_footnote', sources: [page('https://example.org/f')] },
    ]
    expect(await read('True【3†L1-L2】. 【4†x】', { content_references })).toEqual({
      text: 'True. 【4†x】',
      cited: [
        [4, 'https://example.org/o'],
        [11, 'https://example.org/f'],
      ],
    })
  })
  test('is replaced in thoughts and quotes too', async () => {
    const [first, second] = await chain(
      {
        role: 'assistant',
        content: {
          content_type: 'thoughts',
          thoughts: [{ summary: mark('entity', '["x","Ada"]'), content: `is it${mark('cite', 'turn0search1')}?` }],
        },
      },
      {
        role: 'tool',
        name: 'browser',
        content: { content_type: 'tether_quote', url: 'https://example.org', text: `so${mark('cite', 'turn1')}` },
      },
    )
    expect([first?.content, second?.content]).toMatchObject([{ text: 'Ada\nis it?' }, { text: 'so' }])
  })
  test('among a hundred thousand is read in linear time', async () => {
    const cite = mark('cite', 'turn0search1')
    const content_references = [{ matched_text: cite, items: [page('https://example.org/1')] }]
    const { text, cited } = await read(`😀 word ${cite}`.repeat(100_000), { content_references })
    expect([text?.length, cited.length, cited.at(-1)?.[0]]).toEqual([799_999, 100_000, 699_999])
  })
})

describe('what an export has beside the messages', () => {
  test('is thoughts, with the seconds of the recap after them', async () => {
    const thought = (content: string): Spoken => ({
      role: 'assistant',
      content: { content_type: 'thoughts', thoughts: [{ summary: 'Plan', content }] },
    })
    const recap = (content: string, metadata: object = {}): Spoken => ({
      role: 'assistant',
      content: { content_type: 'reasoning_recap', content },
      metadata,
    })
    for (const [text, seconds] of [
      ['Thought for 4 seconds', 4],
      ['Thought for 1m 12s', 72],
      ['已思考 2 分 3 秒', 123],
      ['Thought for a couple of seconds', null],
    ] as const) {
      const messages = await chain({}, thought('one'), recap(text), answer('done'))
      expect(messages.map(({ content }) => content)).toMatchObject([
        {},
        { content_type: 'thoughts', text: 'Plan\none', seconds },
        { text: 'done' },
      ])
      expect(messages.map(({ parent }) => parent)).toEqual([null, 'm0', 'm1'])
    }
    expect(
      (
        await chain(
          {},
          thought('one'),
          tool('python', 'ran'),
          recap('Done', { finished_duration_sec: 7 }),
          answer('done'),
        )
      )[1]?.content,
    ).toMatchObject({ seconds: 7 })
    expect(
      await chain(
        {},
        { role: 'assistant', content: { content_type: 'thoughts', thoughts: [] } },
        recap('Thought for 4 seconds'),
      ),
    ).toHaveLength(1)
  })
  test('is hidden where it is about the user', async () => {
    const [note] = await chain(
      {
        role: 'user',
        content: { content_type: 'user_editable_context', user_profile: 'Has a cat.', user_instructions: '' },
      },
      {},
    )
    expect(note).toMatchObject({
      role: 'system',
      content: { text: 'Has a cat.' },
      metadata: { is_visually_hidden_from_conversation: true },
    })
  })
  test('is dropped where it is a report of memory, canvas or image generation', async () => {
    const messages = await chain(
      {},
      { ...answer('Has a cat.'), recipient: 'bio' },
      tool('bio', 'Model set context updated.'),
      tool('canmore.create_textdoc', "Successfully created text document with textdoc_id: '1'"),
      tool('canmore.update_textdoc', 'Successfully updated text document'),
      tool('dalle.text2im', 'DALL·E displayed 1 images.'),
      answer('done'),
    )
    expect(messages.map(({ content }) => content)).toEqual([
      { content_type: 'text', text: 'hello' },
      { content_type: 'text', text: 'done' },
    ])
  })
})

test('a conversation of 2026 is read as it is in a stream: hidden, folded or with its words', async () => {
  const cite = mark('cite', 'turn0search0')
  const content_references = [{ matched_text: cite, items: [page('https://example.org/tea')] }]
  const assistant = (content: object, more: Partial<Spoken> = {}): Spoken => ({ role: 'assistant', content, ...more })
  const [, thoughts, document, done, ...others] = await chain(
    {},
    assistant({ content_type: 'model_editable_context', model_set_context: '', repository: null }),
    assistant({ content_type: 'thoughts', thoughts: [{ summary: 'Looking', content: 'At nine?' }] }),
    assistant({ content_type: 'reasoning_recap', content: 'Thought for 9s' }),
    assistant(
      { content_type: 'code', text: '{"name":"Tea plan","type":"document","content":"At nine."}' },
      { recipient: 'canmore.create_textdoc' },
    ),
    tool('canmore.create_textdoc', 'Successfully created text document with textdoc_id: 123'),
    answer(`At nine. ${cite} ${mark('entity', '["place","Tea House","Paris"]')} is near.`, { content_references }),
  )
  expect([thoughts?.content, document?.content, done?.content]).toEqual([
    { content_type: 'thoughts', text: 'Looking\nAt nine?', seconds: 9 },
    { content_type: 'text', text: '**Tea plan**\n\nAt nine.' },
    { content_type: 'text', text: 'At nine. Tea House is near.' },
  ])
  expect(done?.metadata).toMatchObject({ citations: [{ start_ix: 8, metadata: { url: 'https://example.org/tea' } }] })
  expect(others).toEqual([])
})

describe('a text on the canvas', () => {
  const call = (name: string, given: object): Spoken => ({
    role: 'assistant',
    recipient: `canmore.${name}`,
    content: { content_type: 'code', language: 'json', text: JSON.stringify(given) },
  })
  test('is part of the answer, as a document or as code', async () => {
    expect(
      (await chain({}, call('create_textdoc', { name: 'Notes', type: 'document', content: '# Tea' })))[1],
    ).toMatchObject({ content: { content_type: 'text', text: '**Notes**\n\n# Tea' }, metadata: null })
    expect(
      (await chain({}, call('create_textdoc', { name: 'tea', type: 'code/python', content: 'x = "```"\n' })))[1]
        ?.content,
    ).toMatchObject({ text: '**tea**\n\n````python\nx = "```"\n````' })
  })
  test('is repeated when all of it changed; a change of a part stays a step', async () => {
    const [, whole, part, comments] = await chain(
      {},
      call('update_textdoc', { updates: [{ pattern: '.*', replacement: 'all new' }] }),
      call('update_textdoc', { updates: [{ pattern: 'a', replacement: 'b' }] }),
      call('comment_textdoc', { comments: [{ pattern: 'a', comment: 'shorter' }] }),
    )
    expect(whole?.content).toMatchObject({ text: 'all new' })
    expect(part).toMatchObject({ content: { content_type: 'code' }, metadata: { recipient: 'canmore.update_textdoc' } })
    expect(comments?.content).toMatchObject({ text: '- shorter' })
  })
  test('that cannot be read stays as it is', async () => {
    const [, broken] = await chain({}, { ...answer('{"name":'), recipient: 'canmore.create_textdoc' })
    expect(broken).toMatchObject({ content: { text: '{"name":' }, metadata: { recipient: 'canmore.create_textdoc' } })
  })
})

describe('a spoken message', () => {
  const recordings = [
    { content_type: 'audio_asset_pointer', asset_pointer: 'sediment://a' },
    { content_type: 'real_time_user_audio_video_asset_pointer', audio_asset_pointer: {} },
    { content_type: 'video_container_asset_pointer', asset_pointer: 'sediment://v' },
  ]
  test('is its words without the recordings, and is dropped without words', async () => {
    const spoken = (...parts: unknown[]): Spoken => ({ content: { content_type: 'multimodal_text', parts } })
    const messages = await chain(
      spoken(...recordings, { content_type: 'audio_transcription', text: 'Two cups', direction: 'in' }),
      spoken(...recordings),
      answer('A cup'),
    )
    expect(messages.map(({ content }) => content)).toEqual([
      { content_type: 'text', text: 'Two cups' },
      { content_type: 'text', text: 'A cup' },
    ])
  })
  test('with a letter in a block has the lines of the letter', async () => {
    expect(
      (await read('Here:\n\n:::writing{variant="email" subject="Tea"}\nDear Ada,\n\nthanks.\n:::\n\nShorter?')).text,
    ).toBe('Here:\n\nDear Ada,\n\nthanks.\n\nShorter?')
  })
})
