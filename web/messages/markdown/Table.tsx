import type { Table as TableNode, TableCell } from 'mdast'
import type { ReactNode } from 'react'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import edges from './edges.module.css'
import styles from './table.module.css'

type TableProps = { node: TableNode; cell: (cell: TableCell) => ReactNode }

/** Scrolls sideways on its own; columns of figures keep to the right. As GFM says, a row's cells beyond those of the head are ignored. */
export function Table({ node, cell }: TableProps) {
  const t = useTranslate()
  const [head, ...rows] = node.children
  const columns = head?.children.length
  const aligned = (column: number) => {
    const align = node.align?.[column]
    return align === 'right' || align === 'center' ? styles[align] : undefined
  }
  return (
    <div className={`${edges.edges} ${styles.table}`} tabIndex={0} role="group" aria-label={t('message.table')}>
      <table>
        <thead>
          <tr>{head?.children.map((child, column) => <th key={column} scope="col" className={aligned(column)}>{cell(child)}</th>)}</tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <tr key={at}>
              {row.children.slice(0, columns).map((child, column) => <td key={column} className={aligned(column)}>{cell(child)}</td>)}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
