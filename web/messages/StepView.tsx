import { useState } from 'react'
import type { Message } from '#contract/messages.ts'
import { useSecondsSince } from '#web/foundation/times.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { BreathingDot } from '#web/kit/Dots.tsx'
import {
  IconAlertTriangle,
  IconBulb,
  IconChevronRight,
  IconCode,
  IconFile,
  IconPhoto,
  IconPlug,
  IconTerminal2,
  IconWorld,
} from '#web/kit/icons.ts'
import { lazyComponent } from '#web/kit/lazyComponent.tsx'
import type { TextFeed } from './markdown/streaming/textFeed.ts'
import styles from './step.module.css'
import { secondsOf, type Step, type StepKind } from './steps.ts'
import { useGrownStep } from './useGrownStep.ts'
import { useStepTitle } from './useStepTitle.ts'

const StepBody = lazyComponent(() => import('./StepBody.tsx').then(module => module.StepBody))

const ICONS: Record<StepKind, typeof IconCode> = {
  thoughts: IconBulb,
  code: IconTerminal2,
  browsing: IconWorld,
  files: IconFile,
  plugin: IconPlug,
  painting: IconPhoto,
  error: IconAlertTriangle,
  raw: IconCode,
}

type StepViewProps = { step: Step; running: boolean; feed: TextFeed | undefined }

/** One quiet line for a step of a tool; expanded it shows everything. A failure is expanded unless the model recovered from it. */
export function StepView({ step: given, running, feed }: StepViewProps) {
  const thinks = given.kind === 'thoughts'
  // Thoughts grow in their own body, so that nothing is drawn of them while they are folded.
  const step = useGrownStep(given, thinks ? undefined : feed)
  const title = useStepTitle(step, running)
  const seconds = secondsOf(step)
  const failedAtLast = step.failed && !step.recovered && !running
  const [opened, setOpened] = useState(failedAtLast)
  const Icon = ICONS[step.kind]
  // What is whole is opened to be read from its beginning; otherwise a thread that stays at its end would take it out of sight.
  const stay = (summary: HTMLElement) => {
    if (!running) summary.closest('[data-testid=thread]')?.dispatchEvent(new Event('stay'))
  }
  return (
    <details
      className={styles.step}
      open={failedAtLast}
      data-testid="step"
      data-kind={step.kind}
      data-message-ids={idsOf(step.messages)}
      onToggle={event => {
        if (event.currentTarget.open) setOpened(true)
      }}
    >
      <summary className={step.failed ? styles.failed : styles.line} onClick={event => stay(event.currentTarget)}>
        <IconChevronRight className={styles.chevron} size={14} stroke={1.6} aria-hidden />
        <Icon size={16} stroke={1.6} aria-hidden />
        <span className={styles.title}>{title}</span>
        {running ? (
          <Running since={thinks ? (feed?.since ?? null) : null} />
        ) : (
          seconds !== null && <Seconds seconds={seconds} />
        )}
      </summary>
      {opened && (
        <div className={styles.body}>
          <StepBody step={step} feed={thinks ? feed : undefined} onLoadError={() => setOpened(false)} />
        </div>
      )}
    </details>
  )
}

/** How long the model has been thinking is told as it goes on. */
function Running({ since }: { since: number | null }) {
  return (
    <>
      <BreathingDot />
      {since !== null && <Elapsed since={since} />}
    </>
  )
}

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

function idsOf(messages: readonly Message[]): string {
  return messages.map(({ id }) => id).join(' ')
}
