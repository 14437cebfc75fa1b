import { initialOf } from '#web/accounts/initial.ts'
import { useSession } from '#web/foundation/session.ts'
import styles from './users.module.css'

type PersonAvatarProps = { id: number; nickname: string; large?: boolean }

/** Grey for others, soft green for oneself. */
export function PersonAvatar({ id, nickname, large = false }: PersonAvatarProps) {
  const own = useSession(({ user }) => user?.id === id)
  return (
    <span className={styles.avatar} data-own={own || undefined} data-large={large || undefined} aria-hidden>
      {initialOf(nickname)}
    </span>
  )
}
