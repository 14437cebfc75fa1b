import { useEffect, useRef, useState } from 'react'
import { Button } from '@mantine/core'
import { type ArkoseOutcome, fetchArkoseToken } from '#web/sources/openai_web/arkose/arkoseToken.ts'
import type { Translate } from '#web/i18n/dictionary.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import styles from './arkoseTest.module.css'

/** Characters of a token that are shown. */
const SHOWN = 8

type State = 'untried' | 'running' | ArkoseOutcome

/** Fetches a token as a question would, with what is saved, and says what came. */
export function ArkoseTest() {
  const t = useTranslate()
  const [state, setState] = useState<State>('untried')
  const leaving = useRef<AbortController>(undefined)
  useEffect(() => () => leaving.current?.abort(), [])
  const isBlocked = typeof state === 'object' && 'failed' in state && state.failed === 'blocked'
  const test = async () => {
    leaving.current = new AbortController()
    setState('running')
    setState(await fetchArkoseToken(leaving.current.signal))
  }
  return (
    <div className={styles.test}>
      <Button size="xs" variant="default" loading={state === 'running'} onClick={() => void test()}>
        {t('settings.arkose.test')}
      </Button>
      <p role="status">{textOf(state, t)}</p>
      {isBlocked && (
        <Button size="xs" variant="subtle" color="gray" onClick={() => window.location.reload()}>
          {t('settings.arkose.reload')}
        </Button>
      )}
    </div>
  )
}

function textOf(state: State, t: Translate): string {
  if (state === 'untried') return ''
  if (state === 'running') return t('settings.arkose.running')
  if ('token' in state)
    return t('settings.arkose.token', { start: state.token.slice(0, SHOWN), count: state.token.length })
  return state.failed === 'aborted' || state.failed === 'skipped' ? '' : t(`settings.arkose.${state.failed}`)
}
