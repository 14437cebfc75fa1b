import { first } from './chatGptExport.testing.ts'

/** Who said what after whom; thoughts as their text and seconds. */
export async function read(file: unknown) {
  const conversation = await first(file)
  const messages = conversation.messages.map(({ parent, role, content, model, create_time, metadata }) => {
    const said =
      content?.content_type === 'thoughts'
        ? `(${content.text})${content.seconds ?? ''}`
        : content !== null && 'text' in content
          ? content.text
          : content
    const web = metadata?.source === 'openai_web' ? metadata : null
    return {
      parent,
      role,
      said,
      model,
      create_time,
      cited: web?.citations?.map(each => [each.start_ix, each.metadata?.url]),
      files: web?.attachments?.map(({ name }) => name),
      to: web?.recipient,
    }
  })
  return {
    conversation,
    messages,
    said: messages.map(({ role, said }) => `${role}: ${String(said)}`),
    parents: messages.map(({ parent }) => parent),
  }
}

export const deepSeekNode = (
  id: string,
  parent: string | null,
  children: string[],
  fragments: object[] | null,
  more: object = {},
) => ({
  id,
  parent,
  children,
  message:
    fragments === null
      ? null
      : { files: [], model: 'deepseek-chat', inserted_at: '2025-06-01T10:00:05.000000+08:00', fragments, ...more },
})

export function deepSeek(...nodes: ReturnType<typeof deepSeekNode>[]) {
  const mapping = Object.fromEntries([deepSeekNode('root', null, ['1'], null), ...nodes].map(each => [each.id, each]))
  return {
    id: 'ds',
    title: 'Tea talk',
    inserted_at: '2025-06-01T10:00:00.000000+08:00',
    updated_at: '2025-06-01T10:01:00.000000+08:00',
    mapping,
  }
}

export const claudeMessage = (uuid: string, sender: string, content: object[], more: object = {}) => ({
  uuid,
  sender,
  text: '',
  content,
  created_at: '2026-02-14T10:04:22.000Z',
  attachments: [],
  files: [],
  ...more,
})

export const claude = (...chat_messages: object[]) => ({
  uuid: 'c1',
  name: 'Tea',
  created_at: '2026-02-14T10:04:22.000000Z',
  updated_at: '2026-02-14T10:22:41Z',
  chat_messages,
})
