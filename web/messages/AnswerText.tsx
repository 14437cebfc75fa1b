import {
  type ReactNode,
  useCallback,
  useContext,
  useMemo,
  useSyncExternalStore,
  useEffect,
  useRef,
  useState,
} from 'react'
import type { Message } from '#contract/messages.ts'
import { usePreferences } from '#web/foundation/preferences.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { IconFile, IconWorld } from '#web/kit/icons.ts'
import { lazyComponent } from '#web/kit/lazyComponent.tsx'
import { pageSource } from '#web/sources/list/list.ts'
import { type CitedSource, citedText, sourceOf, sourcesOf } from './citations.ts'
import styles from './citations.module.css'
import { OpenSandboxFile } from './markdown/blocks/SafeLink.tsx'
import { citationMark, DrawCitation, DrawSource } from './markdown/citationMarks.tsx'
import { Markdown, StreamingMarkdown } from './markdown/Markdown.tsx'
import type { TextFeed } from './markdown/streaming/textFeed.ts'
import { openFound } from './openFile.ts'
import { PlainFallback, PlainText } from './PlainText.tsx'
import { AnswerPictures } from './AnswerPictures.tsx'
import { ConversationId, ShownPlain } from './readingContext.ts'
import { apiMetadata } from './metadata.ts'

type AnswerTextProps = { message: Message; text: string; feed: TextFeed | undefined }

/** A text of an answer, with the sources it cites. */
export function AnswerText({ message, text, feed }: AnswerTextProps) {
  if (useContext(ShownPlain) === true) return <PlainText text={text} />
  return feed === undefined ? (
    <WholeText message={message} text={text} />
  ) : (
    <GrowingText message={message} text={text} feed={feed} />
  )
}

/** The positions of citations are known only at the end. */
function GrowingText({ message, text, feed }: { message: Message; text: string; feed: TextFeed }) {
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
      const source = sourceOf(sources, number)
      return source === undefined ? null : <CitationChip source={source} />
    },
    [sources],
  )
  const link = useCallback(
    (number: number) => {
      const source = sourceOf(sources, number)
      return source === undefined || source.url === null ? null : <SourceLink source={source} />
    },
    [sources],
  )
  return (
    <PlainFallback text={() => text}>
      <SandboxFiles message={message}>
        <DrawCitation value={sources.length > 0 ? draw : null}>
          <DrawSource value={apiMetadata(message) !== null && sources.length > 0 ? link : null}>
            <Markdown text={cited} wrapCode={codeAutoWrap} />
          </DrawSource>
        </DrawCitation>
      </SandboxFiles>
      {sources.length > 0 && <Sources sources={sources} />}
    </PlainFallback>
  )
}

/** The mark of a source in the text of an endpoint. */
function SourceLink({ source: { number, url, title } }: { source: CitedSource }) {
  const t = useTranslate()
  return (
    <a
      className={styles.chip}
      href={url ?? undefined}
      title={title}
      aria-label={t('message.sourceNumber', { number, title })}
      data-testid="sourceMark"
      target="_blank"
      rel="noopener noreferrer"
      referrerPolicy="no-referrer"
    >
      {number}
    </a>
  )
}

/** The sources in a row, with the numbers that they have in the text. */
function Sources({ sources }: { sources: readonly CitedSource[] }) {
  const t = useTranslate()
  return (
    <ul className={styles.sources} aria-label={t('message.sources')} data-testid="sources">
      {sources.map(source => (
        <li key={source.number}>
          <Source source={source} />
        </li>
      ))}
    </ul>
  )
}

function Source({ source: { number, url, title } }: { source: CitedSource }) {
  const Icon = url === null ? IconFile : IconWorld
  const shown = (
    <>
      <Icon size={16} stroke={1.6} aria-hidden />
      <span dir="auto" className={styles.sourceTitle}>
        {title}
      </span>
      <span className={styles.number}>{number}</span>
    </>
  )
  if (url === null)
    return (
      <span className={styles.source} title={title}>
        {shown}
      </span>
    )
  return (
    <a
      className={styles.source}
      href={url}
      title={title}
      target="_blank"
      rel="noopener noreferrer"
      referrerPolicy="no-referrer"
    >
      {shown}
    </a>
  )
}

/** Opens links to files that a tool has written, where the source gives them out. */
function SandboxFiles({ message: { id, source }, children }: { message: Message; children: ReactNode }) {
  const conversation_id = useContext(ConversationId)
  const { toolFileAddress } = pageSource(source)
  const open = useCallback(
    (path: string) => {
      if (conversation_id !== null && toolFileAddress !== null)
        void openFound(() => toolFileAddress(conversation_id, id, path))
    },
    [conversation_id, id, toolFileAddress],
  )
  return (
    <OpenSandboxFile value={toolFileAddress !== null && conversation_id !== null ? open : null}>
      <AnswerPictures>{children}</AnswerPictures>
    </OpenSandboxFile>
  )
}

const CitationCard = lazyComponent(() => import('./CitationCard.tsx').then(module => module.CitationCard))

/** Milliseconds that the pointer rests on the chip before the card opens, and is away before it closes. */
const REST_MS = 200

/**
 * The number of a source in the text. Its card opens on hover; when the chip is pressed, the card also takes the focus.
 */
function CitationChip({ source }: { source: CitedSource }) {
  const t = useTranslate()
  const chip = useRef<HTMLButtonElement>(null)
  const [open, setOpen] = useState<'closed' | 'hovered' | 'entered'>('closed')
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const later = (next: 'closed' | 'hovered') => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setOpen(now => (now === 'entered' ? now : next)), REST_MS)
  }
  useEffect(() => () => clearTimeout(timer.current), [])
  const close = (focusChip: boolean) => {
    clearTimeout(timer.current)
    setOpen('closed')
    if (focusChip) chip.current?.focus()
  }
  return (
    <>
      <button
        type="button"
        ref={chip}
        className={styles.chip}
        aria-label={t('message.sourceNumber', { number: source.number, title: source.title })}
        aria-haspopup="dialog"
        aria-expanded={open !== 'closed'}
        data-testid="citation"
        data-source={source.url ?? ''}
        onPointerEnter={event => {
          if (event.pointerType !== 'touch') {
            CitationCard.preload().catch(() => null)
            later('hovered')
          }
        }}
        onPointerLeave={event => {
          if (event.pointerType !== 'touch') later('closed')
        }}
        onClick={() => (open === 'entered' ? close(false) : setOpen('entered'))}
      >
        {source.number}
      </button>
      {open !== 'closed' && (
        <CitationCard
          source={source}
          chip={chip}
          entered={open === 'entered'}
          onClose={close}
          onHover={isHovered => (isHovered ? clearTimeout(timer.current) : later('closed'))}
          needed={open === 'entered'}
          onLoadError={() => close(false)}
        />
      )}
    </>
  )
}
