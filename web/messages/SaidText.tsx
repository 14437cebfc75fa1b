import { type ReactNode, useCallback, useContext, useMemo, useSyncExternalStore } from 'react'
import type { Message } from '#contract/messages.ts'
import { usePreferences } from '#web/foundation/preferences.ts'
import { CitationChip } from './CitationChip.tsx'
import { citedText, sourcesOf } from './citations.ts'
import { ConversationId } from './conversationId.ts'
import { citationMark, DrawCitation } from './markdown/citationMarks.tsx'
import { Markdown, StreamingMarkdown } from './markdown/Markdown.tsx'
import { OpenSandboxFile } from './markdown/blocks/SafeLink.tsx'
import type { TextFeed } from './markdown/streaming/textFeed.ts'
import { openSandboxFile } from './openFile.ts'
import { PlainFallback } from './PlainFallback.tsx'
import { PlainText } from './PlainText.tsx'
import { ShownPlain } from './shownPlain.ts'
import { Sources } from './Sources.tsx'

type SaidTextProps = { message: Message; text: string; feed: TextFeed | undefined }

/** A text of an answer, with the sources it cites. */
export function SaidText({ message, text, feed }: SaidTextProps) {
  const plain = useContext(ShownPlain) === true
  if (feed !== undefined && !plain) return <FedText message={message} text={text} feed={feed} />
  return plain ? <PlainText text={text} /> : <WholeText message={message} text={text} />
}

/** The places of the citations are known only at the end. */
function FedText({ message, text, feed }: { message: Message; text: string; feed: TextFeed }) {
  const { codeAutoWrap } = usePreferences()
  const cites = useSyncExternalStore(feed.subscribe, () => feed.done && sourcesOf(message).length > 0)
  if (cites) return <WholeText message={message} text={text} />
  return (
    <PlainFallback text={() => feed.text}>
      <SandboxFiles message={message}>
        <StreamingMarkdown feed={feed} wrapCode={codeAutoWrap} />
      </SandboxFiles>
    </PlainFallback>
  )
}

function WholeText({ message, text }: { message: Message; text: string }) {
  const { codeAutoWrap } = usePreferences()
  const sources = useMemo(() => sourcesOf(message), [message])
  const cited = useMemo(() => citedText(text, message, citationMark), [text, message])
  const draw = useCallback(
    (number: number) => {
      const source = sources[number - 1]
      return source === undefined ? null : <CitationChip source={source} />
    },
    [sources],
  )
  return (
    <PlainFallback text={() => text}>
      <SandboxFiles message={message}>
        <DrawCitation value={sources.length > 0 ? draw : null}>
          <Markdown text={cited} wrapCode={codeAutoWrap} />
        </DrawCitation>
      </SandboxFiles>
      {sources.length > 0 && <Sources sources={sources} />}
    </PlainFallback>
  )
}

/** Links to files of the code interpreter, which only a web answer can have. */
function SandboxFiles({ message: { id, source }, children }: { message: Message; children: ReactNode }) {
  const conversation_id = useContext(ConversationId)
  const open = useCallback(
    (path: string) => {
      if (conversation_id !== null) void openSandboxFile(conversation_id, id, path)
    },
    [conversation_id, id],
  )
  return (
    <OpenSandboxFile value={source === 'openai_web' && conversation_id !== null ? open : null}>
      {children}
    </OpenSandboxFile>
  )
}
