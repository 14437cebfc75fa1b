import { Button, Checkbox } from '@mantine/core'
import '@mantine/core/styles/Checkbox.layer.css'
import { useState } from 'react'
import { NOTICE_KINDS } from '#contract/notices.ts'
import type { NoticeChoice } from '#contract/preferences.ts'
import { currentPreferences } from '#web/foundation/preferences.ts'
import { setPreferences } from '#web/foundation/session.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { IconBell } from '#web/kit/icons.ts'
import { mayOffer, neverOffer, noticeSupport, type SwitchedOn, switchOn } from './device.ts'
import styles from './notices.module.css'

type OfferProps = {
  /** Seconds that the person has to wait; null where that is said beside it. */
  wait_seconds: number | null
}

type State = 'asking' | 'pending' | 'put away' | SwitchedOn

/**
 * Asks whether the browser may tell, where somebody waits. The browser’s own question comes only after a yes, because
 * it cannot be asked twice.
 */
export function NoticeOffer({ wait_seconds }: OfferProps) {
  const t = useTranslate()
  const [state, setState] = useState<State>(() =>
    mayOffer() ? (noticeSupport() === 'blocked' ? 'blocked' : 'asking') : 'put away',
  )
  const [choice, setChoice] = useState<NoticeChoice>(() => currentPreferences().notices)
  const begin = async () => {
    setState('pending')
    setPreferences({ notices: choice })
    setState(await switchOn().catch(() => 'failed' as const))
  }
  if (state === 'put away' || state === 'off here') return null
  if (state === 'on') return <p className={styles.on}>{t('notices.isOn')}</p>
  if (state === 'blocked' || state === 'failed')
    return <NotOn state={state} onAgain={() => void begin()} onClose={() => setState('put away')} />
  const minutes = t('notices.minutes', { count: Math.floor((wait_seconds ?? 60) / 60) })
  return (
    <section className={styles.offer} aria-label={t('notices.offer')} data-testid="notice-offer">
      <IconBell size={18} aria-hidden />
      <div>
        <p className={styles.head}>{t('notices.offer')}</p>
        <p>{wait_seconds === null ? t('notices.offerText') : t('notices.offerWait', { time: minutes })}</p>
        <div className={styles.kinds} role="group" aria-label={t('notices.what')}>
          {NOTICE_KINDS.map(kind => (
            <Checkbox
              key={kind}
              size="xs"
              label={t(`notices.${kind}`)}
              checked={choice[kind]}
              onChange={event => setChoice({ ...choice, [kind]: event.currentTarget.checked })}
            />
          ))}
        </div>
        <div className={styles.actions}>
          <Button size="xs" data-testid="notice-on" loading={state === 'pending'} onClick={() => void begin()}>
            {t('notices.on')}
          </Button>
          <Button size="xs" variant="subtle" color="gray" onClick={() => setState('put away')}>
            {t('notices.notNow')}
          </Button>
          <Button
            size="xs"
            variant="subtle"
            color="gray"
            onClick={() => {
              neverOffer()
              setState('put away')
            }}
          >
            {t('notices.never')}
          </Button>
        </div>
      </div>
    </section>
  )
}

type NotOnProps = { state: 'blocked' | 'failed'; onAgain(): void; onClose(): void }

/** The browser said no, or cannot: what the person can do about it. */
function NotOn({ state, onAgain, onClose }: NotOnProps) {
  const t = useTranslate()
  return (
    <section className={styles.offer} aria-label={t(`notices.${state}`)} data-testid="notice-blocked">
      <IconBell size={18} aria-hidden />
      <div>
        <p className={styles.head}>{t(`notices.${state}`)}</p>
        <p>{t(`notices.${state}Text`)}</p>
        <div className={styles.actions}>
          {state === 'blocked' && (
            <Button size="xs" variant="default" onClick={onAgain}>
              {t('notices.again')}
            </Button>
          )}
          <Button size="xs" variant="subtle" color="gray" onClick={onClose}>
            {t('notices.notNow')}
          </Button>
        </div>
      </div>
    </section>
  )
}
