import { shortened } from '#contract/cutText.ts'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { textOf } from '#contract/messages.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { useAsks } from './asks/asks.ts'
import { type Ask, type AskState, goesOnUnseen, isLiving } from './asks/askState.ts'
import { feedOf } from './asks/feeds.ts'
import { endOfSentences, spoken } from './sentences.ts'

/** Characters of an answer that are read aloud by themselves; the rest can be read in the thread. */
const MAX_CHARACTERS = 600
/** Of what is left at the end. More is not read, and need not be searched for code and formulas. */
const MAX_READ = 10 * MAX_CHARACTERS
/** Milliseconds in which sentences are gathered, so that they are heard one after the other. */
const GATHERED_MS = 1500

/**
 * The texts for how an answer ended: `rest` is read with the part of the answer that has not been read, `end` when all
 * of it has.
 */
const ENDS = {
  finished: { rest: 'ask.answerComplete', end: 'ask.answerEnded' },
  stopped: { rest: 'ask.answerStopped', end: 'message.stopped' },
  interrupted: { rest: 'ask.answerInterrupted', end: 'message.interrupted' },
  failed: { rest: 'ask.answerFailed', end: 'message.failed' },
} as const

type Announced = { ask_id: string; to: number; lines: string[] }

/**
 * Announces an answer to screen readers as it grows, in whole sentences: single words could not be followed. Says when
 * it is complete.
 */
export function Announcer({ conversation_id }: { conversation_id: string | null }) {
  const t = useTranslate()
  const [lines, setLines] = useState<readonly string[]>([])
  const announced = useRef<Announced | null>(null)
  const growing = useAsks(
    ({ asks }) =>
      asks.find(ask => ask.conversation_id === conversation_id && ask.state.phase === 'replying')?.ask_id ?? null,
  )

  const words = { code: t('ask.code'), formula: t('ask.formula') }
  const announcedOf = (ask_id: string): Announced => {
    if (announced.current?.ask_id !== ask_id) announced.current = { ask_id, to: 0, lines: [] }
    return announced.current
  }
  const say = (of: Announced, line: string) => {
    of.lines = [...of.lines, line]
    setLines(of.lines)
  }
  const sayMore = useEffectEvent((ask: Ask) => {
    const of = announcedOf(ask.ask_id)
    if (of.to > MAX_CHARACTERS) return
    const text = answerOf(ask)
    const end = endOfSentences(text, of.to)
    const line = spoken(text.slice(of.to, end), words)
    of.to = end
    if (line === '') return
    say(of, shortened(line, MAX_CHARACTERS))
  })
  const sayEnd = useEffectEvent((ask: Ask) => {
    const of = announcedOf(ask.ask_id)
    const rest = of.to > MAX_CHARACTERS ? '' : spoken(answerOf(ask).slice(of.to, of.to + MAX_READ), words)
    const text = shortened(rest, MAX_CHARACTERS)
    const ending = ENDS[endOf(ask.state)]
    if (goesOnUnseen(ask.state)) say(of, t('ask.goesOn'))
    else if (text !== '') say(of, t(ending.rest, { text }))
    // Only this says that an ask was stopped before any text came; one that failed has a note on the screen.
    else if (of.lines.length > 0 || ask.state.phase === 'stopped') say(of, t(ending.end))
  })

  useEffect(() => {
    if (growing === null) return undefined
    const timer = setInterval(() => {
      const ask = useAsks.getState().asks.find(({ ask_id }) => ask_id === growing)
      if (ask !== undefined) sayMore(ask)
    }, GATHERED_MS)
    return () => clearInterval(timer)
  }, [growing])
  useEffect(
    () =>
      useAsks.subscribe(({ last }, before) => {
        if (last !== before.last && last !== null && last.conversation_id === conversation_id && !isLiving(last.state))
          sayEnd(last)
      }),
    [conversation_id],
  )

  return (
    <div className="visually-hidden" role="log" aria-live="polite" aria-label={t('ask.aloud')}>
      {lines.map((line, at) => (
        <p key={at}>{line}</p>
      ))}
    </div>
  )
}

function answerOf({ replies }: Ask): string {
  return replies
    .filter(({ content, role }) => role === 'assistant' && content?.content_type === 'text')
    .map(reply => feedOf(reply.id)?.text || textOf(reply))
    .join('\n')
}

function endOf({ phase }: AskState): keyof typeof ENDS {
  return phase === 'finished' || phase === 'interrupted' || phase === 'failed' ? phase : 'stopped'
}
