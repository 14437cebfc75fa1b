import { isRecord } from '../../foundation/http.ts'
import { VOICES } from '../../answers/voice.ts'
import { called, citing, final, replied, type Shape, type ShapeContext, shortened } from './shape.ts'
import { CATALOGUE } from '../state/catalogue.ts'
import type { Step } from './writer.ts'
import { completeFile } from '../state/account.ts'
import { type Mood, PAINTING, painting } from '../../answers/pictures.ts'

type Attached = { id: string; name: string; is_picture: boolean }

/** Searches the files of the question and quotes the first. */
export const files: Shape = context => {
  const voice = VOICES[context.language]
  const attached = attachmentsOf(context).filter(({ is_picture }) => !is_picture)
  const [first] = attached
  if (!first) return [final(context, voice.text('files.pictures', { count: countPictures(context) }))]
  const query = shortened(context.question)
  const pages = attached.map(({ id, name }) => ({
    id,
    name,
    words: beginningOf(context, id) ?? voice.text('files.empty'),
  }))
  const quote = pages[0]?.words ?? voice.text('files.empty')
  const source = { type: 'file', name: first.name, id: first.id, source: 'my_files', text: quote }
  return [
    called(context, 'myfiles_browser', `msearch(["${query}", "${shortened(first.name)}"])`),
    replied(
      context,
      'myfiles_browser',
      {
        content_type: 'tether_browsing_display',
        result: pages
          .map(({ name, words }, at) => `[${at}] ${name} ${voice.text('files.page')}\n${words}`)
          .join('\n\n'),
        summary: '',
        assets: null,
      },
      { command: 'context_stuff', args: [query], status: 'finished' },
    ),
    replied(
      context,
      'myfiles_browser',
      { content_type: 'tether_quote', url: first.id, domain: first.name, title: first.name, text: quote },
      { command: 'quote_result', args: [], status: 'finished' },
    ),
    final(
      context,
      voice.text('files.answer', { name: first.name, quote: quote.replaceAll('\n', '\n> '), question: query }),
      words => citing(words, { '【0†source】': source }),
    ),
  ]
}

export function attachmentsOf({ ask }: Pick<ShapeContext, 'ask'>): Attached[] {
  const given = ask.question?.metadata.attachments
  if (!Array.isArray(given)) return []
  return given.flatMap(each =>
    isRecord(each) && typeof each.id === 'string'
      ? [{ id: each.id, name: String(each.name ?? each.id), is_picture: String(each.mimeType).startsWith('image/') }]
      : [],
  )
}

export function picturesOf({ ask }: Pick<ShapeContext, 'ask'>): number {
  const parts = ask.question?.content.parts
  return Array.isArray(parts) ? parts.filter(part => typeof part !== 'string').length : 0
}

/** A picture that is looked at is attached too. */
const countPictures = (context: ShapeContext): number =>
  Math.max(picturesOf(context), attachmentsOf(context).filter(({ is_picture }) => is_picture).length)

/** The first words of a file, when it is text. */
function beginningOf({ account }: ShapeContext, id: string): string | undefined {
  const words = Buffer.from(account.files.get(id)?.content().subarray(0, 4_000) ?? []).toString('utf8')
  if (words.trim() === '' || /[\p{Cc}\uFFFD]/u.test(words.slice(0, 200).replace(/[\n\r\t]/g, ''))) return undefined
  return [...words.trim()].slice(0, 240).join('')
}

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

/** Calls each plugin of the conversation; of several, the first fails once. */
export const plugins: Shape = context => invoking(context, false)

export const pluginError: Shape = context => invoking(context, true)

function invoking(context: ShapeContext, first_fails: boolean): Step[] {
  const voice = VOICES[context.language]
  const chosen = CATALOGUE.filter(({ id }) => context.ask.conversation.plugin_ids?.includes(id))
  if (chosen.length === 0) return [final(context, voice.text('plugins.none'))]
  const query = shortened(context.question)
  const steps = chosen.flatMap(({ id, namespace }, at) => {
    const name = `${namespace}.search`
    const invoked = (http_response_status: number) => ({
      invoked_plugin: { type: 'remote', namespace, plugin_id: id, http_response_status },
    })
    const fails: Step[] =
      first_fails && at === 0
        ? [
            called(context, name, JSON.stringify({ query })),
            replied(
              context,
              name,
              { content_type: 'text', parts: ['{"error":"the query is ambiguous"}'] },
              invoked(422),
            ),
          ]
        : []
    const results = voice.lines('plugins.results').map((result, rank) => ({ name: result, rank: rank + 1 }))
    const parts = [JSON.stringify({ query, results })]
    return [
      ...fails,
      called(context, name, JSON.stringify({ query, limit: 3 })),
      replied(context, name, { content_type: 'text', parts }, invoked(200)),
    ]
  })
  const names = chosen.map(({ name }) => `**${name}**`).join(context.language === 'chinese' ? '、' : ', ')
  return [...steps, final(context, voice.text('plugins.answer', { plugins: names }))]
}

/** Two pictures with their prompts. */
export const dalle: Shape = context => {
  const voice = VOICES[context.language]
  const prompts = voice.text('dalle.prompts', { question: shortened(context.question) }).split('\n')
  const titles = voice.lines('dalle.titles')
  return [
    called(context, 'dalle.text2im', JSON.stringify({ size: '512x512', n: 2, prompts }, null, 1), 'json'),
    replied(context, 'dalle.text2im', {
      content_type: 'multimodal_text',
      parts: prompts.map((prompt, at) => painted(context, prompt, titles[at] ?? '', at === 0 ? 'dawn' : 'dusk')),
    }),
    final(context, voice.text('dalle.answer')),
  ]
}

/** The pictures are refused. */
export const dalleError: Shape = context => [
  called(context, 'dalle.text2im', JSON.stringify({ prompts: [shortened(context.question)] }), 'json'),
  replied(context, 'dalle.text2im', {
    content_type: 'system_error',
    name: 'tool_error',
    text: 'This request did not follow the content policy.',
  }),
  final(context, VOICES[context.language].text('dalle.refused')),
]

function painted({ account, random }: ShapeContext, prompt: string, serialization_title: string, mood: Mood) {
  const seed = random.below(2 ** 31)
  const file = completeFile(`${serialization_title}.png`, () => painting(seed, mood), 'multimodal')
  account.addFile(file)
  return {
    content_type: 'image_asset_pointer',
    asset_pointer: `file-service://${file.id}`,
    size_bytes: file.size,
    ...PAINTING,
    fovea: 512,
    metadata: { dalle: { gen_id: file.id.slice(5, 21), prompt, seed, serialization_title } },
  }
}
