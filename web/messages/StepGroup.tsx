import { useMemo, useState, useSyncExternalStore } from 'react'
import { withText } from '#contract/messages.ts'
import { useSecondsSince } from '#web/foundation/times.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { BreathingDot } from '#web/kit/Dots.tsx'
import {
  IconAlertTriangle,
  IconBulb,
  IconChevronRight,
  IconFile,
  IconMessage,
  IconPencil,
  IconPhoto,
  IconPlug,
  IconTerminal2,
  IconWorld,
} from '#web/kit/icons.ts'
import { useToolName } from '#web/sources/list/list.ts'
import type { UsedTool } from '#web/sources/source.ts'
import type { TextFeed } from './markdown/streaming/textFeed.ts'
import { Pictures } from './Pictures.tsx'
import { PlainFallback } from './PlainText.tsx'
import styles from './step.module.css'
import { StepBody } from './StepBody.tsx'
import { secondsOf, type Step, type StepKind } from './steps.ts'
import { drawnIn, pluginOf, toolSource, stepTitle } from './stepTexts.ts'

export type StepGroupProps = {
  steps: readonly Step[]
  feedOf: ((message_id: string) => TextFeed | undefined) | undefined
  /** The last step is still running. */
  growing: boolean
}

/** The steps of tools between two texts, one line each. Pictures that a run has drawn are always shown. */
export function StepGroup({ steps, feedOf, growing }: StepGroupProps) {
  const t = useTranslate()
  return (
    <div className={styles.steps} role="group" aria-label={t('message.steps')} data-testid="steps">
      {steps.map((step, at) => {
        const running = growing && at === steps.length - 1
        // Thoughts keep their feed, so that what was rendered while they grew is not rendered again.
        const isFed = running || step.kind === 'thoughts'
        return (
          <PlainFallback key={step.messages[0]?.id ?? at} text={() => JSON.stringify(step.messages, null, 2)}>
            <StepView
              step={step}
              running={running}
              feed={isFed ? feedOf?.(step.messages.at(-1)?.id ?? '') : undefined}
            />
            <Pictures parts={drawnIn(step)} />
          </PlainFallback>
        )
      })}
    </div>
  )
}

const ICONS: Record<StepKind, typeof IconBulb> = {
  thoughts: IconBulb,
  code: IconTerminal2,
  browsing: IconWorld,
  files: IconFile,
  plugin: IconPlug,
  painting: IconPhoto,
  error: IconAlertTriangle,
  canvas: IconPencil,
  other: IconMessage,
}

const NO_PLUGIN: UsedTool = { id: null, namespace: null }

type StepViewProps = { step: Step; running: boolean; feed: TextFeed | undefined }

/** A step of a tool: one line, and expanded all of it. A failure from which the model did not recover is expanded. */
function StepView({ step: whole, running, feed }: StepViewProps) {
  const isThoughts = whole.kind === 'thoughts'
  // Thoughts grow in the body, so that nothing of them is rendered while they are folded.
  const step = useGrowingStep(whole, isThoughts ? undefined : feed)
  const plugin = useToolName(toolSource(step), step.kind === 'plugin' ? pluginOf(step) : NO_PLUGIN, running)
  const title = stepTitle(step, running, useTranslate(), plugin)
  const seconds = secondsOf(step)
  const isExpanded = step.failed && !step.recovered && !running
  const [wasExpanded, setWasExpanded] = useState(isExpanded)
  const Icon = ICONS[step.kind]
  // Unpins the thread, so that it does not scroll to its end past a complete step that is expanded to be read from the
  // beginning.
  const stay = (summary: HTMLElement) => {
    if (!running) summary.closest('[data-testid=thread]')?.dispatchEvent(new Event('unpin'))
  }
  return (
    <details
      className={styles.step}
      open={isExpanded}
      data-testid="step"
      data-kind={step.kind}
      data-message-ids={step.messages.map(({ id }) => id).join(' ')}
      onToggle={event => {
        if (event.currentTarget.open) setWasExpanded(true)
      }}
    >
      <summary className={step.failed ? styles.failed : styles.line} onClick={event => stay(event.currentTarget)}>
        <IconChevronRight className={styles.chevron} size={14} stroke={1.6} aria-hidden />
        <Icon size={16} stroke={1.6} aria-hidden />
        <span className={styles.title}>{title}</span>
        {running && <BreathingDot />}
        {running && isThoughts && feed?.since != null && <Elapsed since={feed.since} />}
        {!running && seconds !== null && <Seconds seconds={seconds} />}
      </summary>
      {wasExpanded && (
        <div className={styles.body}>
          <StepBody step={step} feed={isThoughts ? feed : undefined} />
        </div>
      )}
    </details>
  )
}

const noFeed = () => () => undefined

/** The step with the text that its last message has so far. */
function useGrowingStep(step: Step, feed: TextFeed | undefined): Step {
  const text = useSyncExternalStore(feed?.subscribe ?? noFeed, () =>
    feed === undefined || feed.done ? null : feed.text,
  )
  return useMemo(() => {
    const last = step.messages.at(-1)
    if (text === null || last === undefined) return step
    return { ...step, messages: [...step.messages.slice(0, -1), { ...last, content: withText(last.content, text) }] }
  }, [step, text])
}

/** How long the model has been thinking. */
function Elapsed({ since }: { since: number }) {
  const seconds = useSecondsSince(since)
  return seconds > 0 && <Seconds seconds={seconds} />
}

function Seconds({ seconds }: { seconds: number }) {
  const t = useTranslate()
  const rounded =
    seconds < 10 && !Number.isInteger(seconds) ? Math.max(Math.round(seconds * 10) / 10, 0.1) : Math.round(seconds)
  return <span className={styles.seconds}>{t('message.seconds', { count: rounded })}</span>
}
