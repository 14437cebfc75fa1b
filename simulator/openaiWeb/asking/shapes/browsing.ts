import { VOICES } from '../../../answers/voice.ts'
import { called, citing, final, replied, type Shape, shortened } from './shape.ts'

const ADDRESSES = [
  'https://guide.example/overview?from=search',
  'https://data.example/2026/figures',
  'https://forum.example/t/4711',
]

/** Searches, opens a page that fails and two that do not, and answers with citations. */
export const browsing: Shape = context => {
  const voice = VOICES[context.language]
  const [titles, texts] = [voice.lines('browsing.titles'), voice.lines('browsing.texts')]
  const pages = ADDRESSES.map((url, at) => ({ title: titles[at] ?? '', url, text: texts[at] ?? '' }))
  const read = pages.slice(0, 2)
  const query = shortened(context.question)
  const listed = pages.map(page => ({ type: 'webpage', ...page }))
  const _cite_metadata = { citation_format: { name: 'tether_og' }, metadata_list: listed, original_query: null }
  return [
    called(context, 'browser', `search("${query}")`),
    replied(
      context,
      'browser',
      {
        content_type: 'tether_browsing_display',
        result: pages.map(({ title, url }, at) => `# ${at}†${title}†${new URL(url).host}`).join('\n'),
        summary: null,
        assets: null,
      },
      { command: 'search', args: [query], status: 'finished', timestamp_: 'absolute', _cite_metadata },
    ),
    called(context, 'browser', 'click(2)'),
    replied(
      context,
      'browser',
      { content_type: 'system_error', name: 'tool_error', text: voice.text('browsing.failed') },
      { command: 'click', args: [2], status: 'failed' },
    ),
    called(context, 'browser', 'mclick([0, 1])'),
    ...read.map(page =>
      replied(
        context,
        'browser',
        { content_type: 'tether_quote', domain: new URL(page.url).host, ...page },
        { command: 'quote_result', args: [], status: 'finished', _cite_metadata },
      ),
    ),
    final(context, voice.text('browsing.answer', { question: query }), words =>
      citing(words, Object.fromEntries(read.map((page, at) => [`【${at}†source】`, { type: 'webpage', ...page }]))),
    ),
  ]
}
