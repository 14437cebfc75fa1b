import { Button, Checkbox, NativeSelect, SegmentedControl } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { type BulkChange, type BulkReason, type BulkResult, changeUsers } from '#contract/bulk.ts'
import { call } from '#web/foundation/call.ts'
import { failureText } from '#web/foundation/failures.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { Dialog, DialogFooter } from '#web/kit/Dialog.tsx'
import { Note } from '#web/kit/Note.tsx'
import styles from './bulk.module.css'
import type { Bulk } from './useBulk.ts'
import '@mantine/core/styles/Checkbox.layer.css'
import { type Source, SOURCES } from '#contract/models.ts'
import { useModelName, usePortal } from '#web/foundation/portal.ts'
import '@mantine/core/styles/SegmentedControl.layer.css'
import { DateInput, DrawerRow, UnitInput } from '#web/admin/drawer/rows.tsx'
import { endOfDay } from '../edit/ValidityField.tsx'
import '@mantine/core/styles/Input.layer.css'
import { UNLIMITED } from '#contract/limits.ts'
import { CountInput } from '../edit/CountField.tsx'
import { usePlanName } from '#web/admin/plans/values/Origin.tsx'
import { usePlans } from '#web/admin/plans/values/plans.ts'

export type BulkKind = 'extend' | 'count' | 'plan' | 'activate' | 'deactivate'

type BulkDialogProps = { kind: BulkKind; bulk: Bulk; onClose(): void }

/** Chooses the change, and previews it: how many people it changes, who is not changed and why. */
export function BulkDialog({ kind, bulk, onClose }: BulkDialogProps) {
  const t = useTranslate()
  const [change, setChange] = useState<BulkChange | null>(
    kind === 'activate' || kind === 'deactivate' ? { action: kind } : null,
  )
  const { result, isCurrent, refusal } = useDryRun(bulk, change)
  const [pending, setPending] = useState(false)
  const run = async () => {
    if (change === null) return
    setPending(true)
    const done = await bulk.run(change)
    setPending(false)
    if (done) onClose()
  }
  return (
    <Dialog title={t(`users.bulk.${kind}.title`, { count: bulk.count })} onClose={onClose} busy={pending}>
      <div className={styles.form}>
        {kind === 'extend' && <ExtendForm onChange={setChange} />}
        {kind === 'count' && <CountForm onChange={setChange} />}
        {kind === 'plan' && <PlanChoice onChange={setChange} />}
        {kind === 'deactivate' && <p>{t('users.bulk.deactivate.text')}</p>}
        {refusal !== null && <Note tone="red" title={refusal} />}
        {result !== null && <DryRun result={result} />}
      </div>
      <DialogFooter>
        <Button
          variant="subtle"
          color="gray"
          data-autofocus={kind === 'activate' || kind === 'deactivate' || undefined}
          onClick={onClose}
        >
          {t('kit.cancel')}
        </Button>
        <Button
          color={kind === 'deactivate' ? 'red' : 'green'}
          loading={pending}
          disabled={change === null || !isCurrent || result === null || result.changed === 0}
          data-testid="bulk-run"
          onClick={() => void run()}
        >
          {t(`users.bulk.${kind}.verb`, { count: result?.changed ?? 0 })}
        </Button>
      </DialogFooter>
    </Dialog>
  )
}

/** Names of unchanged people that are shown at most. */
const MAX_NAMES = 8

function DryRun({ result: { total, changed, unchanged, rows } }: { result: BulkResult }) {
  const t = useTranslate()
  const reasons = Object.entries(unchanged) as [BulkReason, number][] // keys of the contract's record
  return (
    <div className={styles.outcome} role="status" data-testid="dry-run">
      <p>
        {changed === total
          ? t('users.bulk.willAll', { count: changed })
          : t('users.bulk.will', { count: changed, left: total - changed })}
      </p>
      <ul>
        {reasons.map(([reason, count]) => {
          const names = rows.filter(row => row.reason === reason).map(({ nickname }) => nickname)
          const more = count - Math.min(names.length, MAX_NAMES)
          const text = names.slice(0, MAX_NAMES).join(t('kit.comma'))
          return (
            <li key={reason}>
              <b>{t('users.bulk.whyCount', { reason: t(`users.bulk.why.${reason}`), count })}</b>
              <span>{more > 0 ? t('users.bulk.names', { names: text, count: more }) : text}</span>
            </li>
          )
        })}
      </ul>
    </div>
  )
}

/** Asks the server what a change would do. While an answer loads, the previous one stays, but cannot be confirmed. */
function useDryRun(bulk: Bulk, change: BulkChange | null) {
  const { data, error, isPlaceholderData } = useQuery({
    queryKey: ['admin', 'users', 'dry run', change, bulk.target],
    queryFn: ({ signal }) =>
      change === null
        ? null
        : call(changeUsers, { body: { selection: bulk.target, change, dry_run: true } }, { signal }),
    enabled: change !== null,
    placeholderData: keepPreviousData,
    staleTime: 0,
    meta: { quiet: true },
  })
  return {
    result: change === null || error !== null ? null : (data ?? null),
    isCurrent: !isPlaceholderData,
    refusal: error === null ? null : failureText(error),
  }
}

/** The chosen sources; by default those that are enabled. */
function useSources(): { sources: Source[]; setSources(sources: Source[]): void } {
  const portal = usePortal()
  const [chosen, setSources] = useState<Source[] | null>(null)
  const enabled = SOURCES.filter(source => portal?.sources.some(each => each.source === source && each.enabled))
  return { sources: chosen ?? (enabled.length > 0 ? enabled : [...SOURCES]), setSources }
}

type SourcesRowProps = { sources: readonly Source[]; onChange(sources: Source[]): void }

function SourcesRow({ sources, onChange }: SourcesRowProps) {
  const t = useTranslate()
  return (
    <fieldset className={styles.sources}>
      <legend>{t('users.source')}</legend>
      {SOURCES.map(source => (
        <Checkbox
          key={source}
          label={t(`sources.${source}`)}
          checked={sources.includes(source)}
          onChange={({ currentTarget: { checked } }) =>
            onChange(SOURCES.filter(each => (each === source ? checked : sources.includes(each))))
          }
        />
      ))}
    </fieldset>
  )
}

const MODES = ['days', 'until', 'forever'] as const
/** The contract's bound. */
const MAX_DAYS = 3660
const DAYS = [7, 30, 90, 365]

/** Extends the validity: by days, until a date, or for ever. */
function ExtendForm({ onChange }: { onChange(change: BulkChange | null): void }) {
  const t = useTranslate()
  const { sources, setSources } = useSources()
  const [mode, setMode] = useState<(typeof MODES)[number]>('days')
  const [days, setDays] = useState('30')
  const [date, setDate] = useState('')
  const change = extension(mode, sources, days, date)
  useReported(change, onChange)
  return (
    <>
      <SegmentedControl
        fullWidth
        aria-label={t('users.bulk.extend')}
        value={mode}
        onChange={value => setMode(MODES.find(each => each === value) ?? 'days')}
        data={MODES.map(value => ({ value, label: t(`users.bulk.extend.${value}`) }))}
      />
      {mode === 'days' && (
        <DrawerRow
          label={t('users.bulk.longer')}
          below={DAYS.map(count => (
            <button key={count} type="button" onClick={() => setDays(String(count))}>
              {t('users.bulk.days', { count })}
            </button>
          ))}
        >
          {id => (
            <UnitInput
              id={id}
              unit={t('users.unit.days')}
              data-autofocus
              value={days}
              onChange={text => setDays(text.replace(/\D/g, '').slice(0, 4))}
            />
          )}
        </DrawerRow>
      )}
      {mode === 'until' && (
        <DrawerRow label={t('users.validUntil')}>
          {id => <DateInput id={id} value={date} onChange={setDate} />}
        </DrawerRow>
      )}
      <SourcesRow sources={sources} onChange={setSources} />
    </>
  )
}

function extension(mode: (typeof MODES)[number], sources: Source[], days: string, date: string): BulkChange | null {
  if (sources.length === 0) return null
  if (mode === 'forever') return { action: 'validUntil', sources, until: null }
  if (mode === 'until') {
    const until = endOfDay(date)
    return until === null ? null : { action: 'validUntil', sources, until }
  }
  const count = Number(days)
  return count >= 1 && count <= MAX_DAYS ? { action: 'extend', sources, days: count } : null
}

/** Reports the change whenever it differs. */
function useReported(change: BulkChange | null, onChange: (change: BulkChange | null) => void): void {
  const text = JSON.stringify(change)
  const report = useEffectEvent(() => onChange(change))
  useEffect(() => report(), [text])
}

const ACTIONS = ['add', 'set'] as const
/** The contract's maximum that can be added at once. */
const MAX_ADDED = 1_000_000

/** Sets or increases a count of asks, of a model's asks, or of conversations. */
function CountForm({ onChange }: { onChange(change: BulkChange | null): void }) {
  const t = useTranslate()
  const { sources, setSources } = useSources()
  const [action, setAction] = useState<(typeof ACTIONS)[number]>('add')
  const [which, setWhich] = useState('total')
  const [value, setValue] = useState(100)
  const options = useCountOptions()
  useReported(countChange({ action, which, value, sources }), onChange)
  return (
    <>
      <SegmentedControl
        fullWidth
        aria-label={t('users.bulk.count')}
        value={action}
        onChange={next => setAction(ACTIONS.find(each => each === next) ?? 'add')}
        data={ACTIONS.map(each => ({ value: each, label: t(`users.bulk.count.${each}`) }))}
      />
      <DrawerRow label={t('users.bulk.which')}>
        {id => (
          <NativeSelect
            id={id}
            size="xs"
            value={which}
            data-autofocus
            data={options}
            onChange={event => setWhich(event.currentTarget.value)}
          />
        )}
      </DrawerRow>
      <DrawerRow
        label={t(action === 'add' ? 'users.bulk.more' : 'users.bulk.newCount')}
        below={action === 'set' ? t('users.bulk.count.set.help') : undefined}
      >
        {id => (
          <CountInput
            id={id}
            count={value}
            unit={t(which === 'conversations' ? 'users.unit.conversations' : 'users.unit.asks')}
            onChange={setValue}
          />
        )}
      </DrawerRow>
      <SourcesRow sources={sources} onChange={setSources} />
    </>
  )
}

/** Moves people into a plan; values of their own stay. */
function PlanChoice({ onChange }: { onChange(change: BulkChange | null): void }) {
  const t = useTranslate()
  const planName = usePlanName()
  const { plans = [] } = usePlans()
  const [chosen, setChosen] = useState('')
  useReported(chosen === '' ? null : { action: 'plan', plan_id: Number(chosen) }, onChange)
  return (
    <NativeSelect
      label={t('invitations.plan')}
      description={t('users.bulk.plan.help')}
      value={chosen}
      data-autofocus
      data-testid="bulk-plan-choice"
      data={[
        { value: '', label: t('users.bulk.plan.choose') },
        ...plans.map(({ plan }) => ({ value: String(plan.id), label: planName(plan) })),
      ]}
      onChange={event => setChosen(event.currentTarget.value)}
    />
  )
}

const MODEL = 'model:'

function useCountOptions(): { value: string; label: string }[] {
  const t = useTranslate()
  const modelName = useModelName()
  const codes = new Set(usePortal()?.models.map(({ code }) => code))
  return [
    { value: 'total', label: t('users.total') },
    ...[...codes].map(code => ({ value: MODEL + code, label: modelName(code) })),
    { value: 'conversations', label: t('users.conversations') },
  ]
}

type CountChoice = { action: (typeof ACTIONS)[number]; which: string; value: number; sources: Source[] }

function countChange({ action, which, value, sources }: CountChoice): BulkChange | null {
  if (sources.length === 0) return null
  if (action === 'add' && (value === UNLIMITED || value < 1 || value > MAX_ADDED)) return null
  if (which === 'total' || which === 'conversations') return { action, sources, count: which, value }
  return { action, sources, count: 'model', model: which.slice(MODEL.length), value }
}
