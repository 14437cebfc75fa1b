import type { ReactNode } from 'react'
import type { Parts } from '#web/i18n/dictionary.ts'
import { IconAlertTriangle, IconInfoCircle } from './icons.ts'
import styles from './Note.module.css'

type NoteProps = {
  tone?: 'tint' | 'green' | 'amber' | 'red'
  /** The state; the children say why and what to do. */
  title: ReactNode
  children?: ReactNode
  actions?: ReactNode
}

/** A box that says what the state is, why, and what to do. */
export function Note({ tone = 'tint', title, children, actions }: NoteProps) {
  const Icon = tone === 'amber' || tone === 'red' ? IconAlertTriangle : IconInfoCircle
  return (
    <div className={`${styles.note} ${styles[tone]}`} role={tone === 'red' ? 'alert' : undefined}>
      <Icon size={18} aria-hidden className={styles.icon} />
      <div className={styles.text}>
        <p>{title}</p>
        {children !== undefined && <div className={styles.more}>{children}</div>}
      </div>
      {actions !== undefined && <div className={styles.actions}>{actions}</div>}
    </div>
  )
}

/** A sentence with its number in bold. */
export function Emphasised({ parts: [before, number, behind] }: { parts: Parts }) {
  return number === '' ? (
    before
  ) : (
    <>
      {before}
      <b>{number}</b>
      {behind}
    </>
  )
}
