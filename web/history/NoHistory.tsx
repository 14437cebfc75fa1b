import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { RefusedCall } from '#web/foundation/call.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { Lamp } from '#web/kit/Lamp.tsx'
import styles from './history.module.css'

export function NoHistory({ error, onRetry }: { error: Error; onRetry(): void }) {
  const t = useTranslate()
  const gone = error instanceof RefusedCall
  return (
    <div className={styles.gone}>
      <Lamp lit={false} />
      <h1>{t(gone ? 'thread.notFound' : 'thread.notLoaded')}</h1>
      {gone && <p>{t('thread.notFoundText')}</p>}
      {gone ? (
        <Button variant="default" component={Link} to="/conversation">
          {t('history.toConversations')}
        </Button>
      ) : (
        <Button variant="default" onClick={onRetry}>
          {t('kit.retry')}
        </Button>
      )}
    </div>
  )
}
