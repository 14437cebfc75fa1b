import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { UnreadableKey } from '#contract/status.ts'
import { useSettingTexts } from '#web/admin/configuration/useSettingTexts.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { Note } from '#web/kit/Note.tsx'
import { unreadableKeysQuery } from './queries.ts'
import styles from './system.module.css'

/** Names every stored key that cannot be opened, each with the way to where it is entered again. */
export function UnreadableKeys() {
  const t = useTranslate()
  const { data: keys = [] } = useQuery(unreadableKeysQuery)
  if (keys.length === 0) return null
  return (
    <Note tone="red" title={t('system.unreadableKeys')}>
      {t('system.unreadableKeys.why')}
      <ul className={styles.named}>
        {keys.map(key => (
          <li key={`${key.of} ${key.of === 'settings' ? key.name : key.id}`}>
            <KeyLink of={key} />
          </li>
        ))}
      </ul>
    </Note>
  )
}

function KeyLink({ of: key }: { of: UnreadableKey }) {
  const t = useTranslate()
  const { nameOf } = useSettingTexts()
  switch (key.of) {
    case 'settings':
      return <Link to="/admin/config">{nameOf(`credentials.${key.name}`)}</Link>
    case 'account':
      return (
        <Link to="/admin/openai_settings" search={{ open: String(key.id) }}>
          {key.label === '' ? t(`sources.${key.source}`) : key.label}
        </Link>
      )
    case 'user':
      return (
        // The router keeps a type for each route; that one takes what its list has.
        <Link to="/admin/user" search={{ open: String(key.id) } as never}>
          {t('system.unreadableKeys.user', { name: key.nickname, username: key.username })}
        </Link>
      )
  }
}
