import { NativeSelect, SegmentedControl, Switch } from '@mantine/core'
import '@mantine/core/styles/InlineInput.layer.css'
import '@mantine/core/styles/Input.layer.css'
import '@mantine/core/styles/SegmentedControl.layer.css'
import '@mantine/core/styles/Switch.layer.css'
import { useQuery } from '@tanstack/react-query'
import { Keep, MemberNames, Sharing } from '#contract/shares.ts'
import type { UpstreamRead } from '#contract/upstreams.ts'
import { listUsers } from '#contract/users.ts'
import { DrawerRow, DrawerSection } from '#web/admin/drawer/rows.tsx'
import type { Changes } from '#web/admin/form/useChanges.ts'
import { useLimitTexts } from '#web/admin/plans/values/limitTexts.ts'
import { call } from '#web/foundation/call.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { Note } from '#web/kit/Note.tsx'
import { lazyWithTexts } from '#web/kit/lazyComponent.tsx'
import { useShares } from '#web/shares/queries.ts'
import { useUpstreamName, useUpstreams } from '../state/queries.ts'
import { AccountWindows } from './AccountWindows.tsx'
import { reserveOf } from './accountWindows.ts'
import type { Fields } from './fields.ts'
import { FieldInput, TextRow } from './rows.tsx'
import { Weights } from './Weights.tsx'
import styles from './sharing.module.css'

const AccountLending = lazyWithTexts('lending', () =>
  import('#web/lending/AccountLending.tsx').then(module => module.AccountLending),
)

type SharingTabProps = { form: Changes<Fields>; upstream: UpstreamRead }

/** How a stored account is divided among those who ask it. */
export function SharingTab({ form, upstream }: SharingTabProps) {
  const t = useTranslate()
  const isOfSettings = upstream.locked.includes('concurrency')
  const hasShares = form.values.sharing === 'shares'
  return (
    <>
      {!isOfSettings && <AccountCapacity form={form} />}
      <AccountWindows form={form} source={upstream.source} upstream={upstream} />
      {form.values.windows.length > 0 && (
        <DrawerSection title={t('upstreams.field.sharing')}>
          <SegmentedControl
            fullWidth
            size="xs"
            aria-label={t('upstreams.field.sharing')}
            value={form.values.sharing}
            data={Sharing.options.map(value => ({ value, label: t(`upstreams.sharing.${value}`) }))}
            onChange={value => form.change({ sharing: Sharing.parse(value) })}
          />
          <p className={styles.help}>{t(`upstreams.sharing.${form.values.sharing}.help`)}</p>
          {upstream.sharing === 'shares' && !hasShares && <Ends upstream={upstream} />}
          <Owner form={form} />
          {hasShares && <KeepRow form={form} />}
          {hasShares && <Weights form={form} source={upstream.source} />}
          <NamesRow form={form} />
          <PoolRow form={form} upstream={upstream} />
        </DrawerSection>
      )}
      {upstream.windows.length > 0 && (
        <AccountLending upstream_id={upstream.id} rules={otherRules(form)} onLoadError={ignore} />
      )}
    </>
  )
}

const ignore = () => undefined

/** What the form would change of the rules. */
function otherRules({ values, isChanged }: Changes<Fields>) {
  const reserve_percent = Number(values.reserve_percent)
  return {
    ...(isChanged('sharing') && { sharing: values.sharing }),
    ...(isChanged('keep') && { keep: values.keep }),
    ...(isChanged('reserve_percent') && isPercent(reserve_percent) && { reserve_percent }),
  }
}

const isPercent = (value: number): boolean => Number.isInteger(value) && value >= 0 && value <= 100

/** How many are answered at once, what it allows by itself, and whether it is asked at all. */
export function AccountCapacity({ form }: { form: Changes<Fields> }) {
  const t = useTranslate()
  return (
    <DrawerSection title={t('upstreams.sharing')}>
      <TextRow form={form} name="concurrency" unit={t('upstreams.field.concurrency.unit')} />
      <DrawerRow
        label={t('upstreams.field.shared_limit')}
        changed={form.isChanged('shared_limit') || form.isChanged('window_hours')}
        below={t('upstreams.field.shared_limit.help')}
      >
        {id => (
          <span className={styles.two}>
            <FieldInput form={form} name="shared_limit" id={id} unit={t('upstreams.unit.asks')} />
            <span>{t('upstreams.in')}</span>
            <FieldInput form={form} name="window_hours" unit={t('upstreams.unit.hours')} />
          </span>
        )}
      </DrawerRow>
      <DrawerRow
        label={t('upstreams.field.enabled')}
        changed={form.isChanged('enabled')}
        below={t('upstreams.field.enabled.help')}
      >
        {id => (
          <Switch
            id={id}
            checked={form.values.enabled}
            onChange={event => form.change({ enabled: event.currentTarget.checked })}
          />
        )}
      </DrawerRow>
    </DrawerSection>
  )
}

/** What ends when whoever asks first is answered first again. */
function Ends({ upstream: { id } }: { upstream: UpstreamRead }) {
  const t = useTranslate()
  const share = useShares()?.find(({ upstream_ids }) => upstream_ids.includes(id))
  const lent = share?.windows[0]?.people.reduce((sum, { borrowed }) => sum + borrowed, 0) ?? 0
  return (
    <div className={styles.pending}>
      <Note tone="amber" title={t('upstreams.sharing.ends')}>
        <p>
          {lent > 0 ? t('upstreams.sharing.endsLent', { count: Math.ceil(lent) }) : t('upstreams.sharing.endsNone')}
        </p>
      </Note>
    </div>
  )
}

/** Whose account it is, and what of each window is theirs besides their share. */
function Owner({ form }: { form: Changes<Fields> }) {
  const t = useTranslate()
  const { amountText } = useLimitTexts()
  const { data: users = [] } = useQuery({
    queryKey: ['admin', 'owners'],
    queryFn: ({ signal }) => call(listUsers, {}, { signal }),
    meta: { quiet: true },
  })
  const { owner_id, reserve_percent, windows } = form.values
  const percent = Number(reserve_percent)
  const parts = windows.map(window =>
    t('upstreams.reserve.of', {
      reserve: reserveOf(window, percent),
      amount: amountText(window.unit, Math.max(0, window.amount)),
    }),
  )
  const below =
    owner_id === null
      ? t('upstreams.owner.help')
      : percent > 0
        ? t('upstreams.reserve.is', { parts: parts.join(t('kit.comma')) })
        : t('upstreams.reserve.none')
  return (
    <DrawerRow
      label={t('upstreams.field.reserve_percent')}
      changed={form.isChanged('reserve_percent') || form.isChanged('owner_id')}
      below={below}
    >
      {id => (
        <span className={styles.two}>
          <FieldInput form={form} name="reserve_percent" id={id} unit="%" />
          <NativeSelect
            size="xs"
            aria-label={t('upstreams.field.owner_id')}
            value={owner_id === null ? '' : String(owner_id)}
            data={[
              { value: '', label: t('upstreams.owner.none') },
              ...users.map(user => ({ value: String(user.id), label: user.nickname })),
            ]}
            onChange={event =>
              form.change({ owner_id: event.currentTarget.value === '' ? null : Number(event.currentTarget.value) })
            }
          />
        </span>
      )}
    </DrawerRow>
  )
}

function KeepRow({ form }: { form: Changes<Fields> }) {
  const t = useTranslate()
  return (
    <DrawerRow
      label={t('upstreams.field.keep')}
      changed={form.isChanged('keep')}
      below={t(`upstreams.keep.${form.values.keep}.help`)}
    >
      {id => (
        <NativeSelect
          id={id}
          size="xs"
          value={form.values.keep}
          data={Keep.options.map(value => ({ value, label: t(`upstreams.keep.${value}`) }))}
          onChange={event => form.change({ keep: Keep.parse(event.currentTarget.value) })}
        />
      )}
    </DrawerRow>
  )
}

function NamesRow({ form }: { form: Changes<Fields> }) {
  const t = useTranslate()
  return (
    <DrawerRow label={t('upstreams.field.names')} changed={form.isChanged('names')} below={t('upstreams.names.help')}>
      {id => (
        <NativeSelect
          id={id}
          size="xs"
          value={form.values.names}
          data={MemberNames.options.map(value => ({ value, label: t(`upstreams.names.${value}`) }))}
          onChange={event => form.change({ names: MemberNames.parse(event.currentTarget.value) })}
        />
      )}
    </DrawerRow>
  )
}

/** Several accounts as one. The one that was added first says how. */
function PoolRow({ form, upstream }: SharingTabProps) {
  const t = useTranslate()
  const nameOf = useUpstreamName()
  const pool = form.values.pool.trim()
  const others = (useUpstreams() ?? []).filter(
    each => each.id !== upstream.id && each.source === upstream.source && pool !== '' && each.pool === pool,
  )
  const [first] = others.filter(({ id }) => id < upstream.id)
  const names = others.map(nameOf).join(t('kit.comma'))
  const below =
    others.length === 0
      ? t('upstreams.pool.help')
      : first === undefined
        ? t('upstreams.pool.with', { names })
        : t('upstreams.pool.withFirst', { names, first: nameOf(first) })
  return <TextRow form={form} name="pool" help={below} />
}
