import { PAGE_SIZES } from '#contract/paging.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { IconButton } from '#web/kit/IconButton.tsx'
import { IconChevronDown, IconChevronLeft, IconChevronRight } from '#web/kit/icons.ts'
import { MenuButton } from '#web/kit/MenuButton.tsx'
import styles from './pager.module.css'
import type { List } from './useList.ts'

type PagedList = Pick<List<unknown>, 'phase' | 'rows' | 'total' | 'page' | 'address'>

/** The foot of a list: which rows are shown, and links to the other pages. */
export function Pager({ list }: { list: PagedList }) {
  const t = useTranslate()
  const { total, page, rows, address } = list
  if (list.phase !== 'shown' || total === 0) return null
  const first = (page.number - 1) * page.size + 1
  const go = (number: number) => address.change({ page: number === 1 ? undefined : String(number) })
  return (
    <nav className={styles.pager} aria-label={t('table.pages')}>
      <span className={styles.range}>
        {rows.length > 0 && t('table.range', { first, last: Math.min(total, first + rows.length - 1), total })}
      </span>
      <MenuButton
        label={t('table.size', { count: page.size })}
        className={styles.size}
        entries={PAGE_SIZES.map(size => ({
          label: t('table.size', { count: Number(size) }),
          chosen: Number(size) === page.size,
          run: () => address.change({ size }),
        }))}
      >
        {t('table.size', { count: page.size })}
        <IconChevronDown size={14} aria-hidden />
      </MenuButton>
      {page.last > 1 && <Pages page={page} onPage={go} />}
    </nav>
  )
}

/** The numbers of the pages, and the ways to the one before and the one after. */
export function Pages({
  page,
  onPage,
}: {
  page: Pick<PagedList['page'], 'number' | 'last'>
  onPage(number: number): void
}) {
  const t = useTranslate()
  return (
    <span className={styles.pages}>
      <IconButton
        label={t('table.previousPage')}
        size={30}
        disabled={page.number <= 1}
        onClick={() => onPage(page.number - 1)}
      >
        <IconChevronLeft size={16} aria-hidden />
      </IconButton>
      {pagesShown(page.number, page.last).map((number, at) =>
        number === null ? (
          <span key={`gap ${at}`} className={styles.gap} aria-hidden>
            …
          </span>
        ) : (
          <button
            key={number}
            type="button"
            className={styles.page}
            aria-label={t('table.page', { number })}
            aria-current={number === page.number ? 'page' : undefined}
            onClick={() => onPage(number)}
          >
            {number.toLocaleString('en-US')}
          </button>
        ),
      )}
      <IconButton
        label={t('table.nextPage')}
        size={30}
        disabled={page.number >= page.last}
        onClick={() => onPage(page.number + 1)}
      >
        <IconChevronRight size={16} aria-hidden />
      </IconButton>
    </span>
  )
}

/**
 * The page numbers to show: first, last and those around the current one; null for a gap. Always the same number, so
 * that nothing shifts.
 */
export function pagesShown(number: number, last: number): (number | null)[] {
  if (last <= 7) return Array.from({ length: last }, (_, at) => at + 1)
  if (number <= 4) return [1, 2, 3, 4, 5, null, last]
  if (number > last - 4) return [1, null, last - 4, last - 3, last - 2, last - 1, last]
  return [1, null, number - 1, number, number + 1, null, last]
}
