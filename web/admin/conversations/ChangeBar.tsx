import { Button } from '@mantine/core'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type {
  ConversationAction,
  ConversationChangeResult,
  ConversationRow,
} from '#contract/conversationAdministration.ts'
import { UNLIMITED } from '#contract/limits.ts'
import { type Source, SOURCES } from '#contract/models.ts'
import type { UserRow } from '#contract/userAdministration.ts'
import { type BulkAction, BulkBar } from '../table/BulkBar.tsx'
import type { Translate } from '#web/i18n/dictionary.ts'
import { translate as t, useTranslate } from '#web/i18n/useTranslate.ts'
import { confirm } from '#web/kit/DialogHost.tsx'
import { actionsFor, type SelectedConversations, countsFor, ownersOf, requestFor } from './useSelectedConversations.ts'
import { UserList } from './UserList.tsx'
import styles from './assignPanel.module.css'
import type { ConversationChange, useConversationChange } from './useConversationChange.ts'
import type { JobRun } from '#contract/jobs.ts'
import { leftOfRun, refusalOfRun } from '../shell/useJobs.ts'

type Changes = ReturnType<typeof useConversationChange>

type ChangeBarProps = {
  chosen: SelectedConversations
  changes: Changes
  onClear(): void
  /** Chooses all that match the filters; null when no more match than are ticked. */
  onAll: (() => void) | null
}

/** The bulk bar: actions on the chosen conversations, then progress, then the result. */
export function ChangeBar({ chosen, changes, onClear, onAll }: ChangeBarProps) {
  const { change, isOver } = changes
  if (change !== null && isOver) return <ChangeSum change={change} changes={changes} />
  if (change !== null) return <Running change={change} onStop={changes.stop} />
  if (chosen.count === 0) return null
  return <Actions chosen={chosen} changes={changes} onClear={onClear} onAll={onAll} />
}

function Running({ change, onStop }: { change: ConversationChange; onStop(): void }) {
  const t = useTranslate()
  const { job, action } = change
  const [done, total] = [job?.done ?? 0, job?.total ?? 0]
  const text =
    job?.state === 'stopping'
      ? t('table.stopping')
      : action === null || total === 0
        ? t('table.begins')
        : t(`conv.doing.${action}`, { done, total })
  return (
    <BulkBar state={{ phase: 'running', text, done, total, onStop: job?.state === 'stopping' ? undefined : onStop }} />
  )
}

function Actions({ chosen, changes, onClear, onAll }: ChangeBarProps) {
  const t = useTranslate()
  const [assigning, setAssigning] = useState(false)
  const run = async (action: ConversationAction) => {
    if (action === 'assign') return setAssigning(!assigning)
    if (action === 'vanish' && !(await confirmVanish(chosen))) return
    await changes.start(requestFor(chosen, action))
  }
  const assign = (user: UserRow) => {
    setAssigning(false)
    void changes.start(requestFor(chosen, 'assign', user.id), user)
  }
  const { count } = chosen
  const isHidden = ({ is_valid }: ConversationRow) => !is_valid
  return (
    <>
      {assigning && (
        <AssignPanel
          assigned={{
            count,
            hidden: chosen.by === 'ticks' ? chosen.rows.filter(isHidden).length : 0,
            counts: user_id => countsFor(chosen, user_id),
          }}
          onAssign={assign}
          onClose={() => setAssigning(false)}
        />
      )}
      <BulkBar
        state={{
          phase: 'selected',
          text: t(chosen.by === 'ticks' ? 'conv.chosen' : 'conv.allChosen', { count }),
          actions: [
            ...actionsFor(chosen).map(action => ({
              label: t(`conv.do.${action}`),
              testid: `bulk-${action}`,
              ...(action === 'assign' && { expanded: assigning }),
              run: () => void run(action),
            })),
            ...(onAll === null ? [] : [{ label: t('conv.chooseAll'), testid: 'bulk-all', run: onAll }]),
          ],
          onClear,
        }}
      />
    </>
  )
}

/** What is to be assigned. `counts` returns null when its sources are not known. */
type Assigned = { count: number; hidden: number; counts: (user_id: number) => Record<Source, number> | null }

type AssignPanelProps = { assigned: Assigned; onAssign(user: UserRow): void; onClose(): void }

/**
 * Above the bulk bar: chooses whom to assign to. Shows the effect on that person's limit; an administrator may exceed
 * it.
 */
function AssignPanel({ assigned, onAssign, onClose }: AssignPanelProps) {
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
      <UserList
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

/** Destroying is final: a word must be typed to confirm it. */
export function confirmVanish(chosen: SelectedConversations): Promise<boolean> {
  const { count } = chosen
  const owners = chosen.by === 'ticks' ? ownersOf(chosen.rows) : 0
  return confirm({
    title: t('conv.vanishTitle', { count }),
    text: owners === 0 ? t('conv.vanishText') : t('conv.vanishTextOf', { owners }),
    verb: t('conv.vanishVerb'),
    danger: true,
    typed: t('conv.vanishTyped', { count }),
  })
}

/** Hides everybody's. It can be undone until that date, but a word must be typed: nobody has their conversations. */
export function confirmHideAll(count: number, date: string): Promise<boolean> {
  return confirm({
    title: t('conv.hideAllTitle', { count }),
    text: t('conv.hideAllText', { date }),
    verb: t('conv.hideAllVerb'),
    danger: true,
    typed: t('conv.hideAllTyped', { count }),
  })
}

type ChangeSumProps = { change: ConversationChange; changes: ReturnType<typeof useConversationChange> }

/** The result of a change, with what can be done about it: retry, continue, undo. */
function ChangeSum({ change, changes }: ChangeSumProps) {
  const t = useTranslate()
  const { result, job } = change
  const run = job?.last_run ?? null
  const left = leftOfRun(run)
  const text = result === null ? endText(run, left, t) : sumText(result, left, t)
  return (
    <BulkBar
      state={{
        phase: 'finished',
        text,
        actions: [
          ...(job?.may_go_on === true
            ? [{ label: t('table.goOn', { count: left }), testid: 'bulk-go-on', run: () => void changes.goOn() }]
            : []),
          ...(result === null ? [] : actionsOf(change, result, changes, t)),
        ],
        onClear: changes.close,
      }}
    />
  )
}

function sumText(result: ConversationChangeResult, left: number, t: Translate): string {
  const { action, done, already, failed } = result
  const parts = [
    done > 0 && t(`conv.sum.${action}`, { count: done }),
    already > 0 && t('conv.sum.already', { count: already }),
    failed > 0 && t('conv.sum.failed', { count: failed }),
    left > 0 && t('conv.sum.left', { count: left }),
  ].filter(part => part !== false)
  return parts.length === 0 ? t('conv.sum.none') : parts.join(t('kit.comma'))
}

/** Of a run without a result: it failed, or was stopped before it had one. */
function endText(run: JobRun | null, left: number, t: Translate): string {
  if (run?.outcome !== 'failed') return t('conv.sum.left', { count: left })
  return refusalOfRun(run) ?? t('conv.broke')
}

function actionsOf(
  { request, person }: ConversationChange,
  result: ConversationChangeResult,
  { start, restore }: ChangeSumProps['changes'],
  t: Translate,
): BulkAction[] {
  const { action, done, done_ids, deletion, failed_ids } = result
  const failures = Object.values(failed_ids).flat()
  const repeat = (some: number[]) => request !== null && void start({ ...request, ids: some }, person)
  return [
    ...(request?.ids !== undefined && failures.length > 0
      ? [{ label: t('conv.retry', { count: failures.length }), testid: 'bulk-retry', run: () => repeat(failures) }]
      : []),
    ...(action === 'hide' && done > 0 && deletion !== null
      ? [{ label: t('conv.undo', { count: done }), testid: 'bulk-undo', run: () => void restore(deletion) }]
      : []),
    ...(action === 'restore' && done_ids.length > 0
      ? [
          {
            label: t('conv.undo', { count: done }),
            testid: 'bulk-undo',
            run: () => void start({ action: 'hide', ids: done_ids }),
          },
        ]
      : []),
  ]
}
