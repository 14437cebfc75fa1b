import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { RefusedCall, TransportFailure } from '#web/foundation/call.ts'
import { refusalText } from '#web/foundation/failures.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { Illustration } from '#web/kit/Illustration.tsx'
import styles from './PlainScreen.module.css'

type PlainScreenProps = { lit?: boolean; title: string; text: string; children: ReactNode }

/** Layout of home, error and similar screens: one line, one sentence, one button, one illustration. */
export function PlainScreen({ lit = false, title, text, children }: PlainScreenProps) {
  return (
    <section className={styles.screen}>
      <Illustration lit={lit} size={168} />
      <h1 className={styles.title}>{title}</h1>
      <p className={styles.text}>{text}</p>
      <div>{children}</div>
    </section>
  )
}

/** Shown in place of a page that threw an error, or for which the server could not be reached or could not answer. */
export function CrashScreen({ error }: { error: unknown }) {
  const t = useTranslate()
  const { title, text } =
    error instanceof RefusedCall
      ? { title: t('error.refused.title'), text: refusalText(error) }
      : error instanceof TransportFailure
        ? { title: t('error.away.title'), text: t('error.away.text') }
        : { title: t('error.crash.title'), text: t('error.crash.text') }
  return (
    <PlainScreen title={title} text={text}>
      <Button onClick={() => window.location.reload()}>{t('error.crash.reload')}</Button>
    </PlainScreen>
  )
}
