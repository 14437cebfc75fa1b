import { useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { deleteUser, type UserReadAdmin } from '#contract/users.ts'
import { listUserPage, previewRemoval, resetPassword } from '#contract/userAdministration.ts'
import { call } from '#web/foundation/call.ts'
import { reportFailure } from '#web/foundation/failures.ts'
import { toast } from '#web/foundation/toasts.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { confirm } from '#web/kit/DialogHost.tsx'
import { IconDots, IconKey, IconLock, IconTrash } from '#web/kit/icons.ts'
import { IconMenuButton } from '#web/kit/MenuButton.tsx'
import { listKey } from '../../table/useList.ts'
import styles from './edit.module.css'
import { HoldDialog } from './HoldDialog.tsx'
import { useHold } from './useHold.ts'

type UserMenuProps = { user: UserReadAdmin; onPassword(password: string | null): void; onRemoved(): void }

export function UserMenu({ user, onPassword, onRemoved }: UserMenuProps) {
  const t = useTranslate()
  const { reset, remove } = useUserActions(user)
  const { held, hold, release } = useHold(user)
  const [holding, setHolding] = useState(false)
  const holds = {
    label: t(held?.on === true ? 'users.hold.release' : 'users.hold'),
    icon: <IconLock size={16} aria-hidden />,
    testid: 'hold',
    run: () => (held?.on === true ? void release() : setHolding(true)),
  }
  return (
    <>
      <IconMenuButton
        label={t('kit.more')}
        className={styles.menu}
        entries={[
          {
            label: t('users.resetPassword'),
            icon: <IconKey size={16} aria-hidden />,
            testid: 'reset-password',
            run: () => void reset().then(password => password !== null && onPassword(password)),
          },
          ...(held === undefined ? [] : [holds]),
          {
            label: t('users.remove'),
            icon: <IconTrash size={16} aria-hidden />,
            testid: 'remove-user',
            danger: true,
            run: () => void remove().then(removed => removed && onRemoved()),
          },
        ]}
      >
        <IconDots size={18} aria-hidden />
      </IconMenuButton>
      {holding && (
        <HoldDialog
          nickname={user.nickname}
          onClose={() => setHolding(false)}
          onHold={reason => {
            setHolding(false)
            void hold(reason)
          }}
        />
      )}
    </>
  )
}

function useUserActions({ id, nickname }: UserReadAdmin) {
  const t = useTranslate()
  const client = useQueryClient()
  const params = { id: String(id) }

  /** Resolves to the generated password, or null. */
  async function reset(): Promise<string | null> {
    const sure = await confirm({
      title: t('users.resetPassword.title', { nickname }),
      text: t('users.resetPassword.text'),
      verb: t('users.resetPassword'),
    })
    if (!sure) return null
    try {
      const { password } = await call(resetPassword, { params, body: {} })
      void client.invalidateQueries({ queryKey: ['admin', 'user', params.id] })
      return password
    } catch (error) {
      reportFailure(error)
      return null
    }
  }

  /** Asks for confirmation, saying what happens to what the person has. */
  async function remove(): Promise<boolean> {
    try {
      const { is_last_superuser, ...counts } = await call(previewRemoval, { params })
      if (is_last_superuser) {
        toast.refusal(t('users.remove.refused', { nickname }), t('users.lastSuperuser'))
        return false
      }
      const sure = await confirm({
        title: t('users.remove.title', { nickname }),
        text: [
          t('users.remove.conversations', { count: counts.conversations }),
          t('users.remove.files', { count: counts.files, file_bytes: counts.file_bytes }),
          ...(counts.running_asks > 0 ? [t('users.remove.asks', { count: counts.running_asks })] : []),
          t('users.remove.final'),
        ].join(t('users.sentence')),
        verb: t('users.remove'),
        danger: true,
      })
      if (!sure) return false
      await call(deleteUser, { params })
    } catch (error) {
      reportFailure(error)
      return false
    }
    toast.success(t('users.removed', { nickname }))
    void client.invalidateQueries({ queryKey: listKey(listUserPage) })
    return true
  }

  return { reset, remove }
}
