import type { ComponentPropsWithRef } from 'react'
import { useTranslate } from '../i18n/useTranslate.ts'
import { IconChevronDown } from '../kit/icons.ts'
import styles from './UserButton.module.css'
import { initialOf } from '#contract/initial.ts'

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

/** Soft green for the signed-in user, grey for others. */
export function Avatar({ nickname, large = false }: { nickname: string; large?: boolean }) {
  return (
    <span className={`${styles.avatar} ${large ? styles.large : ''}`} aria-hidden="true">
      {initialOf(nickname)}
    </span>
  )
}
