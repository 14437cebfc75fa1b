import { beginningOf } from '#contract/cutText.ts'
import { storableText } from '#contract/storableText.ts'
import type { MessageMetadata } from '#contract/messages.ts'
import { ModelCode } from '#contract/models.ts'
import { inCharacters } from '#contract/messageForms/marks.ts'
import { type LooseMessage, textMessage, thoughtsMessage } from './importedTree.ts'
import { type Raw, someTextAt } from '#contract/rawValues.ts'

// Shared by the readers of other products' formats.

/** A page that an answer cites, and the index of the citation in the text; null: behind the last word. */
export type Cited = { url: string; title: string | null; text?: string | null; at: number | null }

/** The product's name of the model; null when it cannot be a model code. */
export function modelCodeOf(name: string | null): string | null {
  return name === null ? null : (ModelCode.safeParse(name).data ?? null)
}

export function citationMetadata(text: string, cited: readonly Cited[]): MessageMetadata | null {
  if (cited.length === 0) return null
  const end = text.trimEnd().length
  const citations = cited.map(({ url, title, text: quote = null, at }) => ({
    start_ix: at ?? end,
    end_ix: at ?? end,
    metadata: {
      url: storableText(url),
      title: title === null ? null : storableText(title),
      text: quote === null ? null : storableText(quote),
    },
  }))
  return {
    source: 'openai_web',
    citations: inCharacters(
      text,
      citations.toSorted((a, b) => a.start_ix - b.start_ix),
    ),
  }
}

/** Attachments by their names: an export has no files. */
export function attachmentMetadata(files: readonly Raw[]): MessageMetadata | null {
  const names = files.map(file => someTextAt(file, 'file_name', 'name', 'filename')).filter(name => name !== null)
  const attachments = names
    .slice(0, 100)
    .map((name, at) => ({ id: `named:${at}`, name: beginningOf(storableText(name), 500) }))
  return attachments.length === 0 ? null : { source: 'openai_web', attachments }
}

/** A question; none when it has neither a text nor files. */
export function question(text: string, files: readonly Raw[], create_time: string | null): LooseMessage[] {
  const metadata = attachmentMetadata(files)
  return text.trim() === '' && metadata === null ? [] : [textMessage('user', text, { create_time, metadata })]
}

/** An answer, and before it the thoughts that came with it. */
export function answer(
  text: string,
  more: Partial<LooseMessage>,
  thought: { text: string; seconds: number | null } | null = null,
): LooseMessage[] {
  const { model = null, create_time = null } = more
  const messages: LooseMessage[] = []
  if (thought !== null && thought.text.trim() !== '')
    messages.push(thoughtsMessage(thought.text.trim(), thought.seconds, { model, create_time }))
  if (text.trim() !== '') messages.push(textMessage('assistant', text, more))
  return messages
}

/**
 * Replaces each block from a tag that matches `opening` to `closing`; one for which `write` gives null stays. One pass
 * over the text.
 */
export function withBlocks(
  text: string,
  opening: RegExp,
  closing: string,
  write: (attributes: string, inside: string) => string | null,
): string {
  const pieces: string[] = []
  const search = new RegExp(opening.source, 'gi')
  let from = 0
  for (let open = search.exec(text); open !== null; open = search.exec(text)) {
    const begin = open.index + open[0].length
    const end = text.indexOf(closing, begin)
    if (end < 0) break
    const written = write(open[1] ?? '', text.slice(begin, end))
    if (written === null) continue
    pieces.push(text.slice(from, open.index), written)
    from = end + closing.length
    search.lastIndex = from
  }
  return pieces.join('') + text.slice(from)
}
