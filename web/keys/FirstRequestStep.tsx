import { Button } from '@mantine/core'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { ConnectionCheck } from './ConnectionCheck.tsx'
import { type TrialFacts, TrialResult } from './TrialResult.tsx'
import { useTrial } from './useTrial.ts'

/** Waits for a request of the tool, and says what came of it. */
export function FirstRequestStep(facts: TrialFacts) {
  const t = useTranslate()
  const { state, now, wait, stop } = useTrial(facts.of, facts.secret)
  return (
    <li>
      <h3>
        {t('keys.step.test')}
        <small>{t('keys.step.test.help')}</small>
      </h3>
      {state.phase === 'idle' ? (
        <Button variant="default" size="xs" data-testid="tool-test" onClick={() => void wait()}>
          {t('keys.test')}
        </Button>
      ) : (
        <TrialResult {...{ state, now, facts }} onWait={() => void wait()} onStop={stop} />
      )}
      <ConnectionCheck />
    </li>
  )
}
