import styles from './Avatar.module.css'
import { initialOf } from '#web/kit/initial.ts'

/** Soft green for the signed-in user, grey for others. */
export function Avatar({ nickname, large = false }: { nickname: string; large?: boolean }) {
  return (
    <span className={`${styles.avatar} ${large ? styles.large : ''}`} aria-hidden="true">
      {initialOf(nickname)}
    </span>
  )
}
