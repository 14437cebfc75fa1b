import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import { type KeyOfUser, listKeys, revokeKey } from '#contract/keys.ts'
import { PageHead } from '#web/admin/shell/Page.tsx'
import { UserAvatar } from '#web/admin/shell/UserAvatar.tsx'
import { type Column, DataTable } from '#web/admin/table/DataTable.tsx'
import { ListLayout } from '#web/admin/table/ListLayout.tsx'
import { Pager } from '#web/admin/table/Pager.tsx'
import { listKey, useList } from '#web/admin/table/useList.ts'
import { call } from '#web/foundation/call.ts'
import { formatDate } from '#web/foundation/times.ts'
import { useLanguage, useTranslate } from '#web/i18n/useTranslate.ts'
import { KeyEnd, LastUse } from './keyCells.tsx'
import styles from './everybodysKeys.module.css'
import { useRevoking } from './useKeyActions.ts'

const EVERY_SECONDS = 30

/** The keys of everybody, without their secrets, for superusers. */
export function EverybodysKeys({ title, tabs }: { title: string; tabs: ReactNode }) {
  const t = useTranslate()
  const list = useList(listKeys, {
    keyOf: row => String(row.id),
    sorted: { sort: 'time', order: 'desc' },
    every_seconds: EVERY_SECONDS,
    linked: true,
    test_id: 'key-row',
  })
  return (
    <ListLayout
      head={
        <>
          <PageHead title={title} context={t('keys.everybody.note')} />
          {tabs}
        </>
      }
      foot={<Pager list={list} />}
    >
      <DataTable label={t('keys.title')} columns={useColumns()} list={list} empty={<p>{t('keys.none')}</p>} />
    </ListLayout>
  )
}

function useColumns(): Column<KeyOfUser>[] {
  const t = useTranslate()
  const language = useLanguage()
  return useMemo(
    () => [
      {
        key: 'owner',
        title: t('keys.owner'),
        phone: 'detail',
        render: ({ user: { id, username, nickname } }) => (
          <span className={styles.owner}>
            <UserAvatar id={id} nickname={nickname} />
            {nickname} <small>{username}</small>
          </span>
        ),
      },
      {
        key: 'key',
        title: t('keys.key'),
        grow: true,
        phone: 'title',
        render: row => (
          <span className={styles.cell}>
            <span>
              <b>{row.name}</b> <code>…{row.ending}</code>
            </span>
            <small>{t('keys.createdOn', { date: formatDate(new Date(row.create_time), language) })}</small>
          </span>
        ),
      },
      {
        key: 'used',
        title: t('keys.lastUsed'),
        phone: 'state',
        render: row => (
          <span className={styles.cell}>
            <LastUse of={row} />
          </span>
        ),
      },
      { key: 'end', title: t('keys.expiry'), hideBelow: 700, render: row => <KeyEnd expires_at={row.expires_at} /> },
      { key: 'revoke', title: '', align: 'right', phone: 'aside', render: row => <RevokeButton of={row} /> },
    ],
    [t, language],
  )
}

function RevokeButton({ of: key }: { of: KeyOfUser }) {
  const t = useTranslate()
  const client = useQueryClient()
  const revoke = useRevoking(key, {
    revoke: () => call(revokeKey, { params: { id: String(key.id) } }),
    refresh: () => client.invalidateQueries({ queryKey: listKey(listKeys) }),
  })
  return (
    <button
      type="button"
      className={styles.revoke}
      aria-label={t('keys.revoke.title', { name: key.name })}
      data-testid="key-revoke"
      onClick={() => void revoke()}
    >
      {t('keys.revoke')}
    </button>
  )
}
