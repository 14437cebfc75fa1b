import { Button } from '@mantine/core'
import { useState } from 'react'
import { SOURCES } from '#contract/models.ts'
import { exportMyUsage, type MyUsage as Usage } from '#contract/usage.ts'
import { addressOf } from '#web/foundation/call.ts'
import { useModelName } from '#web/foundation/portal.ts'
import { countText } from '#web/i18n/fill.ts'
import { useLanguage, useTranslate } from '#web/i18n/useTranslate.ts'
import { IconDownload } from '#web/kit/icons.ts'
import { NotLoaded } from '#web/kit/NotLoaded.tsx'
import { useAmounts } from './amounts.ts'
import { AskForMore } from './AskForMore.tsx'
import { added, columnsOf, dayIn, modelsOfMonth } from './calendar.ts'
import { type PlotSpan, useMyUsage } from './queries.ts'
import { UsageColumns } from './UsageColumns.tsx'
import { UsageLedger } from './UsageLedger.tsx'
import styles from './usage.module.css'

const SPANS = ['weeks', 'months'] as const

/** What one used: twelve weeks or months in columns, this month by model, the ledger; and asking for more. */
export function MyUsage() {
  const t = useTranslate()
  const [span, setSpan] = useState<PlotSpan>('weeks')
  const { data, error, refetch } = useMyUsage(span)
  return (
    <section className={styles.mine} data-testid="my-usage">
      <div className={styles.head}>
        <h3>{t('usage.mine')}</h3>
        <div className={styles.spans} role="group" aria-label={t('usage.span')}>
          {SPANS.map(each => (
            <button key={each} type="button" aria-pressed={each === span} onClick={() => setSpan(each)}>
              {t(`usage.${each}`)}
            </button>
          ))}
        </div>
      </div>
      {data === undefined && error !== null && <NotLoaded error={error} onRetry={refetch} />}
      {data !== undefined && <Loaded usage={data} span={span} />}
    </section>
  )
}

function Loaded({ usage, span }: { usage: Usage; span: PlotSpan }) {
  const t = useTranslate()
  const language = useLanguage()
  const today = dayIn(new Date(usage.now), usage.time_zone)
  const columns = columnsOf(usage.rows, today, span)
  const present = columns.at(-1)
  return (
    <>
      <UsageColumns columns={columns} span={span} />
      <div className={styles.legend}>
        {SOURCES.map(source => (
          <span key={source}>
            <i className={styles[source]} />
            {t(`sources.${source}`)} <b>{countText(present?.asks[source] ?? 0, language)}</b>
          </span>
        ))}
        <span className={styles.hint}>{t(`usage.legend.${span}`)}</span>
      </div>
      <MonthTable usage={usage} today={today} />
      <AskForMore usage={usage} />
      <UsageLedger currency={usage.currency} />
      <div className={styles.foot}>
        <p>{t('usage.sameNumbers')}</p>
        <Button
          component="a"
          variant="default"
          href={addressOf(exportMyUsage, { query: { from: usage.from } })}
          download
          leftSection={<IconDownload size={16} aria-hidden />}
        >
          {t('usage.csv')}
        </Button>
      </div>
    </>
  )
}

function MonthTable({ usage, today }: { usage: Usage; today: string }) {
  const t = useTranslate()
  const nameOf = useModelName()
  const amounts = useAmounts(usage.currency)
  const rows = modelsOfMonth(usage.rows, today)
  if (rows.length === 0) return <p className={styles.none}>{t('usage.none')}</p>
  const sum = added(rows)
  const money = (value: number) => (value === 0 ? '–' : amounts.money(value))
  return (
    <table className={styles.month}>
      <thead>
        <tr>
          <th scope="col">{t('usage.thisMonth')}</th>
          <th scope="col">{t('usage.asks')}</th>
          <th scope="col">{t('usage.tokens')}</th>
          <th scope="col">{t('usage.money')}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(row => (
          <tr key={`${row.source} ${row.model}`}>
            <th scope="row">
              {nameOf(row.model)} <small>{t(`sources.${row.source}`)}</small>
            </th>
            <td>{amounts.asks(row.asks)}</td>
            <td>{amounts.tokens(row.tokens, row.estimated)}</td>
            <td>{money(row.money)}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">{t('usage.sum')}</th>
          <td>{amounts.asks(sum.asks)}</td>
          <td>{amounts.tokens(sum.tokens)}</td>
          <td>{money(sum.money)}</td>
        </tr>
      </tfoot>
    </table>
  )
}
