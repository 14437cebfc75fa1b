import { useTranslate } from '#web/i18n/useTranslate.ts'
import { IconButton } from '#web/kit/IconButton.tsx'
import { IconArrowBackUp } from '#web/kit/icons.ts'
import styles from './edit.module.css'
import { useFieldTexts } from './fieldTexts.ts'
import type { UserForm } from './useUserForm.ts'

/** The unsaved changes: each field before and after, with an undo. */
export function ChangeList({ form: { changed, changes } }: { form: UserForm }) {
  const t = useTranslate()
  const { nameText, valueText } = useFieldTexts()
  if (changed.length === 0) return null
  return (
    <ul className={styles.changes} aria-label={t('users.changes')} data-testid="changes">
      {changed.map(({ name, before, after }) => (
        <li key={name}>
          <span>{nameText(name)}</span>
          <span>
            {valueText(name, before)} <span aria-label={t('users.becomes')}>→</span> <b>{valueText(name, after)}</b>
          </span>
          <IconButton
            size={24}
            label={t('users.takeBack', { name: nameText(name) })}
            onClick={() => changes.undo(name)}
          >
            <IconArrowBackUp size={14} aria-hidden />
          </IconButton>
        </li>
      ))}
    </ul>
  )
}
