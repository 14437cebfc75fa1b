import { Button, NativeSelect } from '@mantine/core'
import '@mantine/core/styles/Input.layer.css'
import { useState } from 'react'
import type { Source } from '#contract/models.ts'
import type { AccountWindow } from '#contract/shares.ts'
import { type AccountWindowReport } from '#contract/upstreamSharing.ts'
import { acceptWindow, type UpstreamRead } from '#contract/upstreams.ts'
import { DrawerSection } from '#web/admin/drawer/rows.tsx'
import type { Changes } from '#web/admin/form/useChanges.ts'
import { useLimitTexts } from '#web/admin/plans/values/limitTexts.ts'
import { AmountInput, WINDOW_KINDS, windowOfKind, WindowLength } from '#web/admin/plans/values/windowFields.tsx'
import { call } from '#web/foundation/call.ts'
import { reportFailure } from '#web/foundation/failures.ts'
import { useMomentText } from '#web/foundation/moments.ts'
import { useModelName } from '#web/foundation/portal.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { IconButton } from '#web/kit/IconButton.tsx'
import { IconPlus, IconX } from '#web/kit/icons.ts'
import { Note } from '#web/kit/Note.tsx'
import { keepUpstream, refreshUpstreams } from '../state/queries.ts'
import { changedWindow, nextWindow, reportOf, unitsOf, withWindows } from './accountWindows.ts'
import type { Fields } from './fields.ts'
import styles from './sharing.module.css'

type AccountWindowsProps = {
  form: Changes<Fields>
  source: Source
  /** Null for one that is not stored. */
  upstream: UpstreamRead | null
}

/** What an account has for all who ask it: several windows, of which the tighter one decides. */
export function AccountWindows({ form, source, upstream }: AccountWindowsProps) {
  const t = useTranslate()
  const { windows } = form.values
  const next = nextWindow(windows)
  const set = (after: readonly AccountWindow[]) => form.change(withWindows(after, form.values))
  return (
    <DrawerSection title={t('upstreams.windows')}>
      <p className={styles.help}>{t(windows.length === 0 ? 'upstreams.windows.none' : 'upstreams.windows.help')}</p>
      <div data-changed={form.isChanged('windows') || undefined} className={styles.windows}>
        {windows.map((window, at) => (
          <WindowRow
            key={at}
            window={window}
            source={source}
            upstream={upstream}
            onChange={change => {
              const after = changedWindow(windows, at, change)
              if (after !== null) form.change({ windows: after })
              return after !== null
            }}
            onRemove={() => set(windows.filter((_, index) => index !== at))}
          />
        ))}
      </div>
      {next !== null && (
        <Button
          size="xs"
          variant="subtle"
          color="gray"
          className={styles.add}
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => set([...windows, next])}
        >
          {t('upstreams.windows.add')}
        </Button>
      )}
    </DrawerSection>
  )
}

type WindowRowProps = {
  window: AccountWindow
  source: Source
  upstream: UpstreamRead | null
  /** False where there is such a window already. */
  onChange(change: Partial<AccountWindow>): boolean
  onRemove(): void
}

/** Number, unit and window, for which models, and whether the account itself has said it. */
function WindowRow({ window, source, upstream, onChange, onRemove }: WindowRowProps) {
  const t = useTranslate()
  const { currency, limitText } = useLimitTexts()
  const [isTwice, setTwice] = useState(false)
  const become = (change: Partial<AccountWindow>) => setTwice(!onChange(change))
  const { unit, amount } = window
  return (
    <div
      className={styles.window}
      role="group"
      aria-label={limitText({ source, ...window }, amount)}
      data-testid="account-window"
    >
      <div className={styles.line}>
        <AmountInput amount={amount} unit={unit} placeholder="" onChange={given => become({ amount: given })} />
        <NativeSelect
          size="xs"
          aria-label={t('plans.unit')}
          value={unit}
          data={unitsOf(source).map(value => ({
            value,
            label: value === 'money' ? currency : t(`plans.unit.${value}`),
          }))}
          onChange={event =>
            become({ unit: unitsOf(source).find(each => each === event.currentTarget.value) ?? 'asks' })
          }
        />
        <NativeSelect
          size="xs"
          aria-label={t('plans.window')}
          value={window.window.kind}
          data={WINDOW_KINDS.filter(kind => kind !== 'ever').map(value => ({
            value,
            label: t(`plans.window.${value}`),
          }))}
          onChange={event => become({ window: windowOfKind(event.currentTarget.value) })}
        />
        <IconButton size={28} label={t('upstreams.windows.remove')} onClick={onRemove}>
          <IconX size={14} aria-hidden />
        </IconButton>
      </div>
      {'seconds' in window.window && (
        <WindowLength window={window.window} disabled={false} onChange={length => become({ window: length })} />
      )}
      <WindowModels window={window} upstream={upstream} onChange={models => become({ models })} />
      {isTwice && <p className={styles.wrong}>{t('upstreams.windows.twice')}</p>}
      {upstream !== null && <Reported window={window} upstream={upstream} />}
    </div>
  )
}

type WindowModelsProps = {
  window: AccountWindow
  upstream: UpstreamRead | null
  onChange(models: string[] | null): void
}

/** All models, or these alone. */
function WindowModels({ window: { models }, upstream, onChange }: WindowModelsProps) {
  const t = useTranslate()
  const modelName = useModelName()
  const codes = [...new Set(upstream?.model_settings.map(({ code }) => code) ?? [])]
  if (codes.length < 2 && models === null) return null
  const others = codes.filter(code => models?.includes(code) !== true)
  return (
    <div className={styles.models}>
      {models?.map(code => (
        <button
          key={code}
          type="button"
          aria-label={t('upstreams.windows.withoutModel', { name: modelName(code) })}
          onClick={() => onChange(models.length === 1 ? null : models.filter(each => each !== code))}
        >
          {modelName(code)} <IconX size={12} aria-hidden />
        </button>
      ))}
      {others.length > 0 && (
        <NativeSelect
          size="xs"
          variant="unstyled"
          aria-label={t('upstreams.windows.models')}
          value=""
          data={[
            { value: '', label: t(models === null ? 'upstreams.windows.allModels' : 'upstreams.windows.addModel') },
            ...others.map(value => ({ value, label: modelName(value) })),
          ]}
          onChange={event => {
            if (event.currentTarget.value !== '') onChange([...(models ?? []), event.currentTarget.value])
          }}
        />
      )}
    </div>
  )
}

/** "As the account reports", "as set", and what has become of it that wants a yes. */
function Reported({ window, upstream }: { window: AccountWindow; upstream: UpstreamRead }) {
  const t = useTranslate()
  const { amountText } = useLimitTexts()
  const momentText = useMomentText()
  const report = reportOf(upstream.reported_windows, window)
  if (report === undefined)
    return (
      <p className={styles.origin} data-testid="window-origin">
        <span className={styles.byHand}>{t('upstreams.window.asSet')}</span> {t('upstreams.window.notReported')}
      </p>
    )
  const { capacity, used, ends_at, pending_capacity } = report
  const said = amountText(window.unit, capacity ?? window.amount)
  return (
    <>
      <p className={styles.origin} data-testid="window-origin">
        <span>
          {t(capacity === null ? 'upstreams.window.reportedUse' : 'upstreams.window.reported', { amount: said })}
        </span>
        {used !== null && <span>{t('upstreams.window.used', { amount: amountText(window.unit, used) })}</span>}
        {ends_at !== null && <span>{t('upstreams.window.ends', { time: momentText(ends_at) })}</span>}
      </p>
      {pending_capacity !== null && (
        <Pending report={report} amount={pending_capacity} upstream={upstream} before={said} />
      )}
    </>
  )
}

type PendingProps = { report: AccountWindowReport; amount: number; upstream: UpstreamRead; before: string }

/** What doubles or vanishes counts only when an administrator has said yes. */
function Pending({ report: { unit, window, models }, amount, upstream, before }: PendingProps) {
  const t = useTranslate()
  const { amountText } = useLimitTexts()
  const [isPending, setPending] = useState(false)
  async function accept(): Promise<void> {
    setPending(true)
    try {
      const body = { unit, window, models, amount }
      keepUpstream(await call(acceptWindow, { params: { id: String(upstream.id) }, body }))
    } catch (error) {
      reportFailure(error)
      await refreshUpstreams()
    } finally {
      setPending(false)
    }
  }
  return (
    <div className={styles.pending} data-testid="window-pending">
      <Note
        tone="amber"
        title={t(amount === 0 ? 'upstreams.window.gone' : 'upstreams.window.changed', {
          amount: amountText(unit, amount),
        })}
        actions={
          <Button size="xs" variant="default" loading={isPending} onClick={() => void accept()}>
            {t('upstreams.window.accept', { amount: amountText(unit, amount) })}
          </Button>
        }
      >
        <p>{t('upstreams.window.untilThen', { amount: before })}</p>
      </Note>
    </div>
  )
}
