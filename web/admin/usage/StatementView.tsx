import { Button } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { readStatement, type Statement, type Used } from '#contract/usage.ts'
import { Page } from '#web/admin/shell/Page.tsx'
import { call } from '#web/foundation/call.ts'
import { useModelName } from '#web/foundation/portal.ts'
import { formatDate } from '#web/foundation/times.ts'
import { countText } from '#web/i18n/fill.ts'
import { useLanguage, useTranslate } from '#web/i18n/useTranslate.ts'
import { NotLoaded } from '#web/kit/NotLoaded.tsx'
import { monthText } from './months.ts'
import { PrintButton } from './PrintButton.tsx'
import styles from './usage.module.css'

type StatementProps = { user_id: string; month: string; onBack(): void; children: ReactNode }

/** What one person used in a month, to be printed. The children switch the month. */
export function StatementView({ user_id, month, onBack, children }: StatementProps) {
  const t = useTranslate()
  const language = useLanguage()
  const { data, error, refetch } = useQuery({
    queryKey: ['admin', readStatement.path, user_id, month],
    queryFn: ({ signal }) => call(readStatement, { query: { user_id, month } }, { signal }),
    placeholderData: keepPreviousData,
    meta: { quiet: true },
  })
  const title =
    data === undefined
      ? '\u00a0'
      : t('statement.title', { nickname: data.nickname, month: monthText(data.month, language) })
  const context =
    data === undefined
      ? '\u00a0'
      : t('statement.context', { username: data.username, zone: data.time_zone, currency: data.currency })
  return (
    <Page
      title={title}
      context={context}
      actions={
        <>
          <Button variant="subtle" color="gray" size="xs" className={styles.action} onClick={onBack}>
            {t('usageTable.back')}
          </Button>
          {children}
          <PrintButton />
        </>
      }
    >
      {data === undefined && error !== null && <NotLoaded error={error} onRetry={refetch} />}
      {data !== undefined && (
        <div data-printed data-title={title} data-testid="statement" className={styles.statement}>
          <p className={styles.onPaper}>{context}</p>
          <ByModel statement={data} />
          <Proof statement={data} />
          <ByDay statement={data} />
        </div>
      )}
    </Page>
  )
}

function ByModel({ statement: { rows, sum, currency } }: { statement: Statement }) {
  const t = useTranslate()
  const nameOf = useModelName()
  return (
    <>
      <h2>{t('statement.byModel')}</h2>
      <table className={styles.lines}>
        <thead>
          <tr>
            <th scope="col">{t('usageTable.model')}</th>
            <th scope="col">{t('statement.account')}</th>
            <Heads />
          </tr>
        </thead>
        <tbody>
          {rows.map(row => (
            <tr key={`${row.source} ${row.model} ${row.upstream_id}`}>
              <th scope="row">{nameOf(row.model)}</th>
              <th scope="row">{row.upstream_label === '' ? t(`sources.${row.source}`) : row.upstream_label}</th>
              <Amounts used={row} currency={currency} />
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row" colSpan={2}>
              {t('usageTable.sum')}
            </th>
            <Amounts used={sum} currency={currency} />
          </tr>
        </tfoot>
      </table>
    </>
  )
}

function ByDay({ statement: { days, currency } }: { statement: Statement }) {
  const t = useTranslate()
  const language = useLanguage()
  if (days.length === 0) return null
  return (
    <>
      <h2>{t('statement.byDay')}</h2>
      <table className={styles.lines}>
        <thead>
          <tr>
            <th scope="col">{t('statement.day')}</th>
            <Heads />
          </tr>
        </thead>
        <tbody>
          {days.map(({ day, ...used }) => (
            <tr key={day}>
              <th scope="row">{formatDate(new Date(`${day}T12:00:00`), language)}</th>
              <Amounts used={used} currency={currency} />
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}

function Heads() {
  const t = useTranslate()
  return (
    <>
      <th scope="col">{t('usageTable.asks')}</th>
      <th scope="col">{t('usageTable.tokens')}</th>
      <th scope="col">{t('statement.seconds')}</th>
      <th scope="col">{t('usageTable.money')}</th>
    </>
  )
}

/** To the last unit: a statement rounds nothing. */
function Amounts({ used: { asks, tokens, seconds, money, estimated }, currency }: { used: Used; currency: string }) {
  const t = useTranslate()
  const language = useLanguage()
  const exact = new Intl.NumberFormat(language)
  const moneyOf = useExactMoney(currency)
  return (
    <>
      <td>{countText(asks, language)}</td>
      <td>{estimated ? t('usage.estimated', { tokens: exact.format(tokens) }) : exact.format(tokens)}</td>
      <td>
        {new Intl.NumberFormat(language, { maximumFractionDigits: 1, style: 'unit', unit: 'second' }).format(seconds)}
      </td>
      <td>{moneyOf(money)}</td>
    </>
  )
}

/** The same sums, read from the ledger line by line. */
function Proof({ statement: { sum, ledger, currency } }: { statement: Statement }) {
  const t = useTranslate()
  const money = useExactMoney(currency)
  const isEqual = sum.asks === ledger.asks && sum.tokens === ledger.tokens && sum.money === ledger.money
  const values = { count: ledger.asks, tokens: ledger.tokens, money: money(ledger.money) }
  return (
    <p className={isEqual ? styles.note : styles.differs} data-testid="statement-proof" data-equal={isEqual}>
      {isEqual ? t('statement.equal', { ...values, lines: ledger.lines }) : t('statement.differs', values)}
    </p>
  )
}

function useExactMoney(currency: string): (money: number) => string {
  const language = useLanguage()
  const format = new Intl.NumberFormat(language, {
    style: 'currency',
    currency,
    minimumFractionDigits: 2,
    maximumFractionDigits: 6,
  })
  return money => format.format(money)
}
