import type { Table as TableNode, TableCell, TableRow, Nodes } from 'mdast'
import { memo, type ReactNode } from 'react'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import edges from './edges.module.css'
import styles from './table.module.css'
import type { Caret } from './caret.tsx'

type CellContent = (cell: TableCell, caret: Caret) => ReactNode
type TableProps = { node: TableNode; caret: Caret; cell: CellContent }

/** Scrolls sideways by itself. A row may have more cells than the head: all are shown. */
export function Table({ node, caret, cell }: TableProps) {
  const t = useTranslate()
  const [head, ...rows] = node.children
  const { align = null } = node
  const direction = directionOf(node)
  return (
    <div
      className={`${edges.edges} ${styles.table}`}
      dir={dirOf(direction)}
      tabIndex={0}
      role="group"
      aria-label={t('message.table')}
    >
      <table>
        <thead>
          <tr>
            {head?.children.map((child, column) => (
              <th key={column} scope="col" className={alignedBy(align?.[column])}>
                {inOwnDirection(child, direction, cell(child, rows.length === 0 ? caret : null))}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <Row
              key={at}
              row={row}
              align={align}
              direction={direction}
              caret={at === rows.length - 1 ? caret : null}
              cell={cell}
            />
          ))}
        </tbody>
      </table>
    </div>
  )
}

type RowProps = {
  row: TableRow
  align: TableNode['align']
  direction: Direction | null
  caret: Caret
  cell: CellContent
}

/** While a table grows, only its last row renders again. */
const Row = memo(function Row({ row, align, direction, caret, cell }: RowProps) {
  return (
    <tr>
      {row.children.map((child, column) => (
        <td key={column} className={alignedBy(align?.[column])}>
          {inOwnDirection(child, direction, cell(child, caret))}
        </td>
      ))}
    </tr>
  )
})

/**
 * Gives the words of a cell their own direction, but not the cell, which is aligned with its column. A figure runs left
 * to right, or its sign would follow it.
 */
function inOwnDirection(cell: TableCell, direction: Direction | null, content: ReactNode): ReactNode {
  const own = directionOf(cell) ?? 'ltr'
  return own === (direction ?? 'ltr') ? content : <bdi dir={own}>{content}</bdi>
}

function alignedBy(align: 'left' | 'right' | 'center' | null | undefined): string | undefined {
  return align === 'right' || align === 'center' ? styles[align] : undefined
}

const LETTER = /\p{L}/u
const RIGHT_TO_LEFT = /[\u0590-\u08FF\uFB1D-\uFDCF\uFDF0-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u

export type Direction = 'ltr' | 'rtl'

/** By the first letter of the text, apart from code and formulas. Null where there is no letter. */
export function directionOf(node: Nodes): Direction | null {
  if (node.type === 'text') return directionOfText(node.value)
  if (!('children' in node)) return null
  for (const child of node.children) {
    const direction = directionOf(child)
    if (direction) return direction
  }
  return null
}

function directionOfText(text: string): Direction | null {
  const letter = LETTER.exec(text)?.[0]
  if (letter === undefined) return null
  return RIGHT_TO_LEFT.test(letter) ? 'rtl' : 'ltr'
}

/**
 * The `dir` of a container of blocks. `auto` ignores blocks that have a direction of their own, so right-to-left is
 * explicit; without letters it is inherited.
 */
export function dirOf(direction: Direction | null): 'rtl' | 'auto' | undefined {
  if (direction === null) return undefined
  return direction === 'rtl' ? 'rtl' : 'auto'
}
