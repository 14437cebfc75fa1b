import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { IconAlertTriangle, IconCheck } from '#web/kit/icons.ts'
import { checkConnection, type Finding } from './checkConnection.ts'
import styles from './keys.module.css'

/** The way to this portal, tried by the page itself: what stands between may be in the way of tools. */
export function ConnectionCheck() {
  const t = useTranslate()
  const [findings, setFindings] = useState<readonly Finding[] | null>(null)
  const [isChecking, setChecking] = useState(false)
  const check = async () => {
    setChecking(true)
    setFindings(await checkConnection(window.location))
    setChecking(false)
  }
  return (
    <div className={styles.check}>
      <Button
        variant="subtle"
        color="gray"
        size="compact-sm"
        loading={isChecking}
        data-testid="connection-check"
        onClick={() => void check()}
      >
        {t('keys.check')}
      </Button>
      {findings !== null && (
        <div role="status" data-testid="connection-check-result">
          <ul>
            {findings.map(finding => (
              <FindingView key={finding.about} of={finding} />
            ))}
          </ul>
        </div>
      )}
    </div>
  )
}

type KeyOf<F> = F extends Finding ? `keys.check.${F['about']}.${Exclude<F['problem'], null> | 'ok'}` : never
type FindingKey = KeyOf<Finding>

function FindingView({ of: finding }: { of: Finding }) {
  const t = useTranslate()
  const { about, problem } = finding
  // each about has texts for its problems alone
  const text = `keys.check.${about}.${problem ?? 'ok'}` as FindingKey
  const Icon = problem === null ? IconCheck : IconAlertTriangle
  return (
    <li data-problem={problem ?? undefined}>
      <Icon size={14} aria-hidden />
      <span>
        <b>{t(`keys.check.${about}`)}</b>
        <small>{t(text, { address: window.location.origin })}</small>
      </span>
    </li>
  )
}
