import { useEffect, useRef } from 'react'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { IconChevronLeft } from '#web/kit/icons.ts'
import styles from './shares.module.css'

const PARTS = ['share', 'borrow', 'turn', 'again', 'windows'] as const

/** The rule in words, in half a page. */
export function ShareRule({ onBack }: { onBack(): void }) {
  const t = useTranslate()
  const back = useRef<HTMLButtonElement>(null)
  useEffect(() => back.current?.focus(), [])
  return (
    <section className={styles.rule} data-testid="share-rule">
      <button ref={back} type="button" className={styles.unfold} onClick={onBack}>
        <IconChevronLeft size={14} aria-hidden />
        {t('shares.rule.back')}
      </button>
      <h2>{t('shares.rule.title')}</h2>
      <p>{t('shares.rule.intro')}</p>
      {PARTS.map(part => (
        <div key={part}>
          <h3>{t(`shares.rule.${part}`)}</h3>
          <p>{t(`shares.rule.${part}Text`)}</p>
        </div>
      ))}
    </section>
  )
}
