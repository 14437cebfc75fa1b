import type { ReactNode } from 'react'
import { Lamp } from '#web/kit/Lamp.tsx'
import styles from './Arrival.module.css'

type ArrivalProps = { lit?: boolean; title: string; text: string; children: ReactNode }

/** Layout of home, error and similar screens: one line, one sentence, one button, one lamp. */
export function Arrival({ lit = false, title, text, children }: ArrivalProps) {
  return (
    <section className={styles.arrival}>
      <Lamp lit={lit} size={168} />
      <h1 className={styles.title}>{title}</h1>
      <p className={styles.text}>{text}</p>
      <div>{children}</div>
    </section>
  )
}
