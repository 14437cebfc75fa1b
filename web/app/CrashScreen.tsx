import { Button } from '@mantine/core'
import { TransportFailure } from '#web/foundation/call.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { Arrival } from './Arrival.tsx'

/** In place of a page that broke, or that the server could not be asked for. */
export function CrashScreen({ error }: { error: unknown }) {
  const t = useTranslate()
  const away = error instanceof TransportFailure
  return (
    <Arrival
      title={t(away ? 'error.away.title' : 'error.crash.title')}
      text={t(away ? 'error.away.text' : 'error.crash.text')}
    >
      <Button onClick={() => window.location.reload()}>{t('error.crash.reload')}</Button>
    </Arrival>
  )
}
