import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { AuditRow, AuditUndo } from '#contract/audit.ts'
import { Drawer } from '#web/admin/drawer/Drawer.tsx'
import { DrawerSection } from '#web/admin/drawer/rows.tsx'
import { formatDateTime } from '#web/foundation/times.ts'
import { useLanguage, useTranslate } from '#web/i18n/useTranslate.ts'
import { IconButton } from '#web/kit/IconButton.tsx'
import { IconArrowBackUp, IconArrowRight, IconChevronDown, IconChevronUp } from '#web/kit/icons.ts'
import { affectedBy } from './auditChanges.ts'
import { browserText, useAuditWords } from './auditWords.ts'
import styles from './audit.module.css'
import type { Undo } from './useUndo.ts'

const HOW = { possible: 'howPossible', undone: 'howUndone', changed: 'howChanged', never: 'howNever' } as const

type AuditDrawerProps = {
  row: AuditRow
  /** Those above and below it in the list. */
  beside: { newer: AuditRow | undefined; older: AuditRow | undefined }
  undo: Undo
  onShow(row: AuditRow): void
  onClose(): void
}

/** One change: each field before and after, whom it reached, from where it was made, and what undoing does. */
export function AuditDrawer({ row, beside, undo, onShow, onClose }: AuditDrawerProps) {
  const t = useTranslate()
  const language = useLanguage()
  const { what, who } = useAuditWords()
  const time = formatDateTime(new Date(row.time), language)
  return (
    <Drawer
      head={{
        title: what(row),
        context: t('audit.by', { name: who(row), time }),
        actions: (
          <>
            <Step to={beside.newer} label={t('audit.newer')} onShow={onShow}>
              <IconChevronUp size={18} aria-hidden />
            </Step>
            <Step to={beside.older} label={t('audit.older')} onShow={onShow}>
              <IconChevronDown size={18} aria-hidden />
            </Step>
          </>
        ),
      }}
      onClose={onClose}
    >
      <Differences row={row} />
      <Affected row={row} />
      <DrawerSection title={t('audit.from')}>
        <Origin row={row} />
      </DrawerSection>
      <DrawerSection title={t('audit.undo.how')}>
        <Undoing row={row} state={row.undo} />
        {row.undo === 'possible' && (
          <Button
            variant="default"
            size="xs"
            leftSection={<IconArrowBackUp size={16} aria-hidden />}
            loading={undo.pending === row.id}
            data-testid="undo-this"
            onClick={() => undo.undo(row.id)}
          >
            {t('audit.undo.this')}
          </Button>
        )}
      </DrawerSection>
    </Drawer>
  )
}

type StepProps = { to: AuditRow | undefined; label: string; onShow(row: AuditRow): void; children: ReactNode }

/** Goes to the entry above or below. At the end it keeps the focus. */
function Step({ to, label, onShow, children }: StepProps) {
  return (
    <IconButton
      label={label}
      aria-disabled={to === undefined || undefined}
      data-disabled={to === undefined || undefined}
      onClick={() => to !== undefined && onShow(to)}
    >
      {children}
    </IconButton>
  )
}

const KINDS = ['blocked', 'gained', 'changed', 'untouched'] as const

/** Whom it reached: who was moved or has other limits, or of a plan how many of its people. */
function Affected({ row }: { row: AuditRow }) {
  const t = useTranslate()
  const counts = affectedBy(row)
  const person = row.subject.kind === 'user' && OF_A_PERSON.includes(row.action) ? row.subject.name : null
  const reached = counts !== null && KINDS.some(kind => counts[kind] > 0)
  if (!reached && person === null) return null
  return (
    <DrawerSection title={t('audit.affected')}>
      <div className={styles.affected}>
        {person !== null && <p>{person}</p>}
        {counts !== null &&
          KINDS.map(
            kind =>
              counts[kind] > 0 && (
                <p key={kind}>
                  {t(`plans.effect.${kind}`, { count: counts[kind] })}
                  <Names names={counts.names[kind] ?? []} count={counts[kind]} />
                </p>
              ),
          )}
      </div>
    </DrawerSection>
  )
}

function Names({ names, count }: { names: readonly string[]; count: number }) {
  const t = useTranslate()
  if (names.length === 0) return null
  return (
    <small>
      {names.join(t('kit.comma'))}
      {names.length < count && ` ${t('plans.effect.more', { count: count - names.length })}`}
    </small>
  )
}

const OF_A_PERSON: readonly string[] = ['user.plan', 'user.limits']

function Differences({ row }: { row: AuditRow }) {
  const { differences } = useAuditWords()
  return differences(row).map(({ field, before, after }, at) => (
    <div key={`${at} ${field}`} className={styles.difference}>
      <span className={styles.label}>{field}</span>
      {row.before !== null && (
        <>
          <span>{before}</span>
          <IconArrowRight size={16} aria-hidden />
        </>
      )}
      <b>{row.after === null ? '–' : after}</b>
    </div>
  ))
}

function Origin({ row: { id, address, user_agent, request_id } }: { row: AuditRow }) {
  const t = useTranslate()
  return (
    <dl className={styles.facts}>
      {address !== null && <Fact label={t('audit.address')}>{address}</Fact>}
      {user_agent !== null && (
        <Fact label={t('audit.browser')}>
          <span title={user_agent}>{browserText(user_agent)}</span>
        </Fact>
      )}
      {request_id !== null && (
        <Fact label={t('audit.request')}>
          <code>{request_id}</code>{' '}
          {/* The router keeps a type for each route; this one takes what any page of the area has. */}
          <Link to="." search={{ tab: 'server', only: request_id } as never}>
            {t('audit.request.log')}
          </Link>
        </Fact>
      )}
      <Fact label={t('audit.number')}>{id}</Fact>
    </dl>
  )
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </>
  )
}

function Undoing({ row, state }: { row: AuditRow; state: AuditUndo }) {
  const t = useTranslate()
  const language = useLanguage()
  const { differences } = useAuditWords()
  const { undone_by, undoes } = row
  const { blocked = 0, gained = 0, changed = 0 } = affectedBy(row) ?? {}
  const reached = blocked + gained + changed
  return (
    <div className={styles.how}>
      {state === 'possible' && (
        <ul>
          {differences(row).map(({ field, before }, at) => (
            <li key={`${at} ${field}`}>{t('audit.undo.back', { field, value: before })}</li>
          ))}
        </ul>
      )}
      {state === 'possible' && reached > 0 && <p>{t('audit.undo.reaches', { count: reached })}</p>}
      <p>{t(`audit.undo.${HOW[state]}`)}</p>
      {undone_by !== null && (
        <p>
          {t('audit.undo.by', {
            time: formatDateTime(new Date(undone_by.time), language),
            name: undone_by.name ?? t('audit.unknown'),
          })}
        </p>
      )}
      {undoes !== null && <p>{t('audit.undo.undoes', { number: undoes })}</p>}
    </div>
  )
}
