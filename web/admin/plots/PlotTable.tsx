import { useTranslate } from '#web/i18n/useTranslate.ts'
import { type PlotLook, spanText } from './plotted.ts'
import type { DrawnSeries, PlotData } from './plotData.ts'
import styles from './plots.module.css'

type PlotTableProps = { title: string; look: PlotLook; data: PlotData; series: readonly DrawnSeries[] }

/** The same as the plot, for whoever reads numbers: the latest first, and only buckets in which there was something. */
export function PlotTable({ title, look, data, series }: PlotTableProps) {
  const t = useTranslate()
  const show = (value: number | null | undefined) => (value === null || value === undefined ? '–' : look.format(value))
  const buckets = Array.from({ length: data.count }, (_, at) => data.count - 1 - at).filter(at =>
    series.some(({ values }) => (values[at] ?? 0) !== 0),
  )
  return (
    <div className={styles.table} data-testid="plot-table">
      <table aria-label={title}>
        <thead>
          <tr>
            <th scope="col">{t('plots.time')}</th>
            {series.map(({ key, label }) => (
              <th key={key} scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {buckets.map(at => (
            <tr key={at}>
              <th scope="row">{spanText(data, at)}</th>
              {series.map(({ key, values }) => (
                <td key={key}>{show(values[at])}</td>
              ))}
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{t('plots.whole')}</th>
            {series.map(({ key, whole }) => (
              <td key={key}>{show(whole)}</td>
            ))}
          </tr>
        </tfoot>
      </table>
    </div>
  )
}
