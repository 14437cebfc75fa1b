import type { ReactNode } from 'react'
import styles from './Tag.module.css'

type TagProps = { tone?: 'plain' | 'outline' | 'green' | 'amber' | 'red'; children: ReactNode }

/** A label with a colour; the colour never carries the meaning alone. */
export function Tag({ tone = 'plain', children }: TagProps) {
  return <span className={`${styles.tag} ${styles[tone]}`}>{children}</span>
}
