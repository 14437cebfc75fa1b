import { Button, FocusTrap } from '@mantine/core'
import { useState } from 'react'
import type { UserRead } from '#contract/accounts.ts'
import { SOURCES } from '#contract/models.ts'
import { useSession } from '#web/foundation/session.ts'
import { formatMonth } from '#web/foundation/times.ts'
import { useLanguage, useTranslate } from '#web/i18n/useTranslate.ts'
import { Dialog } from '#web/kit/Dialog.tsx'
import { IconPencil } from '#web/kit/icons.ts'
import { Avatar } from './Avatar.tsx'
import { IdentityForm } from './IdentityForm.tsx'
import { OwnApiForm } from './OwnApiForm.tsx'
import styles from './ProfileDialog.module.css'
import { SourceLimits } from './SourceLimits.tsx'

type ProfileDialogProps = {
  onClose(): void
  /** Opens that dialog in place of this one; dialogs are never stacked. */
  onPassword(): void
}

/** The signed-in user's profile and limits. */
export function ProfileDialog({ onClose, onPassword }: ProfileDialogProps) {
  const t = useTranslate()
  const { user } = useSession()
  const [editing, setEditing] = useState(false)
  if (user === null) return null
  return (
    <Dialog title={<Identity user={user} />} width={600} onClose={onClose}>
      {editing && <IdentityForm user={user} onDone={() => setEditing(false)} />}
      {SOURCES.map(source => (
        <SourceLimits key={source} source={source} setting={user.setting[source]} />
      ))}
      {mayHaveOwnApi(user) && <OwnApiForm stored={user.setting.openai_api.custom_openai_api_settings} />}
      <div className={styles.foot}>
        <p className={styles.note}>{t('profile.note')}</p>
        {!editing && (
          <Button variant="default" leftSection={<IconPencil size={16} aria-hidden />} onClick={() => setEditing(true)}>
            {t('profile.edit')}
          </Button>
        )}
        <Button variant="default" onClick={onPassword}>
          {t('userMenu.resetPassword')}
        </Button>
      </div>
      <FocusTrap.InitialFocus />
    </Dialog>
  )
}

function mayHaveOwnApi({
  setting: {
    openai_api: { allow_to_use, allow_custom_openai_api },
  },
}: UserRead): boolean {
  return allow_to_use && allow_custom_openai_api
}

function Identity({ user }: { user: UserRead }) {
  const t = useTranslate()
  const language = useLanguage()
  const { username, nickname, email, create_time } = user
  return (
    <span className={styles.identity}>
      <Avatar nickname={nickname} large />
      <span className={styles.names}>
        <span className={styles.nickname}>{nickname}</span>
        <span className={styles.details}>
          {t('profile.identity', { username, email, month: formatMonth(new Date(create_time), language) })}
        </span>
      </span>
    </span>
  )
}
