import { Button } from '@mantine/core'
import { useState } from 'react'
import type { UserKey } from '#contract/keys.ts'
import { agoText, useNow } from '#web/foundation/times.ts'
import { useLanguage, useTranslate } from '#web/i18n/useTranslate.ts'
import { IconAlertTriangle, IconCheck } from '#web/kit/icons.ts'
import { afterReading, type FirstRequest } from './connection.ts'
import { useKeys } from './queries.ts'
import styles from './keys.module.css'

/** Waits for a request by a key, as long as the page is open. */
export function FirstRequestStep({ of: key }: { of: UserKey }) {
  const t = useTranslate()
  const [state, setState] = useState<FirstRequest>({ phase: 'idle' })
  const now = useNow(1_000)
  useKeys(state.phase === 'waiting')
  const next = afterReading(state, key, now.getTime())
  // What has come stays, whatever the key is used for later.
  if (next !== state) setState(next)
  const wait = () => setState({ phase: 'waiting', since: Date.now(), usedBefore: key.last_used_time })
  return (
    <li>
      <h3>
        {t('keys.step.test')}
        <small>{t('keys.step.test.help')}</small>
      </h3>
      {state.phase === 'idle' ? (
        <Button variant="default" size="xs" data-testid="tool-test" onClick={wait}>
          {t('keys.test')}
        </Button>
      ) : (
        <TestResult state={state} now={now} onWait={wait} onStop={() => setState({ phase: 'idle' })} />
      )}
    </li>
  )
}

type TestResultProps = {
  state: Exclude<FirstRequest, { phase: 'idle' }>
  now: Date
  onWait(): void
  onStop(): void
}

function TestResult({ state, now, onWait, onStop }: TestResultProps) {
  const t = useTranslate()
  const language = useLanguage()
  const isWaiting = state.phase === 'waiting'
  return (
    <div className={styles.result} data-phase={state.phase} role="status" data-testid="tool-test-result">
      <ResultIcon phase={state.phase} />
      <span>
        <b>{t(`keys.test.${state.phase}`)}</b>
        <small>
          {state.phase === 'received'
            ? t('keys.test.by', {
                tool: state.tool ?? t('keys.someTool'),
                time: agoText(new Date(state.time), now, t, language),
              })
            : t(`keys.test.${state.phase}.more`)}
        </small>
      </span>
      <Button
        variant="subtle"
        color="gray"
        size="compact-sm"
        {...(isWaiting ? {} : { 'data-testid': 'tool-test' })}
        onClick={isWaiting ? onStop : onWait}
      >
        {t(isWaiting ? 'keys.test.stop' : 'keys.test.again')}
      </Button>
    </div>
  )
}

function ResultIcon({ phase }: { phase: FirstRequest['phase'] }) {
  if (phase === 'received') return <IconCheck size={16} aria-hidden />
  if (phase === 'over') return <IconAlertTriangle size={16} aria-hidden />
  return <span className={styles.dot} aria-hidden />
}
