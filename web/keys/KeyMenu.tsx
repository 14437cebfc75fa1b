import { useState } from 'react'
import type { UserKey } from '#contract/keys.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { IconDots, IconPencil, IconRefresh, IconTrash } from '#web/kit/icons.ts'
import { IconMenuButton } from '#web/kit/MenuButton.tsx'
import { ChangeKeyDialog } from './ChangeKeyDialog.tsx'
import type { KnownSecret } from './connection.ts'
import { useKeyActions } from './useKeyActions.ts'
import styles from './keys.module.css'

type KeyMenuProps = { of: UserKey; onRotated(known: KnownSecret): void }

export function KeyMenu({ of: key, onRotated }: KeyMenuProps) {
  const t = useTranslate()
  const { rotate, revoke } = useKeyActions(key, onRotated)
  const [changing, setChanging] = useState(false)
  const entries = [
    { label: t('keys.change'), Icon: IconPencil, testid: 'key-change', run: () => setChanging(true) },
    { label: t('keys.rotate'), Icon: IconRefresh, testid: 'key-rotate', run: () => void rotate() },
    { label: t('keys.revoke'), Icon: IconTrash, testid: 'key-revoke', run: () => void revoke(), danger: true },
  ]
  return (
    <>
      <IconMenuButton
        label={t('keys.more', { name: key.name })}
        className={styles.menu}
        entries={entries.map(({ Icon, ...entry }) => ({ ...entry, icon: <Icon size={16} aria-hidden /> }))}
      >
        <IconDots size={18} aria-hidden />
      </IconMenuButton>
      {changing && <ChangeKeyDialog of={key} onClose={() => setChanging(false)} />}
    </>
  )
}
