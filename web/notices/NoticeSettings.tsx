import { Switch } from '@mantine/core'
import '@mantine/core/styles/InlineInput.layer.css'
import '@mantine/core/styles/Switch.layer.css'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { NOTICE_KINDS } from '#contract/notices.ts'
import { usePreferences } from '#web/foundation/preferences.ts'
import { reportFailure } from '#web/foundation/failures.ts'
import { setPreferences } from '#web/foundation/session.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { deviceChoice, noticeSupport, switchOff, switchOn } from './device.ts'
import { noticesQuery } from './queries.ts'
import styles from './notices.module.css'

/** Notices in the preferences: in this browser, and of what everywhere. */
export function NoticeSettings() {
  const t = useTranslate()
  const { notices } = usePreferences()
  const { isOn, reason, isFixed, isPending, change } = useThisBrowser()
  return (
    <section className={styles.settings} aria-label={t('notices.here')} data-testid="notice-settings">
      <Switch
        classNames={{ body: styles.switch }}
        labelPosition="left"
        label={t('notices.here')}
        description={reason === null ? t('notices.hereHelp') : t(`notices.${reason}`)}
        checked={isOn}
        disabled={isPending || (isFixed && !isOn)}
        onChange={event => change(event.currentTarget.checked)}
      />
      {isOn &&
        ([...NOTICE_KINDS, 'titles'] as const).map(name => (
          <Switch
            key={name}
            size="sm"
            classNames={{ body: styles.switch }}
            labelPosition="left"
            label={t(`notices.${name}`)}
            description={t(`notices.${name}Help`)}
            checked={notices[name]}
            onChange={event => setPreferences({ notices: { ...notices, [name]: event.currentTarget.checked } })}
          />
        ))}
    </section>
  )
}

/** Whether this browser tells, and where it cannot be switched on, why not. */
function useThisBrowser() {
  const [isOn, setOn] = useState(() => deviceChoice() === 'on' && noticeSupport() === 'ready')
  const [isPending, setPending] = useState(false)
  const [problem, setProblem] = useState<'blockedText' | 'failedText' | null>(null)
  const { data } = useQuery(noticesQuery)
  const support = noticeSupport()

  async function change(isWanted: boolean): Promise<void> {
    setPending(true)
    try {
      if (!isWanted) await switchOff()
      const switched = isWanted ? await switchOn() : null
      setOn(switched === 'on')
      setProblem(switched === 'blocked' ? 'blockedText' : switched === 'failed' ? 'failedText' : null)
    } catch (error) {
      reportFailure(error)
    } finally {
      setPending(false)
    }
  }

  function reasonNow() {
    if (data?.public_key === null) return 'offHere' as const
    if (support === 'insecure' || support === 'missing') return support
    if (support === 'blocked') return 'blockedText' as const
    return null
  }

  const fixed = reasonNow()
  return {
    isOn,
    reason: fixed ?? problem,
    /** Nothing that a click could change. */
    isFixed: fixed !== null,
    isPending,
    change: (isWanted: boolean) => void change(isWanted),
  }
}
