import type { MessageMetadata } from '#contract/messages.ts'
import { ModelCode } from '#contract/models.ts'
import { inCharacters } from './characterPlaces.ts'
import { type LooseMessage, said, thoughts } from './importedTree.ts'
import { type Raw, rawsAt, someTextAt } from './rawValues.ts'
import { storableText } from './storable.ts'

// What the formats of other products have in common.

/** A page that an answer cites, and where; null: behind its last word. */
export type Cited = { url: string; title: string | null; text?: string | null; at: number | null }

/** Name it as others do, or not at all where it cannot be a code. */
export function modelNamed(name: string | null): string | null {
  return name === null ? null : (ModelCode.safeParse(name).data ?? null)
}

export function citing(text: string, cited: readonly Cited[]): MessageMetadata | null {
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

/** Files are not in an export; their names are. */
export function attaching(files: readonly Raw[]): MessageMetadata | null {
  const names = files.map(file => someTextAt(file, 'file_name', 'name', 'filename')).filter(name => name !== null)
  const attachments = names
    .slice(0, 100)
    .map((name, at) => ({ id: `named:${at}`, name: storableText(name.slice(0, 500)) }))
  return attachments.length === 0 ? null : { source: 'openai_web', attachments }
}

/** What a model says, which some products keep in one text with what it thought before. */
export function spoken(
  text: string,
  more: Partial<LooseMessage>,
  thought: { text: string; seconds: number | null } | null = null,
): LooseMessage[] {
  const { model = null, create_time = null } = more
  return [
    ...(thought === null || thought.text.trim() === ''
      ? []
      : [thoughts(thought.text.trim(), thought.seconds, { model, create_time })]),
    ...(text.trim() === '' ? [] : [said('assistant', text, more)]),
  ]
}

/** A text, or the parts that hold one. */
export function textOfParts(content: unknown, raw: Raw): string {
  if (typeof content === 'string') return content
  return rawsAt(raw, 'content')
    .map(part => someTextAt(part, 'text', 'value') ?? '')
    .filter(text => text !== '')
    .join('\n\n')
}
