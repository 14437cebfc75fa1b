import { Checkbox } from '@mantine/core'
import '@mantine/core/styles/Checkbox.layer.css'
import '@mantine/core/styles/InlineInput.layer.css'
import { useState } from 'react'
import type { Affected, PlanPreview } from '#contract/planPeople.ts'
import { DateInput } from '#web/admin/drawer/rows.tsx'
import { UserAvatar } from '#web/admin/shell/UserAvatar.tsx'
import { usePortal } from '#web/foundation/portal.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { IconAlertTriangle } from '#web/kit/icons.ts'
import styles from './effect.module.css'
import type { Spared } from './usePlanForm.ts'
import { useLimitTexts } from './values/limitTexts.ts'
import { windowEnd } from './windowEnd.ts'

/** Names that are shown before the others fold. */
const MAX_NAMES = 20

export type Sparing = {
  ids: ReadonlySet<number>
  /** As the field has it, in the zone of this device. */
  until: string
  chosen: Spared
  spare(ids: readonly number[], isSpared: boolean): void
  setUntil(until: string): void
}

/** Whether those who would be blocked keep what they have until a moment: by default the end of the window. */
export function useSparing(effect: PlanPreview | null): Sparing {
  const zone = usePortal()?.time_zone ?? 'UTC'
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set())
  const [typed, setTyped] = useState<string | null>(null)
  const windows = (effect?.blocked ?? []).flatMap(({ limits }) => limits.map(({ limit }) => limit.window))
  const until = typed ?? localText(latestEnd(windows, zone))
  const moment = new Date(until)
  // Whoever is blocked no more, since somebody went on editing, is not spared either.
  const ids = new Set((effect?.blocked ?? []).map(({ user_id }) => user_id).filter(id => chosen.has(id)))
  const isDate = !Number.isNaN(moment.getTime())
  return {
    ids,
    until,
    chosen: ids.size > 0 && isDate ? { user_ids: [...ids], until: moment.toISOString() } : null,
    spare(changed, isSpared) {
      const next = new Set(ids)
      for (const id of changed) {
        if (isSpared) next.add(id)
        else next.delete(id)
      }
      setChosen(next)
    },
    setUntil: setTyped,
  }
}

function latestEnd(windows: readonly Parameters<typeof windowEnd>[0][], zone: string): Date {
  const now = new Date()
  const ends = windows.map(window => windowEnd(window, now, zone).getTime())
  return new Date(Math.max(now.getTime() + 86_400_000, ...ends))
}

/** `2026-12-31T14:20`, for the browser's own field. */
function localText(time: Date): string {
  const shifted = new Date(time.getTime() - time.getTimezoneOffset() * 60_000)
  return shifted.toISOString().slice(0, 'yyyy-mm-ddThh:mm'.length)
}

/** Who is blocked at once, who gains and who is untouched when it is saved. */
export function EffectPreview({ effect, sparing }: { effect: PlanPreview; sparing: Sparing }) {
  const t = useTranslate()
  const { blocked, gained, changed, untouched, affected } = effect
  return (
    <div className={styles.effect} data-testid="effect-preview">
      <p className={styles.sum}>
        {t('plans.effect.sum', { count: affected + untouched.length, blocked: blocked.length, gained: gained.length })}
      </p>
      {blocked.length > 0 && <Blocked blocked={blocked} sparing={sparing} />}
      {gained.length > 0 && (
        <section className={styles.gained} data-testid="effect-gained">
          <b>{t('plans.effect.gained', { count: gained.length })}</b>
          <p>
            <Names people={gained} />
          </p>
        </section>
      )}
      {changed.length > 0 && <Changed changed={changed} />}
      {(['own', 'plan', 'same'] as const).map(reason => {
        const people = untouched.filter(each => each.reason === reason)
        if (people.length === 0) return null
        return (
          <section key={reason} className={styles.untouched} data-testid="effect-untouched">
            <b>{t('plans.effect.untouched', { count: people.length })}</b>
            <span>{t(`plans.effect.because.${reason}`)}</span>
            <p>
              <Names people={people} />
            </p>
          </section>
        )
      })}
    </div>
  )
}

/** For whom something is less or otherwise, and of what. */
function Changed({ changed }: { changed: PlanPreview['changed'] }) {
  const t = useTranslate()
  const fields = new Set(changed.flatMap(({ reasons }) => reasons.map(({ field }) => t(`plans.field.${field}`))))
  if (changed.some(({ limits }) => limits.length > 0)) fields.add(t('plans.field.limits'))
  return (
    <section className={styles.untouched} data-testid="effect-changed">
      <b>{t('plans.effect.changed', { count: changed.length })}</b>
      <span>{[...fields].join(t('kit.comma'))}</span>
      <p>
        <Names people={changed} />
      </p>
    </section>
  )
}

/** Names; those beyond the first fold. */
function Names({ people }: { people: readonly { nickname: string }[] }) {
  const t = useTranslate()
  const names = (some: typeof people) => some.map(({ nickname }) => nickname).join(t('kit.comma'))
  if (people.length <= MAX_NAMES) return names(people)
  return (
    <>
      {names(people.slice(0, MAX_NAMES))}
      <details>
        <summary>{t('plans.effect.more', { count: people.length - MAX_NAMES })}</summary>
        {names(people.slice(MAX_NAMES))}
      </details>
    </>
  )
}

function Blocked({ blocked, sparing }: { blocked: readonly Affected[]; sparing: Sparing }) {
  const t = useTranslate()
  const [isWhole, setWhole] = useState(false)
  const shown = isWhole ? blocked : blocked.slice(0, MAX_NAMES)
  return (
    <section className={styles.blocked} data-testid="effect-blocked">
      <div className={styles.head} role="status">
        <IconAlertTriangle size={18} aria-hidden />
        <b>{t('plans.effect.blocked', { count: blocked.length })}</b>
      </div>
      <ul>
        {shown.map(person => (
          <BlockedPerson key={person.user_id} person={person} sparing={sparing} />
        ))}
      </ul>
      {shown.length < blocked.length && (
        <button type="button" className={styles.more} onClick={() => setWhole(true)}>
          {t('plans.effect.more', { count: blocked.length - shown.length })}
        </button>
      )}
      <div className={styles.spare}>
        <Checkbox
          label={t('plans.effect.spare', { count: blocked.length })}
          description={t('plans.effect.spareText')}
          checked={sparing.ids.size === blocked.length}
          indeterminate={sparing.ids.size > 0 && sparing.ids.size < blocked.length}
          data-testid="spare"
          onChange={event =>
            sparing.spare(
              blocked.map(({ user_id }) => user_id),
              event.currentTarget.checked,
            )
          }
        />
        {sparing.ids.size > 0 && (
          <DateInput withTime aria-label={t('plans.effect.until')} value={sparing.until} onChange={sparing.setUntil} />
        )}
      </div>
    </section>
  )
}

type BlockedPersonProps = { person: Affected; sparing: Sparing }

function BlockedPerson({ person: { user_id, nickname, limits, reasons }, sparing }: BlockedPersonProps) {
  const t = useTranslate()
  const reached = limits.filter(({ used, after }) => used !== null && after !== null && used >= after)
  return (
    <li>
      <UserAvatar id={user_id} nickname={nickname} />
      <div>
        <div className={styles.name}>
          <b>{nickname}</b>
          <Checkbox
            size="xs"
            label={t('plans.effect.spareOne')}
            aria-label={t('plans.effect.spareName', { nickname })}
            checked={sparing.ids.has(user_id)}
            data-testid="spare-one"
            onChange={event => sparing.spare([user_id], event.currentTarget.checked)}
          />
        </div>
        {reached.map((change, at) => (
          <ReachedLimit key={at} change={change} />
        ))}
        {reasons.length > 0 && (
          <p>
            {reasons
              .flatMap(({ source, field }) =>
                source === null // nobody is blocked by these
                  ? []
                  : t('plans.fieldOf', { label: t(`plans.changedField.${field}`), source: t(`sources.${source}`) }),
              )
              .join(t('kit.comma'))}
          </p>
        )}
      </div>
    </li>
  )
}

/** What was used, of what was allowed and of what will be; a mark stands at the new limit. */
function ReachedLimit({ change: { limit, used, before, after } }: { change: Affected['limits'][number] }) {
  const t = useTranslate()
  const { amountText, windowText } = useLimitTexts()
  const most = Math.max(used ?? 0, before ?? 0, after ?? 0, 1)
  const share = (value: number) => `${Math.min(100, (100 * value) / most)}%`
  const text = (value: number | null) =>
    value === null || value < 0 ? t('kit.unlimited') : amountText(limit.unit, value)
  const [mark, end] = [after ?? 0, used ?? 0]
  return (
    <>
      <div className={styles.name}>
        <span>{windowText(limit.window)}</span>
        <span>
          {t('plans.effect.usedOf', { used: text(used), limit: text(before) })} <span aria-hidden="true">→</span>{' '}
          <b>{t('plans.effect.usedOf', { used: text(used), limit: text(after) })}</b>
        </span>
      </div>
      <svg className={styles.bar} viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
        <rect className={styles.track} width="100" height="4" />
        <rect className={styles.inside} width={share(Math.min(mark, end))} height="4" />
        <rect className={styles.over} x={share(mark)} width={share(Math.max(0, end - mark))} height="4" />
        <rect className={styles.mark} x={share(mark)} width="0.6" height="4" />
      </svg>
    </>
  )
}
