import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, type ReactNode, useState } from 'react'
import { rangesAnywhere } from '#contract/searchWords.ts'
import { listUserPage, type UserRow } from '#contract/userAdministration.ts'
import { SearchField } from '#web/admin/table/SearchField.tsx'
import { listKey } from '#web/admin/table/useList.ts'
import { UserAvatar } from '#web/admin/shell/UserAvatar.tsx'
import { call } from '#web/foundation/call.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { IconCheck } from '#web/kit/icons.ts'
import { NotLoaded } from '#web/kit/NotLoaded.tsx'
import styles from './userList.module.css'

type UserListProps = {
  /** The id of who is chosen. */
  chosen: number | null
  onChoose(user: UserRow): void
  /** At the right of each name. */
  renderAside?: (user: UserRow) => ReactNode
}

/** Finds people by name, and chooses one. */
export function UserList({ chosen, onChoose, renderAside }: UserListProps) {
  const t = useTranslate()
  const [words, setWords] = useState('')
  const query = { size: '20', sort: 'nickname', ...(words !== '' && { words }) } as const
  const { data, error, refetch } = useQuery({
    queryKey: listKey(listUserPage, query),
    queryFn: ({ signal }) => call(listUserPage, { query }, { signal }),
    placeholderData: previous => previous,
    meta: { quiet: true },
  })
  return (
    <div className={styles.people} onKeyDown={moveBetweenUsers} role="presentation">
      <SearchField label={t('conv.findPerson')} words={words} onWords={setWords} />
      <div className={styles.list} role="listbox" aria-label={t('conv.people')}>
        {data?.rows.map(user => (
          <button
            key={user.id}
            type="button"
            role="option"
            aria-selected={user.id === chosen}
            className={styles.person}
            data-testid="person"
            onClick={() => onChoose(user)}
          >
            <UserAvatar id={user.id} nickname={user.nickname} />
            <span className={styles.names}>
              <b>
                <Marked text={user.nickname} words={words} />
              </b>{' '}
              <span className={styles.hint}>
                <Marked text={user.username} words={words} />
              </span>
            </span>
            {renderAside?.(user)}
            {user.id === chosen ? <IconCheck size={16} aria-hidden /> : <span />}
          </button>
        ))}
      </div>
      {error !== null && <NotLoaded error={error} onRetry={refetch} />}
      {error === null && data?.rows.length === 0 && (
        <p className={styles.none}>{t('table.noneWithWords', { words })}</p>
      )}
    </div>
  )
}

function Marked({ text, words }: { text: string; words: string }) {
  const [first] = words === '' ? [] : rangesAnywhere(text, words)
  if (first === undefined) return <>{text}</>
  const [start, end] = first
  return (
    <>
      {text.slice(0, start)}
      <mark>{text.slice(start, end)}</mark>
      {text.slice(end)}
    </>
  )
}

/** Down from the search field into the list, and from name to name. */
function moveBetweenUsers(event: KeyboardEvent<HTMLElement>): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
  if (step === 0) return
  const options = [...event.currentTarget.querySelectorAll<HTMLElement>('[role=option]')]
  const at = options.findIndex(option => option === document.activeElement)
  const next = at + step < 0 ? event.currentTarget.querySelector<HTMLElement>('input') : options[at + step]
  if (next == null) return
  event.preventDefault()
  next.focus()
}
