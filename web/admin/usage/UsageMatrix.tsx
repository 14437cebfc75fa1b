import { type Source, SOURCES } from '#contract/models.ts'
import type { UsageTable, Used } from '#contract/usage.ts'
import { UserAvatar } from '#web/admin/shell/UserAvatar.tsx'
import type { ListAddress } from '#web/admin/table/useListAddress.ts'
import { useModelName } from '#web/foundation/portal.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { IconArrowDown, IconArrowUp } from '#web/kit/icons.ts'
import { useAmounts } from '#web/usage/amounts.ts'
import { type MatrixRow, matrixOf } from './matrix.ts'
import styles from './usage.module.css'

type MatrixProps = { table: UsageTable; address: ListAddress; onShowOthers: (() => void) | null }

/** Person by model: asks and tokens in each cell, sums right and below. A person opens the statement of the month. */
export function UsageMatrix({ table, address, onShowOthers }: MatrixProps) {
  const t = useTranslate()
  const { rows, others, columns, sum } = matrixOf(table)
  if (rows.length === 0) return <p className={styles.none}>{t('usageTable.none')}</p>
  const most = Math.max(...rows.map(row => row.sum.asks))
  return (
    <div className={styles.scroll} tabIndex={0} role="group" aria-label={t('admin.usage')}>
      <table className={styles.matrix} data-testid="usage-table">
        <Head table={table} address={address} />
        <tbody>
          {rows.map(row => (
            <tr key={row.user_id ?? 'gone'}>
              <th scope="row">
                <Person row={row} onOpen={address.open} />
              </th>
              <Cells row={row} columns={columns} most={most} currency={table.currency} />
            </tr>
          ))}
          {others !== null && (
            <tr>
              <th scope="row">
                {onShowOthers === null ? (
                  <span className={styles.quiet}>{t('usageTable.others', { count: others.people })}</span>
                ) : (
                  <button type="button" className={styles.quiet} onClick={onShowOthers}>
                    {t('usageTable.showOthers', { count: others.people })}
                  </button>
                )}
              </th>
              <Cells row={others} columns={columns} most={most} currency={table.currency} />
            </tr>
          )}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{t('usageTable.sum')}</th>
            <Cells row={sum} columns={columns} most={null} currency={table.currency} />
          </tr>
        </tfoot>
      </table>
    </div>
  )
}

function Person({ row: { user_id, nickname }, onOpen }: { row: MatrixRow; onOpen(row: string): void }) {
  const t = useTranslate()
  if (user_id === null || nickname === null) return <span className={styles.quiet}>{t('usageTable.gone')}</span>
  return (
    <button
      type="button"
      className={styles.person}
      title={t('usageTable.statementOf', { nickname })}
      onClick={() => onOpen(String(user_id))}
    >
      <UserAvatar id={user_id} nickname={nickname} />
      <b>{nickname}</b>
    </button>
  )
}

const SORTABLE = ['asks', 'tokens', 'money'] as const

function Head({ table: { models }, address }: { table: UsageTable; address: ListAddress }) {
  const t = useTranslate()
  const nameOf = useModelName()
  const { sort = 'asks', order = 'desc' } = address.query
  const Arrow = order === 'asc' ? IconArrowUp : IconArrowDown
  const count = (source: Source) => models.filter(model => model.source === source).length
  return (
    <thead>
      <tr className={styles.groups}>
        <th scope="col" rowSpan={2}>
          {t('usageTable.person')}
        </th>
        {SOURCES.filter(source => count(source) > 0).map(source => (
          <th key={source} colSpan={count(source)} scope="colgroup">
            <span>{t(`sources.${source}`)}</span>
          </th>
        ))}
        <th colSpan={3} scope="colgroup">
          <span>{t('usageTable.sum')}</span>
        </th>
      </tr>
      <tr>
        {models.map(({ source, model }) => (
          <th key={`${source} ${model}`} scope="col">
            {nameOf(model)}
          </th>
        ))}
        {SORTABLE.map(column => (
          <th
            key={column}
            scope="col"
            aria-sort={column !== sort ? undefined : order === 'asc' ? 'ascending' : 'descending'}
          >
            <button
              type="button"
              onClick={() =>
                address.change({ sort: column, order: column === sort && order === 'desc' ? 'asc' : 'desc' })
              }
            >
              {t(`usageTable.${column}`)}
              {column === sort && <Arrow size={12} aria-hidden />}
            </button>
          </th>
        ))}
      </tr>
    </thead>
  )
}

type CellsProps = {
  row: Pick<MatrixRow, 'cells' | 'sum'>
  columns: readonly string[]
  /** The most asks of a row; null without a bar. */
  most: number | null
  currency: string
}

function Cells({ row: { cells, sum }, columns, most, currency }: CellsProps) {
  const amounts = useAmounts(currency)
  return (
    <>
      {columns.map(column => (
        <Cell key={column} used={cells.get(column)} currency={currency} />
      ))}
      <td className={styles.sum}>
        {most !== null && <progress value={sum.asks} max={Math.max(most, 1)} aria-hidden />}
        <b>{amounts.asks(sum.asks)}</b>
      </td>
      <td>{amounts.tokens(sum.tokens)}</td>
      <td>{sum.money === 0 ? '–' : amounts.money(sum.money)}</td>
    </>
  )
}

function Cell({ used, currency }: { used: Used | undefined; currency: string }) {
  const amounts = useAmounts(currency)
  if (used === undefined || used.asks === 0) return <td className={styles.nothing}>–</td>
  return (
    <td>
      <span>{amounts.asks(used.asks)}</span>
      <small>{amounts.tokens(used.tokens, used.estimated)}</small>
    </td>
  )
}
