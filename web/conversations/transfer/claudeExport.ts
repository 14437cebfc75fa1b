import type { ImportedConversation } from '#contract/transfer.ts'
import { claudeArtifact, withoutTags } from './claudeArtifacts.ts'
import { attaching, type Cited, citing, modelNamed, spoken } from './foreignMessages.ts'
import { conversationOf, type FileNode, type LooseMessage, said, thoughts } from './importedTree.ts'
import { type Raw, rawAt, rawsAt, someTextAt, textAt, timeAt } from './rawValues.ts'
import { storable, storableText } from './storable.ts'

/** Of Claude: a list of messages, of which each names the one before it in newer exports. */
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
  const model = modelNamed(textAt(raw, 'model'))
  for (const [at, message] of messages.entries()) {
    const named = textAt(message, 'parent_message_uuid')
    // One that nobody knows is the beginning; without a name it is whatever stood before.
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
  const asks = (textAt(message, 'sender') ?? textAt(message, 'role')) !== 'assistant'
  if (asks) return questionFrom(message, blocks, create_time)
  if (blocks.length === 0) return spoken(withoutTags(textAt(message, 'text') ?? ''), { model, create_time })
  const made = joined(blocks.flatMap(block => blockFrom(block))).map(each => ({
    ...each,
    create_time,
    ...(each.role === 'assistant' && { model }),
  }))
  // Some hold blocks of kinds nobody knows, and the text beside them.
  return made.some(({ content }) => content?.content_type === 'text')
    ? made
    : [...made, ...spoken(withoutTags(textAt(message, 'text') ?? ''), { model, create_time })]
}

/** What was pasted is attached, with its words. */
function questionFrom(message: Raw, blocks: readonly Raw[], create_time: string | null): LooseMessage[] {
  const typed = blocks
    .map(block => (textAt(block, 'type') === 'text' ? (textAt(block, 'text') ?? '') : ''))
    .filter(text => text.trim() !== '')
    .join('\n\n')
  const attachments = rawsAt(message, 'attachments')
  const pasted = attachments.map(each => someTextAt(each, 'extracted_content')).filter(text => text !== null)
  const text = [typed || (textAt(message, 'text') ?? ''), ...pasted].filter(each => each.trim() !== '').join('\n\n')
  const files = ['files', 'files_v2'].map(key => rawsAt(message, key)).find(list => list.length > 0) ?? []
  const metadata = attaching([...attachments, ...files])
  return text === '' && metadata === null ? [] : [said('user', text, { create_time, metadata })]
}

function blockFrom(block: Raw): LooseMessage[] {
  switch (textAt(block, 'type')) {
    case 'text':
      return textFrom(block)
    case 'thinking':
      return thinkingFrom(block)
    case 'tool_use':
      return [toolFrom(block)]
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
    const end = each['end_index']
    return url === null
      ? []
      : [
          {
            url,
            title: someTextAt(each, 'title') ?? someTextAt(details, 'title'),
            at: typeof end === 'number' && end >= 0 && end <= text.length ? end : null,
          },
        ]
  })
  return text.trim() === '' ? [] : [said('assistant', text, { metadata: citing(text, cited) })]
}

function thinkingFrom(block: Raw): LooseMessage[] {
  const text = someTextAt(block, 'thinking', 'text')
  const [begun, ended] = [timeAt(block, 'start_timestamp'), timeAt(block, 'stop_timestamp')]
  const seconds =
    begun === null || ended === null ? null : Math.max(0, Math.round((Date.parse(ended) - Date.parse(begun)) / 1000))
  return text === null ? [] : [thoughts(text.trim(), seconds)]
}

/** What it wrote beside the conversation is said; any other tool is a step. */
function toolFrom(block: Raw): LooseMessage {
  const input = rawAt(block, 'input')
  const artifact = claudeArtifact(input)
  if (artifact !== null) return said('assistant', artifact)
  const recipient = textAt(block, 'name') ?? 'tool'
  const text = JSON.stringify(storable(input), null, 2)
  return said('assistant', '', {
    content: { content_type: 'code', language: 'json', text },
    metadata: { source: 'openai_web', recipient: storableText(recipient.slice(0, 200)) },
  })
}

function resultFrom(block: Raw): LooseMessage[] {
  const name = textAt(block, 'name') ?? 'tool'
  const text =
    rawsAt(block, 'content')
      .map(each => someTextAt(each, 'text', 'title') ?? '')
      .filter(each => each !== '')
      .join('\n\n') ||
    (textAt(block, 'content') ?? '')
  return text.trim() === '' || name === 'artifacts' ? [] : [said('tool', text, { author_name: name.slice(0, 200) })]
}

/** Texts that follow each other are one, unless they cite something. */
function joined(messages: readonly LooseMessage[]): LooseMessage[] {
  const whole: LooseMessage[] = []
  for (const message of messages) {
    const before = whole.at(-1)
    const plain = [before, message].every(each => each?.role === 'assistant' && each.metadata === null)
    if (plain && before?.content?.content_type === 'text' && message.content?.content_type === 'text') {
      whole.splice(-1, 1, said('assistant', `${before.content.text ?? ''}\n\n${message.content.text ?? ''}`))
    } else if (plain && before?.content?.content_type === 'thoughts' && message.content?.content_type === 'thoughts') {
      const seconds =
        before.content.seconds === null && message.content.seconds === null
          ? null
          : (before.content.seconds ?? 0) + (message.content.seconds ?? 0)
      whole.splice(-1, 1, thoughts(`${before.content.text}\n\n${message.content.text}`, seconds))
    } else {
      whole.push(message)
    }
  }
  return whole
}
