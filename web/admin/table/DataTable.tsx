import { Button } from '@mantine/core'
import {
  Fragment,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  useDeferredValue,
  useId,
  useMemo,
  useState,
} from 'react'
import { DRAWER } from '#web/admin/drawer/Drawer.tsx'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { IconArrowDown, IconArrowUp } from '#web/kit/icons.ts'
import { NotLoaded } from '#web/kit/NotLoaded.tsx'
import styles from './table.module.css'
import { isFiltered, withoutFilters } from './useListAddress.ts'
import type { List } from './useList.ts'

export type Column<Row> = {
  /** Also the `sort` of the query, if the column is `sortable`. */
  key: string
  title: string
  render(row: Row): ReactNode
  /** The direction of the first click on its head. */
  sortable?: 'asc' | 'desc'
  align?: 'right'
  /** It takes the remaining width, and its text is truncated. Default: the first column. */
  grow?: boolean
  /** It is hidden when the table is narrower than this many px. */
  hideBelow?: 600 | 700 | 800 | 900 | 1000
  /** Rows that follow each other and have the same text stand under one head with it. */
  headOf?(row: Row): string
  /**
   * Its position on a phone, where a row has two lines: `title` and `state` in the first, `detail` and `aside` in the
   * second. Default: hidden.
   */
  phone?: 'title' | 'state' | 'detail' | 'aside'
}

type DataTableProps<Row> = {
  /** What the rows are, for screen readers. */
  label: string
  columns: readonly Column<Row>[]
  list: List<Row>
  /** Rows have check boxes. */
  selection?: Selection
  /** Shown when the list is empty: a sentence, and what to do. */
  empty: ReactNode
}

/**
 * The rows of a list, which can be sorted, ticked, and opened in the drawer. Its parent (`ListLayout`) sets its height
 * and scrolls it.
 */
export function DataTable<Row>({ label, columns, list, selection, empty }: DataTableProps<Row>) {
  if (list.phase !== 'shown' || list.rows.length === 0) return <InsteadOfRows list={list} empty={empty} />
  return (
    <table
      className={list.linked ? `${styles.table} ${styles.linked}` : styles.table}
      aria-label={label}
      aria-busy={list.outdated}
      data-testid="admin-table"
    >
      <thead>
        <tr>
          {selection !== undefined && <SelectPage list={list} selection={selection} />}
          {columns.map(column => (
            <Head key={column.key} column={column} list={list} />
          ))}
        </tr>
      </thead>
      <tbody>
        <Rows columns={columns} list={list} selection={selection} />
      </tbody>
    </table>
  )
}

/** Rows that are rendered in the first frame; the others follow in the next. */
const FIRST_ROWS = 10

function Rows<Row>({ columns, list, selection }: Pick<DataTableProps<Row>, 'columns' | 'list' | 'selection'>) {
  const rows = useDeferredValue(list.rows, list.rows.slice(0, FIRST_ROWS))
  const headOf = columns.find(column => column.headOf !== undefined)?.headOf
  const heads = headOf === undefined ? [] : rows.map(headOf)
  return rows.map((row, at) => (
    <Fragment key={list.keyOf(row)}>
      {heads[at] !== undefined && heads[at] !== heads[at - 1] && (
        <tr className={styles.group} data-testid="row-group">
          <td colSpan={columns.length + (selection === undefined ? 0 : 1)}>{heads[at]}</td>
        </tr>
      )}
      <TableRow row={row} columns={columns} list={list} selection={selection} />
    </Fragment>
  ))
}

/** Ticks all rows of the page. */
function SelectPage<Row>({ list, selection: { keys, select } }: { list: List<Row>; selection: Selection }) {
  const t = useTranslate()
  const shown = list.rows.map(row => list.keyOf(row))
  const count = shown.filter(key => keys.has(key)).length
  return (
    <th className={styles.tick} scope="col">
      <CheckBox
        label={t('table.selectPage')}
        shownOnPhone
        checked={count === shown.length}
        indeterminate={count > 0 && count < shown.length}
        onChange={selected => select(shown, selected)}
      />
    </th>
  )
}

function Head<Row>({ column, list }: { column: Column<Row>; list: List<Row> }) {
  const { key, title, sortable } = column
  const sorted = list.sorted.sort === key ? list.sorted.order : null
  const next = sorted === null ? sortable : sorted === 'asc' ? 'desc' : 'asc'
  const Arrow = sorted === 'asc' ? IconArrowUp : IconArrowDown
  return (
    <th
      scope="col"
      className={classesOf(column)}
      aria-sort={sorted === null ? undefined : sorted === 'asc' ? 'ascending' : 'descending'}
    >
      {next === undefined ? (
        title
      ) : (
        <button type="button" className={styles.sort} onClick={() => list.address.change({ sort: key, order: next })}>
          {title}
          {sorted !== null && <Arrow size={14} aria-hidden />}
        </button>
      )}
    </th>
  )
}

type TableRowProps<Row> = {
  row: Row
  columns: readonly Column<Row>[]
  list: List<Row>
  selection: Selection | undefined
}

function TableRow<Row>({ row, columns, list, selection }: TableRowProps<Row>) {
  const t = useTranslate()
  const id = useId()
  const key = list.keyOf(row)
  const opened = list.address.opened === key
  const selected = selection?.keys.has(key) === true
  const openFrom = (event: MouseEvent<HTMLElement>) => {
    if (!isForControl(event.target) && window.getSelection()?.isCollapsed !== false) list.address.open(key)
  }
  return (
    <tr
      data-testid={list.test_id ?? 'admin-row'}
      data-key={key}
      data-selected={selected || undefined}
      aria-current={opened || undefined}
      onClick={list.linked ? undefined : openFrom}
      onKeyDown={list.linked ? event => moveBetweenRows(event, list) : undefined}
    >
      {selection !== undefined && (
        <td className={styles.tick}>
          <CheckBox
            label={t('table.selectRow')}
            describedBy={id}
            checked={selected}
            onChange={now => selection.select([key], now)}
          />
        </td>
      )}
      {columns.map((column, at) => (
        <td key={column.key} id={at === 0 ? id : undefined} className={classesOf(column)}>
          {at === 0 && !list.linked ? (
            <button
              type="button"
              className={styles.opener}
              aria-expanded={opened}
              aria-controls={opened ? DRAWER : undefined}
              onKeyDown={event => moveBetweenRows(event, list)}
              // A second press focuses the drawer, which by Tab comes only after all other rows.
              onClick={() => (opened ? document.getElementById(DRAWER)?.focus() : list.address.open(key))}
            >
              {column.render(row)}
            </button>
          ) : (
            column.render(row)
          )}
        </td>
      ))}
    </tr>
  )
}

/** Up and down go from row to row. While the drawer is open it follows, and Escape closes it. */
function moveBetweenRows<Row>(event: KeyboardEvent<HTMLElement>, { rows, keyOf, address }: List<Row>): void {
  if (event.key === 'Escape' && address.opened !== null) return address.open(null)
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
  if (step === 0 || !(event.target instanceof HTMLElement)) return
  const here = event.target.closest('tr')
  const at = rows.findIndex(row => keyOf(row) === here?.dataset.key)
  const next = rows[at + step]
  if (at === -1 || next === undefined) return
  event.preventDefault()
  const beside = here?.parentElement?.querySelector(`[data-key="${CSS.escape(keyOf(next))}"]`)
  beside?.querySelector<HTMLElement>('a, button')?.focus()
  if (address.opened !== null) address.open(keyOf(next))
}

/** Shown in place of the rows: loading, an empty list, no match, or a failure. */
function InsteadOfRows<Row>({ list, empty }: { list: List<Row>; empty: ReactNode }) {
  const t = useTranslate()
  const { query, change } = list.address
  if (list.error !== null && list.phase === 'failed')
    return <NotLoaded title={t('table.failed')} error={list.error} onRetry={list.reload} />
  if (list.phase === 'loading')
    return (
      <div className={styles.loading} role="status" aria-label={t('table.loading')}>
        <i />
        <i />
        <i />
      </div>
    )
  if (list.page.number > list.page.last)
    return (
      <div className={styles.empty}>
        <p>{t('table.behindLast')}</p>
        <Button variant="default" size="xs" onClick={() => change({})}>
          {t('table.firstPage')}
        </Button>
      </div>
    )
  if (!isFiltered(query)) return <div className={styles.empty}>{empty}</div>
  return (
    <div className={styles.empty}>
      <p>{query.words === undefined ? t('table.noneLikeThis') : t('table.noneWithWords', { words: query.words })}</p>
      <Button variant="default" size="xs" onClick={() => change(withoutFilters(query))}>
        {t('table.showAll')}
      </Button>
    </div>
  )
}

function classesOf<Row>({ align, grow, hideBelow, phone }: Column<Row>): string {
  const names = [
    align === 'right' && styles.right,
    grow === true && styles.grow,
    hideBelow !== undefined && styles[`below${hideBelow}`],
    phone === undefined ? styles.nowhere : styles[phone],
  ]
  return names.filter(Boolean).join(' ')
}

function isForControl(target: EventTarget): boolean {
  return target instanceof Element && target.closest('a, button, input, label, select, textarea, [role=menu]') !== null
}

type CheckBoxProps = {
  label: string
  /** On a phone the label stands beside the box. */
  shownOnPhone?: boolean
  /** The id of the element that names the row. */
  describedBy?: string
  checked: boolean
  indeterminate?: boolean
  onChange(checked: boolean): void
}

/** A native check box: a page may have two hundred of them. */
export function CheckBox(props: CheckBoxProps) {
  const { label, shownOnPhone = false, describedBy, checked, indeterminate = false, onChange } = props
  return (
    <label className={styles.checkBox}>
      <input
        type="checkbox"
        aria-label={label}
        aria-describedby={describedBy}
        checked={checked}
        ref={input => {
          if (input !== null) input.indeterminate = indeterminate
        }}
        onChange={event => onChange(event.currentTarget.checked)}
      />
      {shownOnPhone && <span aria-hidden="true">{label}</span>}
    </label>
  )
}

/** The keys of the ticked rows, kept across pages. */
export type Selection = {
  keys: ReadonlySet<string>
  select(keys: readonly string[], selected: boolean): void
  clear(): void
}

export function useSelection(): Selection {
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set())
  return useMemo(
    () => ({
      keys,
      select: (changed, selected) =>
        setKeys(
          before => new Set(selected ? [...before, ...changed] : [...before].filter(key => !changed.includes(key))),
        ),
      clear: () => setKeys(new Set()),
    }),
    [keys],
  )
}
