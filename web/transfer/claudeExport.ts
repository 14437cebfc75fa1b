import { storableText } from '#contract/storableText.ts'
import { beginningOf } from '#contract/cutText.ts'
import type { ImportedConversation } from '#contract/transfer.ts'
import {
  answer,
  attachmentMetadata,
  citationMetadata,
  type Cited,
  conversationOf,
  type FileNode,
  type LooseMessage,
  modelCodeOf,
  textMessage,
  thoughtsMessage,
  withBlocks,
} from './importedTree.ts'
import { titledDocument } from '#contract/markdownParts.ts'
import { paragraphs, type Raw, rawAt, rawsAt, someTextAt, storable, textAt, timeAt } from '#contract/rawValues.ts'

/** Claude: a list of messages; in newer exports each names its parent. */
export function isClaudeExport(raw: Raw): boolean {
  return Array.isArray(raw['chat_messages'])
}

export function fromClaudeExport(raw: Raw): ImportedConversation | null {
  const id = someTextAt(raw, 'uuid', 'id')
  if (id === null) return null
  const messages = rawsAt(raw, 'chat_messages')
  const ids = messages.map((message, at) => someTextAt(message, 'uuid', 'id') ?? `${at}`)
  const known = new Set(ids)
  const nodes = new Map<string, FileNode>()
  const model = modelCodeOf(textAt(raw, 'model'))
  for (const [at, message] of messages.entries()) {
    const named = textAt(message, 'parent_message_uuid')
    // An unknown parent stands for the root. A message that names none follows the one before it.
    const parent = named === null ? (ids[at - 1] ?? null) : known.has(named) ? named : null
    nodes.set(ids[at] ?? '', { parent, children: [], messages: messagesFrom(message, model) })
  }
  return conversationOf(
    {
      id,
      title: someTextAt(raw, 'name', 'title'),
      create_time: timeAt(raw, 'created_at'),
      update_time: timeAt(raw, 'updated_at'),
      current_node: textAt(raw, 'current_leaf_message_uuid') ?? ids.at(-1) ?? null,
      current_model: model,
    },
    nodes,
  )
}

function messagesFrom(message: Raw, model: string | null): LooseMessage[] {
  const create_time = timeAt(message, 'created_at')
  const blocks = rawsAt(message, 'content')
  if ((textAt(message, 'sender') ?? textAt(message, 'role')) !== 'assistant')
    return questionFrom(message, blocks, create_time)
  const made = joined(blocks.flatMap(messagesOfBlock)).map(each => ({
    ...each,
    create_time,
    ...(each.role === 'assistant' && { model }),
  }))
  // Without a block of text, the text of the message counts.
  return made.some(({ content }) => content?.content_type === 'text')
    ? made
    : [...made, ...answer(withoutTags(textAt(message, 'text') ?? ''), { model, create_time })]
}

/** Pasted text is an attachment whose content becomes part of the question. */
function questionFrom(message: Raw, blocks: readonly Raw[], create_time: string | null): LooseMessage[] {
  const typed = paragraphs(blocks.map(block => (textAt(block, 'type') === 'text' ? textAt(block, 'text') : null)))
  const attachments = rawsAt(message, 'attachments')
  const text = paragraphs([
    typed || textAt(message, 'text'),
    ...attachments.map(each => someTextAt(each, 'extracted_content')),
  ])
  const files = ['files', 'files_v2'].map(key => rawsAt(message, key)).find(list => list.length > 0) ?? []
  const metadata = attachmentMetadata([...attachments, ...files])
  return text === '' && metadata === null ? [] : [textMessage('user', text, { create_time, metadata })]
}

function messagesOfBlock(block: Raw): LooseMessage[] {
  switch (textAt(block, 'type')) {
    case 'text':
      return textFrom(block)
    case 'thinking':
      return thinkingFrom(block)
    case 'tool_use':
      return [callFrom(block)]
    case 'tool_result':
      return resultFrom(block)
    default:
      return []
  }
}

function textFrom(block: Raw): LooseMessage[] {
  const text = withoutTags(textAt(block, 'text') ?? '')
  const cited = rawsAt(block, 'citations').flatMap((each): Cited[] => {
    const details = rawAt(each, 'details')
    const url = someTextAt(each, 'url') ?? someTextAt(details, 'url')
    const title = someTextAt(each, 'title') ?? someTextAt(details, 'title')
    const end = each['end_index']
    const at = typeof end === 'number' && end >= 0 && end <= text.length ? end : null
    return url === null ? [] : [{ url, title, at }]
  })
  return text.trim() === '' ? [] : [textMessage('assistant', text, { metadata: citationMetadata(text, cited) })]
}

function thinkingFrom(block: Raw): LooseMessage[] {
  const text = someTextAt(block, 'thinking', 'text')
  const [start, stop] = [timeAt(block, 'start_timestamp'), timeAt(block, 'stop_timestamp')]
  const seconds =
    start === null || stop === null ? null : Math.max(0, Math.round((Date.parse(stop) - Date.parse(start)) / 1000))
  return text === null ? [] : [thoughtsMessage(text.trim(), seconds)]
}

/** An artifact is part of the answer; the call of any other tool is a step. */
function callFrom(block: Raw): LooseMessage {
  const input = rawAt(block, 'input')
  const artifact = artifactIn(input)
  if (artifact !== null) return textMessage('assistant', artifact)
  const recipient = textAt(block, 'name') ?? 'tool'
  const text = JSON.stringify(storable(input), null, 2)
  return textMessage('assistant', '', {
    content: { content_type: 'code', language: 'json', text },
    metadata: { source: 'openai_web', recipient: beginningOf(storableText(recipient), 200) },
  })
}

function resultFrom(block: Raw): LooseMessage[] {
  const name = textAt(block, 'name') ?? 'tool'
  const text =
    paragraphs(rawsAt(block, 'content').map(each => someTextAt(each, 'text', 'title'))) ||
    (textAt(block, 'content') ?? '')
  return text.trim() === '' || name === 'artifacts'
    ? []
    : [textMessage('tool', text, { author_name: beginningOf(storableText(name), 200) })]
}

/** Consecutive texts without citations are one message, and so are consecutive thoughts. */
function joined(messages: readonly LooseMessage[]): LooseMessage[] {
  const all: LooseMessage[] = []
  for (const message of messages) {
    const before = all.at(-1)
    const plain = [before, message].every(each => each?.role === 'assistant' && each.metadata === null)
    const [first, second] = plain ? [before?.content, message.content] : []
    if (first?.content_type === 'text' && second?.content_type === 'text') {
      all.splice(-1, 1, textMessage('assistant', `${first.text ?? ''}\n\n${second.text ?? ''}`))
    } else if (first?.content_type === 'thoughts' && second?.content_type === 'thoughts') {
      const seconds =
        first.seconds === null && second.seconds === null ? null : (first.seconds ?? 0) + (second.seconds ?? 0)
      all.splice(-1, 1, thoughtsMessage(`${first.text}\n\n${second.text}`, seconds))
    } else {
      all.push(message)
    }
  }
  return all
}

const ARTIFACT = /<antArtifact\b([^>]{0,2000})>\n?/
const THINKING = /<antThinking>/

/** An artifact as Markdown; null for a call that changes a part of one. */
function artifactIn(input: Raw): string | null {
  const content = someTextAt(input, 'content')
  const type = textAt(input, 'type')
  if (content === null || type === null || !/^(?:create|rewrite)$/.test(textAt(input, 'command') ?? 'create'))
    return null
  return artifactMarkdown(textAt(input, 'title'), type, textAt(input, 'language'), content)
}

/** Older exports have artifacts and thoughts as tags in the text. */
function withoutTags(text: string): string {
  if (!/<ant(?:Artifact|Thinking)/i.test(text)) return text
  return withBlocks(
    withBlocks(text, THINKING, '</antThinking>', () => '').trimStart(),
    ARTIFACT,
    '</antArtifact>',
    (attributes, content) => {
      const [title = null, type = '', language = null] = ['title', 'type', 'language'].map(
        name => new RegExp(`\\b${name}="([^"]*)"`).exec(attributes)?.[1],
      )
      const written = artifactMarkdown(title, type, language, content)
      // A fence stands alone on its line.
      return `${written.startsWith('```') ? '\n\n' : ''}${written}${written.endsWith('```') ? '\n\n' : ''}`
    },
  ).trim()
}

function artifactMarkdown(title: string | null, type: string, language: string | null, content: string): string {
  if (/markdown|text\/plain/.test(type)) return titledDocument(title, content)
  const [, last = ''] = /([\w+#]+)$/.exec(type.replace('+xml', '')) ?? []
  return titledDocument(title, content, language ?? (last === 'code' ? '' : last))
}
