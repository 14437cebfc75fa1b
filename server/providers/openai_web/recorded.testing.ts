/**
 * Events as the web service sends them: whole messages, in the order in which they come. Ids and times are shortened.
 */

type Event = Record<string, unknown>
type Author = 'user' | 'assistant' | 'tool' | 'system'

export const CONVERSATION = 'b0b1c2d3-0000-4000-8000-000000000000'
export const QUESTION_ID = '11111111-0000-4000-8000-000000000000'
const id = (n: number) => `aaaaaaaa-0000-4000-8000-${String(n).padStart(12, '0')}`

export const event = (message: Event): Event => ({ message, conversation_id: CONVERSATION, error: null })

/** A message in the form of the service. */
export const message = (n: number, role: Author, content: Event, more: Event = {}): Event => ({
  id: id(n),
  author: { role, name: null, metadata: {} },
  create_time: 1_700_000_000 + n,
  update_time: null,
  content,
  status: 'finished_successfully',
  end_turn: null,
  weight: 1,
  metadata: role === 'assistant' ? { message_type: 'next', model_slug: 'gpt-4' } : {},
  recipient: 'all',
  ...more,
})

export const text = (...parts: string[]): Event => ({ content_type: 'text', parts })
const tool = (name: string): Event => ({ author: { role: 'tool', name, metadata: {} } })
const growing = { status: 'in_progress' }
const model = (slug: string, more: Event = {}): Event => ({
  metadata: { message_type: 'next', model_slug: slug, ...more },
})
const final = (slug: string, more: Event = {}): Event => ({
  end_turn: true,
  ...model(slug, { finish_details: { type: 'stop', stop_tokens: [100260] }, is_complete: true, ...more }),
})

export const question = event({
  ...message(0, 'user', text('What is new?')),
  id: QUESTION_ID,
  metadata: { timestamp_: 'absolute', message_type: null },
})
const hidden = event(message(99, 'system', text(''), { weight: 0, end_turn: true }))

const CITED = 'The funicular runs from 6:15【3†source】.'

/** A search, a page that is quoted, an answer that cites it. */
export const browsing: readonly Event[] = [
  hidden,
  question,
  event(message(1, 'assistant', text(''), growing)),
  event(
    message(
      2,
      'assistant',
      { content_type: 'code', language: 'unknown', text: 'search("' },
      { ...growing, recipient: 'browser', ...model('gpt-4-browsing') },
    ),
  ),
  event(
    message(
      2,
      'assistant',
      { content_type: 'code', language: 'unknown', text: 'search("Penang Hill")' },
      { recipient: 'browser', end_turn: false, ...model('gpt-4-browsing') },
    ),
  ),
  event(
    message(
      3,
      'tool',
      { content_type: 'tether_browsing_display', result: '# 0†Penang Hill†hill.example', summary: null },
      {
        ...tool('browser'),
        metadata: {
          command: 'search',
          args: ['Penang Hill'],
          status: 'finished',
          _cite_metadata: {
            citation_format: { name: 'tether_og' },
            metadata_list: [{ type: 'webpage', title: 'Penang Hill', url: 'https://hill.example/', text: '…' }],
            original_query: null,
          },
        },
      },
    ),
  ),
  event(
    message(
      4,
      'tool',
      {
        content_type: 'tether_quote',
        url: 'https://hill.example/',
        domain: 'hill.example',
        text: 'From 6:15 am.',
        title: 'Penang Hill',
      },
      tool('browser'),
    ),
  ),
  event(message(5, 'assistant', text('The funicular'), { ...growing, ...model('gpt-4-browsing') })),
  event(message(5, 'assistant', text(CITED.slice(0, 25)), { ...growing, ...model('gpt-4-browsing') })),
  event(
    message(
      5,
      'assistant',
      text(CITED),
      final('gpt-4-browsing', {
        citations: [
          {
            start_ix: 29,
            end_ix: 39,
            citation_format_type: 'tether_og',
            metadata: { type: 'webpage', title: 'Penang Hill', url: 'https://hill.example/', text: '…' },
          },
        ],
      }),
    ),
  ),
  { type: 'title_generation', title: 'Penang\n Hill ', conversation_id: CONVERSATION },
]

/** A plugin that is called and answers. */
export const plugins: readonly Event[] = [
  question,
  event(
    message(
      1,
      'assistant',
      { content_type: 'code', language: 'unknown', text: '{"place":"Penang"}' },
      { recipient: 'weather.forecast', ...model('gpt-4-plugins') },
    ),
  ),
  event(
    message(2, 'tool', text('{"high":31}'), {
      ...tool('weather.forecast'),
      metadata: {
        invoked_plugin: { type: 'remote', namespace: 'weather', plugin_id: 'plugin-11', http_response_status: 200 },
      },
    }),
  ),
  event(message(3, 'assistant', text('31 °C.'), final('gpt-4-plugins'))),
]

const RUNNING = { run_id: 'run-1', start_time: 1.5, update_time: 1.5, end_time: null, code: 'draw()', messages: [] }

/** Code that runs for a while, fails once, and draws. */
export const interpreter: readonly Event[] = [
  question,
  event(
    message(
      1,
      'assistant',
      { content_type: 'code', language: 'python', text: 'draw()' },
      { recipient: 'python', ...model('gpt-4-code-interpreter') },
    ),
  ),
  event(
    message(
      2,
      'tool',
      { content_type: 'execution_output', text: '' },
      { ...growing, ...tool('python'), metadata: { aggregate_result: { status: 'running', ...RUNNING } } },
    ),
  ),
  event(
    message(
      2,
      'tool',
      { content_type: 'execution_output', text: "NameError: name 'draw' is not defined" },
      {
        ...tool('python'),
        metadata: {
          aggregate_result: {
            ...RUNNING,
            status: 'failed_with_in_kernel_exception',
            end_time: 2,
            in_kernel_exception: { name: 'NameError', traceback: [], args: [], notes: [] },
          },
        },
      },
    ),
  ),
  event(
    message(
      3,
      'assistant',
      { content_type: 'code', language: 'python', text: 'plot()' },
      { recipient: 'python', ...model('gpt-4-code-interpreter') },
    ),
  ),
  event(
    message(
      4,
      'tool',
      { content_type: 'execution_output', text: '<<ImageDisplayed>>' },
      {
        ...tool('python'),
        metadata: {
          aggregate_result: {
            ...RUNNING,
            status: 'success',
            end_time: 3,
            final_expression_output: null,
            messages: [
              {
                message_type: 'image',
                time: 2.5,
                sender: 'server',
                image_url: 'file-service://file-Chart1',
                width: 640,
                height: 320,
              },
            ],
            jupyter_messages: [{ msg_type: 'status', content: { execution_state: 'busy' } }],
          },
        },
      },
    ),
  ),
  event(message(5, 'assistant', text('Here: [file](sandbox:/mnt/data/a.csv)'), final('gpt-4-code-interpreter'))),
]

/** Pictures that are painted, and one that is refused. */
export const dalle: readonly Event[] = [
  question,
  event(
    message(
      1,
      'assistant',
      { content_type: 'code', language: 'json', text: '{"prompts":["a hill"]}' },
      { recipient: 'dalle.text2im', ...model('gpt-4-dalle') },
    ),
  ),
  event(
    message(
      2,
      'tool',
      {
        content_type: 'multimodal_text',
        parts: [
          {
            content_type: 'image_asset_pointer',
            asset_pointer: 'file-service://file-Hill',
            size_bytes: 412_000,
            width: 1024,
            height: 1024,
            fovea: 512,
            metadata: { dalle: { gen_id: 'g1', prompt: 'a hill', seed: 40, serialization_title: 'A hill' } },
          },
        ],
      },
      tool('dalle.text2im'),
    ),
  ),
  event(
    message(
      3,
      'tool',
      { content_type: 'system_error', name: 'tool_error', text: 'Not this one.' },
      tool('dalle.text2im'),
    ),
  ),
  event(message(4, 'assistant', text('One of two.'), final('gpt-4-dalle'))),
]

/** A file that is searched in, and content that nobody knows yet. */
export const files: readonly Event[] = [
  question,
  event(
    message(
      1,
      'assistant',
      { content_type: 'code', language: 'unknown', text: 'msearch(["stalls"])' },
      { recipient: 'myfiles_browser' },
    ),
  ),
  event(
    message(
      2,
      'tool',
      { content_type: 'tether_browsing_display', result: '[0] stalls.pdf', summary: null },
      tool('myfiles_browser'),
    ),
  ),
  event(message(3, 'tool', { content_type: 'hologram', frames: [1, 2], note: 'new' }, tool('myfiles_browser'))),
  event(message(4, 'assistant', text('Twelve stalls.'), final('gpt-4'))),
]

export const RECORDED = { browsing, plugins, interpreter, dalle, files }
