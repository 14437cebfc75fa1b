import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { listUserPage } from '#contract/userAdministration.ts'
import { call } from '#web/foundation/call.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { NotLoaded } from '#web/kit/NotLoaded.tsx'
import styles from './personChoice.module.css'
import { SearchField } from './SearchField.tsx'

type Choosable = { id: number; nickname: string; username?: string }

type PersonChoiceProps = {
  /** Shown until something is searched. */
  first: readonly Choosable[]
  onChoose(id: number): void
}

/** Finds a person by name. */
export function PersonChoice({ first, onChoose }: PersonChoiceProps) {
  const t = useTranslate()
  const [words, setWords] = useState('')
  const { data, error, refetch } = useQuery({
    queryKey: ['admin', listUserPage.path, 'choice', words],
    queryFn: ({ signal }) => call(listUserPage, { query: { words, size: '20' } }, { signal }),
    enabled: words !== '',
    placeholderData: keepPreviousData,
    meta: { quiet: true },
  })
  const people: readonly Choosable[] = words === '' ? first : (data?.rows ?? [])
  return (
    <div className={styles.choice}>
      <SearchField label={t('logs.person.find')} words={words} onWords={setWords} />
      {words !== '' && error !== null && <NotLoaded error={error} onRetry={refetch} />}
      {words !== '' && error === null && data !== undefined && people.length === 0 && <p>{t('logs.person.none')}</p>}
      <ul>
        {people.map(({ id, nickname, username }) => (
          <li key={id}>
            <button type="button" onClick={() => onChoose(id)}>
              {nickname}
              {username !== undefined && username !== nickname && <small>{username}</small>}
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}
