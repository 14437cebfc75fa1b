import { useEffect, useState } from 'react'
import { Button } from '@mantine/core'
import { retryNow, useOnline } from '#web/foundation/browserConnection.ts'
import { queryClient } from '#web/foundation/queryClient.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { BreathingDot } from '#web/kit/Dots.tsx'
import { IconWifiOff } from '#web/kit/icons.ts'
import { type Ask, isAwaited } from '../asks/askState.ts'
import styles from './queue.module.css'

/** Milliseconds. A connection that returns sooner is not worth a message. */
const SHOWN_AFTER_MS = 1000

/** Says under the header that the connection is lost or the device is offline. */
export function ConnectionStrip({ ask }: { ask: Ask | null }) {
  const t = useTranslate()
  const online = useOnline()
  const connection = ask !== null && isAwaited(ask.state) ? ask.connection : null
  const lost = useLasting(connection?.state === 'lost')
  if (!online) {
    return (
      <div className={styles.amberStrip}>
        <IconWifiOff size={16} aria-hidden />
        <span role="status">{t('connection.offline')}</span>
        <Button className={styles.stripButton} variant="default" size="xs" onClick={retry}>
          {t('kit.retry')}
        </Button>
      </div>
    )
  }
  if (!lost || connection?.state !== 'lost') return null
  if (connection.blocked)
    return (
      <p className={styles.amberStrip} role="status">
        <IconWifiOff size={16} aria-hidden />
        {t('connection.blocked')}
      </p>
    )
  const key = ask?.state.phase === 'sending' ? 'connection.lostUnsent' : 'connection.lost'
  return (
    <p className={styles.strip} role="status">
      <BreathingDot />
      <span>{t(key, { attempt: connection.attempt })}</span>
    </p>
  )
}

function retry(): void {
  retryNow()
  void queryClient.refetchQueries({ type: 'active' })
}

function useLasting(condition: boolean): boolean {
  const [lasting, setLasting] = useState(false)
  useEffect(() => {
    if (!condition) return
    const timer = setTimeout(() => setLasting(true), SHOWN_AFTER_MS)
    return () => {
      clearTimeout(timer)
      setLasting(false)
    }
  }, [condition])
  return condition && lasting
}
