import type { ImagePart, Message } from '#contract/messages.ts'
import type { TextFeed } from './markdown/streaming/textFeed.ts'
import { Pictures } from './Pictures.tsx'
import { SaidText } from './SaidText.tsx'
import { Steps } from './Steps.tsx'
import { stepFailed, stepKindOf } from './steps.ts'

/** Texts and pictures of a message. Everything else a message holds is a step of a tool. */
export function ContentView({ message, feed }: { message: Message; feed: TextFeed | undefined }) {
  const { content } = message
  const kind = stepKindOf(message)
  if (kind !== null) {
    return (
      <Steps
        steps={[{ kind, messages: [message], failed: stepFailed({ kind, messages: [message] }), recovered: false }]}
        feedOf={undefined}
        growing={false}
      />
    )
  }
  if (content?.content_type === 'multimodal_text') return <Parts message={message} parts={content.parts} />
  const text = content?.content_type === 'text' ? (content.text ?? content.parts?.join('') ?? '') : ''
  return <SaidText message={message} text={text} feed={feed} />
}

/** Texts and pictures in their order; pictures that follow each other stand together. */
function Parts({ message, parts }: { message: Message; parts: readonly (string | ImagePart)[] }) {
  const groups: (string | ImagePart[])[] = []
  for (const part of parts) {
    const last = groups.at(-1)
    if (typeof part === 'string') groups.push(part)
    else if (Array.isArray(last)) last.push(part)
    else groups.push([part])
  }
  return groups.map((group, at) =>
    typeof group === 'string' ? (
      group.trim() !== '' && <SaidText key={at} message={message} text={group} feed={undefined} />
    ) : (
      <Pictures key={at} parts={group} />
    ),
  )
}
