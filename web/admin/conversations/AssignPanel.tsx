import { Button } from '@mantine/core'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { UNLIMITED } from '#contract/limits.ts'
import { type Source, SOURCES } from '#contract/models.ts'
import type { UserRow } from '#contract/userAdministration.ts'
import type { Translate } from '#web/i18n/dictionary.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import styles from './assignPanel.module.css'
import { PeopleList } from './PeopleList.tsx'

/** What is to be assigned. `counts` returns null when its sources are not known. */
export type Assigned = { count: number; hidden: number; counts: (user_id: number) => Record<Source, number> | null }

type AssignPanelProps = { assigned: Assigned; onAssign(user: UserRow): void; onClose(): void }

/** Above the bulk bar: chooses whom to assign to. Shows the effect on that person's limit; an administrator may exceed it. */
export function AssignPanel({ assigned, onAssign, onClose }: AssignPanelProps) {
  const t = useTranslate()
  const panel = useRef<HTMLElement>(null)
  const [user, setUser] = useState<UserRow | null>(null)
  useEffect(() => panel.current?.querySelector('input')?.focus(), [])
  const closeOnEscape = useEffectEvent((event: KeyboardEvent) => {
    if (event.key === 'Escape') onClose()
  })
  useEffect(() => {
    const self = panel.current
    self?.addEventListener('keydown', closeOnEscape)
    return () => self?.removeEventListener('keydown', closeOnEscape)
  }, [])
  return (
    <section
      ref={panel}
      className={styles.panel}
      role="dialog"
      aria-label={t('conv.assignTo')}
      data-testid="assign-panel"
    >
      <h3>{t('conv.assignTo')}</h3>
      <PeopleList
        chosen={user?.id ?? null}
        onChoose={setUser}
        renderAside={each => <LimitHint user={each} counts={assigned.counts(each.id)} />}
      />
      <div className={styles.end}>
        <span>
          {user === null
            ? t('conv.choosePerson')
            : assigned.hidden === 0
              ? t('conv.willAppear', { count: assigned.count })
              : t('conv.willAppearSome', { count: assigned.count - assigned.hidden, hidden: assigned.hidden })}
        </span>
        <Button size="xs" disabled={user === null} onClick={() => user !== null && onAssign(user)}>
          {t('conv.assign', { count: assigned.count })}
        </Button>
      </div>
    </section>
  )
}

function LimitHint({ user, counts }: { user: UserRow; counts: Record<Source, number> | null }) {
  const t = useTranslate()
  const { text, isOver } = limitText(user, counts, t)
  return <span className={isOver ? styles.over : styles.hint}>{text}</span>
}

/** Of several sources, the one in which the least room is left. */
function limitText(
  user: Pick<UserRow, Source>,
  counts: Record<Source, number> | null,
  t: Translate,
): { text: string; isOver: boolean } {
  const sources = SOURCES.filter(source => counts === null || counts[source] > 0)
  const rooms = sources.map(source => {
    const { used, allowed } = user[source].conversations
    const max = allowed === UNLIMITED ? Infinity : allowed
    return { used, max, left: max - used - (counts?.[source] ?? 0) }
  })
  const [tightest] = rooms.toSorted((one, other) => one.left - other.left)
  if (tightest === undefined) return { text: t('conv.alreadyTheirs'), isOver: false }
  const { used, max, left } = tightest
  if (max === Infinity) return { text: t('conv.noLimit', { used }), isOver: false }
  if (left < 0) return { text: t('conv.overLimit', { used, max }), isOver: true }
  if (left === 0 && counts !== null) return { text: t('conv.justFull', { used, max }), isOver: false }
  return { text: t('conv.room', { used, left: max - used }), isOver: false }
}
