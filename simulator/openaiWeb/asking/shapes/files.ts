import { isRecord } from '../../../http.ts'
import { VOICES } from '../../../answers/voice.ts'
import { called, citing, final, replied, type Shape, type ShapeContext, shortened } from './shape.ts'

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
