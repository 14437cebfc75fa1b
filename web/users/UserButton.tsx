import type { ComponentPropsWithRef } from 'react'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { IconChevronDown } from '#web/kit/icons.ts'
import { Avatar } from './Avatar.tsx'
import styles from './UserButton.module.css'

type UserButtonProps = ComponentPropsWithRef<'button'> & { nickname: string }

/** Opens the user menu; stands in the header before the menu itself has been loaded. */
export function UserButton({ nickname, className = '', ...rest }: UserButtonProps) {
  const t = useTranslate()
  return (
    <button type="button" className={`${styles.user} ${className}`} data-testid="user-menu" {...rest}>
      <Avatar nickname={nickname} />
      <span className={styles.nickname}>{nickname}</span>
      <span className="visually-hidden">{t('userMenu.label')}</span>
      <IconChevronDown size={16} aria-hidden />
    </button>
  )
}
