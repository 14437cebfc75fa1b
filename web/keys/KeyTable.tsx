import type { UserKey } from '#contract/keys.ts'
import { formatDate } from '#web/foundation/times.ts'
import { useLanguage, useTranslate } from '#web/i18n/useTranslate.ts'
import { UsageMeter } from '#web/kit/UsageMeter.tsx'
import type { KnownSecret } from './connection.ts'
import { KeyEnd, LastUse } from './keyCells.tsx'
import { KeyMenu } from './KeyMenu.tsx'
import styles from './keys.module.css'

type KeyTableProps = { keys: readonly UserKey[]; onRotated(known: KnownSecret): void }

export function KeyTable({ keys, onRotated }: KeyTableProps) {
  const t = useTranslate()
  const most = Math.max(1, ...keys.map(({ used }) => used.asks_of_week))
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <th>{t('keys.key')}</th>
          <th>{t('keys.lastUsed')}</th>
          <th>{t('keys.week')}</th>
          <th>{t('keys.ownLimit')}</th>
          <th>{t('keys.expiry')}</th>
          <th>
            <span className={styles.unseen}>{t('kit.more')}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {keys.map(key => (
          <KeyRow key={key.id} of={key} share={key.used.asks_of_week / most} onRotated={onRotated} />
        ))}
      </tbody>
    </table>
  )
}

type KeyRowProps = Pick<KeyTableProps, 'onRotated'> & { of: UserKey; share: number }

function KeyRow({ of: key, share, onRotated }: KeyRowProps) {
  const t = useTranslate()
  const language = useLanguage()
  return (
    <tr data-testid="key-row">
      <td>
        <b>{key.name}</b> <code>…{key.ending}</code>
        <small>{t('keys.createdOn', { date: formatDate(new Date(key.create_time), language) })}</small>
      </td>
      <td>
        <LastUse of={key} />
      </td>
      <td>
        <span className={styles.week}>
          <span className={styles.bar} aria-hidden>
            <i style={{ width: `${Math.round(share * 100)}%` }} />
          </span>
          {t('keys.asks', { count: key.used.asks_of_week })}
        </span>
      </td>
      <td>
        <OwnLimits of={key} />
      </td>
      <td>
        <KeyEnd expires_at={key.expires_at} />
      </td>
      <td>
        <KeyMenu of={key} onRotated={onRotated} />
      </td>
    </tr>
  )
}

function OwnLimits({ of: { limits, used } }: { of: UserKey }) {
  const t = useTranslate()
  if (limits.length === 0) return <small>{t('keys.noLimit')}</small>
  return limits.map(({ unit, window }, at) => {
    const { used: taken = 0, allowed = 0 } = used.limits[at] ?? {}
    const span = window.kind === 'day' || window.kind === 'week' || window.kind === 'month' ? window.kind : 'other'
    const text = t(`keys.used.${span}`, { used: taken, allowed, unit: t(`keys.unit.${unit}`) })
    return (
      <span key={at} className={styles.cap}>
        <UsageMeter used={taken} allowed={allowed} text={text} />
        <small>{text}</small>
      </span>
    )
  })
}
