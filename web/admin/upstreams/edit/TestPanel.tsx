import { Button } from '@mantine/core'
import type { TestStep, UpstreamTest } from '#contract/upstreams.ts'
import { agoText, useNow } from '#web/foundation/times.ts'
import { useLanguage, useTranslate, useTranslateMessage } from '#web/i18n/useTranslate.ts'
import { IconAlertTriangle, IconCheck } from '#web/kit/icons.ts'
import { DrawerSection } from '../../drawer/rows.tsx'
import { reasonOf } from '../state/condition.ts'
import styles from '../../drawer/testPanel.module.css'
import type { ConnectionTest } from './useConnectionTest.ts'

type TestPanelProps = {
  connectionTest: ConnectionTest
  /** Whether the upstream is stored. */
  saved: boolean
  /** Whether the test sends a key. */
  hasKey: boolean
}

/** The result of a connection test, step by step. The first step that failed says what was answered and what to do. */
export function TestPanel({
  connectionTest: { outcome, time, pending, canRun, run, listed },
  saved,
  hasKey,
}: TestPanelProps) {
  const t = useTranslate()
  const say = useTranslateMessage()
  const language = useLanguage()
  const now = useNow()
  const failed = outcome !== null && outcome.message !== null
  const head = outcome === null ? 'untested' : failed ? 'failed' : saved ? 'good' : 'ready'
  return (
    <DrawerSection title={t('upstreams.test')}>
      <div className={styles.test} role={failed ? 'alert' : 'status'} data-testid="upstream-test">
        <div className={styles.testHead}>
          <b>{t(`upstreams.outcome.${head}`)}</b>
          {time !== null && <span>{agoText(new Date(time), now, t, language)}</span>}
          <Button
            size="xs"
            variant="subtle"
            color="gray"
            loading={pending}
            disabled={!canRun}
            data-testid="run-test"
            onClick={() => void run()}
          >
            {t(outcome === null ? 'upstreams.test.run' : 'upstreams.test.again')}
          </Button>
        </div>
        {outcome === null ? (
          <p className={styles.untried}>{t('upstreams.outcome.how')}</p>
        ) : (
          <ol>
            {outcome.steps.map(({ step, outcome: result }) => (
              <li key={step} data-outcome={result}>
                {result === 'ok' && <IconCheck size={16} aria-hidden />}
                {result === 'failed' && <IconAlertTriangle size={16} aria-hidden />}
                {result === 'untried' && <i />}
                <span>
                  <span>{titleOf(step, result)}</span>
                  <span className={styles.fact}>{factOf(step, result)}</span>
                </span>
              </li>
            ))}
          </ol>
        )}
      </div>
    </DrawerSection>
  )

  function titleOf(step: TestStep, result: UpstreamTest['steps'][number]['outcome']): string {
    if (result !== 'ok') return t(`upstreams.step.${step}.${result}`)
    if (step === 'key' && !hasKey) return t('upstreams.step.key.unneeded')
    if (step !== 'models') return t(`upstreams.step.${step}.ok`)
    const count = outcome?.listed ?? null
    return count === null ? t('upstreams.step.models.none') : t('upstreams.step.models.ok', { count })
  }

  function factOf(step: TestStep, result: UpstreamTest['steps'][number]['outcome']): string {
    if (outcome === null || result === 'untried') return t('upstreams.step.untried')
    if (result === 'failed') return failureText(outcome.message)
    if (step === 'address') {
      const { duration, proxy } = outcome
      return proxy === null
        ? t('upstreams.step.duration', { duration })
        : t(`upstreams.step.through.${proxy}`, { duration })
    }
    if (step === 'key') return t(hasKey ? 'upstreams.step.key.fact' : 'upstreams.step.key.unneededFact')
    if (outcome.listed === null) return t('upstreams.step.models.noneFact')
    return listed
      .slice(0, 3)
      .map(({ name }) => name)
      .join(t('kit.comma'))
  }

  function failureText(message: string | null): string {
    const reason = reasonOf(message)
    if (reason === null) return message === null ? '' : say(message, outcome?.values ?? {})
    return t('upstreams.failure', { reason: t(`upstreams.reason.${reason}`), todo: t(`upstreams.todo.${reason}`) })
  }
}
