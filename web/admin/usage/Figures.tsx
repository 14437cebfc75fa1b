import type { ReactNode } from 'react'
import { SOURCES } from '#contract/models.ts'
import type { UsageTable } from '#contract/usage.ts'
import { useLanguage, useTranslate } from '#web/i18n/useTranslate.ts'
import { useAmounts } from '#web/usage/amounts.ts'
import styles from './usage.module.css'

/** What was used in four numbers. */
export function Figures({ table }: { table: UsageTable }) {
  const t = useTranslate()
  const amounts = useAmounts(table.currency)
  const language = useLanguage()
  const count = (value: number) => new Intl.NumberFormat(language).format(Math.round(value))
  const { sum, before, total, people, models } = table
  return (
    <section className={styles.figures}>
      <Figure label={t('usageTable.figure.asks')} value={amounts.asks(sum.asks)}>
        {before !== null && t('usageTable.samePart', { count: before.asks })}
      </Figure>
      <Figure label={t('usageTable.figure.tokens')} value={amounts.tokens(sum.tokens)}>
        {SOURCES.map(source => {
          const of = models.filter(model => model.source === source)
          const tokens = of.reduce((all, model) => all + model.tokens, 0)
          return (
            tokens > 0 && (
              <span key={source}>
                {t(`sources.${source}`)}{' '}
                <b>
                  {amounts.tokens(
                    tokens,
                    of.some(({ estimated }) => estimated),
                  )}
                </b>
              </span>
            )
          )
        })}
      </Figure>
      <Figure label={t('usageTable.figure.money')} value={amounts.money(sum.money)}>
        {sum.asks > 0 && sum.money > 0 && t('usageTable.averageCost', { money: amounts.money(sum.money / sum.asks) })}
      </Figure>
      <Figure
        label={t('usageTable.figure.people')}
        value={count(total)}
        of={t('usageTable.ofPeople', { count: people })}
      >
        {total > 0 &&
          t('usageTable.average', { count: t('usageTable.unit.asks', { count: Math.round(sum.asks / total) }) })}
      </Figure>
    </section>
  )
}

type FigureProps = { label: string; value: string; of?: string; children: ReactNode }

function Figure({ label, value, of, children }: FigureProps) {
  return (
    <div className={styles.figure}>
      <p className={styles.label}>{label}</p>
      <p className={styles.value}>
        {value} {of !== undefined && <small>{of}</small>}
      </p>
      <p className={styles.parts}>{children}</p>
    </div>
  )
}
