import type { ReactNode } from 'react'
import type { ValueOrigin } from '#contract/plans.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import styles from './values.module.css'

type OriginProps = {
  /** What it would be, and whose. Null: nothing is inherited. A blank text: that is not known. */
  inherited: { text: string; origin: ValueOrigin } | null
  /** The value belongs to the plan or person itself: how that is called. Null: it is inherited. */
  own: string | null
  /** An unsaved change: what the value was before, and the way back to that. */
  change?: { before: string; onUndo(): void } | undefined
  /** Back to inherited; where nothing is inherited, away. */
  onInherit?: (() => void) | undefined
  children?: ReactNode
}

/** The line under a value: whose it is, what it would be, and the way back. */
export function Origin({ inherited, own, change, onInherit, children }: OriginProps) {
  const t = useTranslate()
  const planName = usePlanName()
  const from = inherited === null || inherited.origin.from === 'own' ? null : planName(inherited.origin)
  return (
    <span className={styles.origin} data-testid="origin">
      {change !== undefined ? (
        <>
          <b className={styles.own}>{t('plans.changed')}</b>
          <span>{t('plans.was', { value: change.before })}</span>
          <button type="button" onClick={change.onUndo}>
            {t('kit.undo')}
          </button>
        </>
      ) : own === null ? (
        from !== null && <span>{t('plans.from', { plan: from })}</span>
      ) : (
        <>
          <b className={styles.own}>{own}</b>
          {inherited !== null && inherited.text !== '' && from !== null && (
            <span>{t('plans.wouldBe', { plan: from, value: inherited.text })}</span>
          )}
          {onInherit !== undefined && (
            <button type="button" data-testid="inherit" onClick={onInherit}>
              {t(inherited === null ? 'plans.remove' : 'plans.inherit')}
            </button>
          )}
        </>
      )}
      {children}
    </span>
  )
}

/** The default plan has the name of the language. */
export function usePlanName(): (plan: { plan_id?: number; id?: number; name: string }) => string {
  const t = useTranslate()
  return ({ plan_id, id, name }) => ((plan_id ?? id) === 1 && name === 'Default' ? t('plans.default') : name)
}
