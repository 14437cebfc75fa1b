import { initialOf } from '#contract/initial.ts'
import { useSession } from '#web/foundation/session.ts'
import styles from './userAvatar.module.css'

type UserAvatarProps = { id: number | null; nickname: string; large?: boolean; className?: string | undefined }

/** Grey for others, soft green for oneself, empty when the person is not known. */
export function UserAvatar({ id, nickname, large = false, className = '' }: UserAvatarProps) {
  const own = useSession(({ user }) => user !== null && user.id === id)
  const kind = id === null ? 'nobody' : own ? 'own' : undefined
  return (
    <span className={`${styles.avatar} ${className}`} data-kind={kind} data-large={large || undefined} aria-hidden>
      {id !== null && initialOf(nickname)}
    </span>
  )
}
