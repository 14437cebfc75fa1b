import { describe, expect, test } from 'vitest'
import { canvasText, plainOf, readWebContent } from './content.ts'
import { citedFrom } from './marks.ts'
import { recapSeconds } from './words.ts'

type Fields = Record<string, unknown>

const message = (content: Fields, more: Fields = {}): Fields => ({
  author: { role: 'assistant', name: null },
  content,
  ...more,
})
const tool = (name: string, content: Fields) => message(content, { author: { role: 'tool', name } })
const text = (...parts: unknown[]): Fields => ({ content_type: 'text', parts })

/** What the reader sees of a message; null for one that is hidden. */
function shown(given: Fields, grows = false): string | null {
  const { content, isHidden } = readWebContent(given, grows)
  return isHidden ? null : plainOf(content)
}

describe('a message of a web account', () => {
  test.each<[string, Fields]>([
    ['a profile of the person', message({ content_type: 'user_editable_context', user_profile: 'Has a cat.' })],
    ['a note of the model', message({ content_type: 'model_editable_context', model_set_context: 'Has a cat.' })],
    ['a context of the service', message({ content_type: 'app_pairing_content', workspaces: [], context_parts: [] })],
    ['a recap of thoughts', message({ content_type: 'reasoning_recap', content: 'Thought for 9s' })],
    ['thoughts without words', message({ content_type: 'thoughts', thoughts: [] })],
    ['what is marked as hidden', message(text('x'), { metadata: { is_visually_hidden_from_conversation: true } })],
    [
      'a report of the canvas',
      tool('canmore.create_textdoc', text('Successfully created text document with textdoc_id: 1')),
    ],
    ['an error of the canvas', tool('canmore.update_textdoc', text('Error: no match'))],
    ['a report of memory', tool('bio', text('Model set context updated.'))],
    ['what is written into memory', message(text('Has a cat.'), { recipient: 'bio' })],
    ['rules of the service', tool('guardian_tool', text('Policy: …'))],
    ['output that was redacted', tool('file_search', text('The output of this plugin was redacted.'))],
    ['a widget without words', message({ content_type: 'super_widget', widget: { kind: 'clock', id: 'w' } })],
    ['an address alone', message({ content_type: 'beacon', url: 'https://example.org/p.gif' })],
    ['data in letters', message({ content_type: 'blob', data: { content: 'QUJD'.repeat(100) } })],
    ['sound alone', message({ content_type: 'multimodal_text', parts: [{ content_type: 'audio_asset_pointer' }] })],
  ])('is not shown where it is %s', (_, given) => {
    expect(shown(given) ?? '').toBe('')
  })
  test.each<[string, Fields, string]>([
    [
      'thoughts',
      message({ content_type: 'thoughts', thoughts: [{ summary: 'Tea', content: 'At nine?' }, { content: 'Yes.' }] }),
      'Tea\nAt nine?\n\nYes.',
    ],
    [
      'words in the channel of thoughts',
      message(text('Nine, I guess.'), { channel: 'analysis', recipient: 'all' }),
      'Nine, I guess.',
    ],
    ['a remark in the channel of comments', message(text('Looking.'), { channel: 'commentary' }), 'Looking.'],
    [
      'a screen',
      tool('computer.do', {
        content_type: 'computer_output',
        screenshot: { content_type: 'image_asset_pointer' },
        state: { title: 'Tea', url: 'https://example.org' },
      }),
      'Tea\n\nhttps://example.org',
    ],
    [
      'a page in a new form',
      tool('web', { content_type: 'sonic_webpage', url: 'https://example.org', title: 'Tea', text: 'At nine.' }),
      'Tea\n\nAt nine.\n\nhttps://example.org',
    ],
    ['output that is cited', tool('python', { content_type: 'citable_code_output', output_str: '42' }), '42'],
    [
      'a type of tomorrow',
      message({ content_type: 'daily_card', id: 'c', cards: [{ heading: 'Tea' }, { text: 'Nine' }] }),
      'Tea\n\nNine',
    ],
    ['an error without a name', tool('browser', { content_type: 'system_error', text: 'Timed out' }), 'Timed out'],
    ['code without a language', message({ content_type: 'code', text: 'x' }, { recipient: 'python' }), 'x'],
    [
      'what was spoken',
      message({
        content_type: 'multimodal_text',
        parts: [
          { content_type: 'audio_transcription', text: 'Two cups' },
          { content_type: 'real_time_user_audio_video_asset_pointer', audio_asset_pointer: {} },
        ],
      }),
      'Two cups',
    ],
    [
      'parts of tomorrow',
      message({
        content_type: 'multimodal_text',
        parts: ['Look', { content_type: 'model_3d', id: 'm', caption: 'A cup' }],
      }),
      'Look\nA cup',
    ],
    [
      'a document',
      message(
        { content_type: 'code', text: '{"name":"Plan","type":"document","content":"At nine."}' },
        { recipient: 'canmore.create_textdoc' },
      ),
      '**Plan**\n\nAt nine.',
    ],
  ])('is shown with its words where it is %s', (_, given, words) => {
    expect(shown(given)).toBe(words)
  })
  test('keeps pictures in new forms', () => {
    const asset_pointer = 'sediment://file_00000000ab12'
    for (const picture of [
      { asset_pointer },
      { asset_pointer, width: 'wide', metadata: { generation: {} } },
      { asset_pointer, fovea: null, metadata: { dalle: null, sanitized: true } },
    ]) {
      const parts = [{ content_type: 'image_asset_pointer', ...picture }, 'Look']
      expect(readWebContent(message({ content_type: 'multimodal_text', parts })).content).toMatchObject({
        content_type: 'multimodal_text',
        parts: [{ asset_pointer }, 'Look'],
      })
    }
  })
  test.each([
    null,
    undefined,
    7,
    'x',
    [],
    {},
    { content_type: 7 },
    { content_type: 'text', parts: 'x' },
    { content_type: 'thoughts', thoughts: 'x' },
    { content_type: 'multimodal_text', parts: [null, 7, {}] },
  ])('whose content is %j is none', content => {
    expect(shown({ author: null, content }) ?? '').toBe('')
  })
})

describe('a text that grows', () => {
  const [cite, entity] = ['\uE200cite\uE202turn0search0\uE201', '\uE200entity\uE202["place","Tea House"]\uE201']
  const whole = `At nine. ${cite} In the ${entity}, say ${cite}some.\n\n${entity}`

  test('only ever gets longer, whatever marks begin and end in it', () => {
    const metadata = {
      content_references: [{ matched_text: cite, items: [{ title: 'T', url: 'https://example.org' }] }],
    }
    let before = ''
    for (let length = whole.indexOf('\uE200') + 1; length <= whole.length; length += 1) {
      const { text: now } = citedFrom(whole.slice(0, length), metadata, true)
      expect(now.startsWith(before), JSON.stringify([before, now])).toBe(true)
      expect(now).not.toMatch(/[\uE200-\uE2FF]|turn0|entity/)
      before = now
    }
    expect(citedFrom(whole, metadata).text).toBe('At nine. In the Tea House, say some.\n\nTea House')
  })
  test('of a document is what has come of it', () => {
    const call = JSON.stringify({ name: 'Plan', type: 'document', content: '# Tea\n"At nine" \\ 😀' })
    let before = ''
    for (let length = 1; length <= call.length; length += 1) {
      const now = canvasText(call.slice(0, length), true) ?? ''
      expect(now.replace(/[\uD800-\uDBFF]$/, '').startsWith(before), JSON.stringify([before, now])).toBe(true)
      before = now.replace(/[\uD800-\uDBFF]$/, '')
    }
    expect(before).toBe('**Plan**\n\n# Tea\n"At nine" \\ 😀')
  })
})

describe('a mark in a text', () => {
  const mark = (...parts: string[]) => `\uE200${parts.join('\uE202')}\uE201`
  const pages = [
    { title: 'Cup', url: 'https://example.org/cup' },
    { title: '', url: 'https://example.org/pot' },
  ]
  const read = (written: string, reference: Fields) =>
    citedFrom(written, { content_references: [{ matched_text: written, ...reference }] })

  test.each<[string, string, Fields, string]>([
    [
      'a list of pages',
      mark('navlist', 'More', 'turn0news1'),
      { type: 'nav_list', items: pages },
      'More\n- [Cup](https://example.org/cup)\n- [https://example.org/pot](https://example.org/pot)',
    ],
    [
      'products',
      mark('products', '{"selections":[]}'),
      { type: 'products', products: pages.slice(0, 1) },
      '[Cup](https://example.org/cup)',
    ],
    [
      'products that are not known',
      mark('products', '{"selections":[["turn0product1","A lamp"],["turn0product2","A cup"]]}'),
      {},
      'A lamp · A cup',
    ],
    [
      'pictures',
      mark('image_group', '{"query":["tea"]}'),
      { type: 'image_v2', images: [{ image_result: pages[0] }] },
      '[Cup](https://example.org/cup)',
    ],
    [
      'a video',
      mark('video', 'turn0youtube1'),
      { type: 'video', title: 'How', url: 'https://example.org/v' },
      '[How](https://example.org/v)',
    ],
    ['what has words of its own', mark('weather', 'x'), { type: 'widget', alt: 'Sunny' }, 'Sunny'],
    ['what is hidden', mark('genui', 'x'), { type: 'hidden', alt: 'x' }, ''],
    [
      'an unsafe address',
      mark('url', 'Tea', 'javascript:alert(1)'),
      { type: 'link_title', url: 'javascript:alert(1)' },
      'Tea',
    ],
  ])('that stands for %s becomes it', (_, written, reference, words) => {
    expect(read(written, reference).text).toBe(words)
  })
  test('that cites a file becomes a source with its name', () => {
    const written = mark('filecite', 'turn0file0', 'L1-L3')
    expect(read(written, { type: 'file', name: 'plan.pdf', id: 'file_00ab' }).citations).toMatchObject([
      { start_ix: 0, metadata: { type: 'file', name: 'plan.pdf', url: null } },
    ])
  })
  test('among a hundred thousand line ends is read in time that grows with them', () => {
    const cite = mark('cite', 'turn0search0')
    expect(citedFrom(`${'\n'.repeat(100_000)}x ${cite}`.repeat(5), {}).text.length).toBe(500_005)
  })
})

test.each([
  ['Thought for 9s', 9],
  ['Thought for 1m 12s', 72],
  ['已思考 2 分 3 秒', 123],
  ['Thought for a while', null],
])('the recap %s is of %j seconds', (content, seconds) => {
  expect(recapSeconds({ content: { content_type: 'reasoning_recap', content } })).toBe(seconds)
})
