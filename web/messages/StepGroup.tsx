import { useTranslate } from '#web/i18n/useTranslate.ts'
import type { TextFeed } from './markdown/streaming/textFeed.ts'
import { Pictures } from './Pictures.tsx'
import { PlainFallback } from './PlainFallback.tsx'
import styles from './step.module.css'
import type { Step } from './steps.ts'
import { StepView } from './StepView.tsx'
import { drawnIn } from './toolTexts.ts'

export type StepGroupProps = {
  steps: readonly Step[]
  feedOf: ((message_id: string) => TextFeed | undefined) | undefined
  /** The last step is still running. */
  growing: boolean
}

/** The steps of tools between two texts, a quiet line each. Pictures that a run has drawn are always shown. */
export function StepGroup({ steps, feedOf, growing }: StepGroupProps) {
  const t = useTranslate()
  return (
    <div className={styles.steps} role="group" aria-label={t('message.steps')} data-testid="steps">
      {steps.map((step, at) => {
        const running = growing && at === steps.length - 1
        // Thoughts that are opened stay as they were drawn while they grew.
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
