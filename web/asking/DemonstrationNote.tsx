import { useState } from 'react'
import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { usePortal } from '#web/foundation/portal.ts'
import { useSession } from '#web/foundation/session.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { Note } from '#web/kit/Note.tsx'
import styles from './asking.module.css'

/** Says plainly that the built-in simulator answers, and how to connect a real model. */
export function DemonstrationNote() {
  const t = useTranslate()
  const portal = usePortal()
  const isSuperuser = useSession(({ user }) => user?.is_superuser === true)
  const [later, setLater] = useState(false)
  if (portal?.demonstration !== true || later) return null
  return (
    <Note
      tone="green"
      title={<strong>{t('demonstration.title')}</strong>}
      actions={
        <div className={styles.actions}>
          {isSuperuser && (
            <Button size="xs" component={Link} to="/admin/system">
              {t('demonstration.go')}
            </Button>
          )}
          <Button size="xs" variant="subtle" color="gray" onClick={() => setLater(true)}>
            {t('demonstration.later')}
          </Button>
        </div>
      }
    >
      <p>{t('demonstration.text')}</p>
      <p>{t('demonstration.connect')}</p>
    </Note>
  )
}
