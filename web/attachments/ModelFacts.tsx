import { useMemo } from 'react'
import { NEW_CONVERSATION } from '#contract/conversations.ts'
import type { ModelChoice } from '#contract/models.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { useDrafts } from './drafts.ts'
import { Facts } from './ModelMenu.tsx'
import { modelProblems } from './modelProblems.ts'
import styles from './models.module.css'
import { planned } from './weights.ts'

/** Where a model is chosen for a new conversation: the heads of the columns, or what the model can. */
export function ModelFacts({ model }: { model: ModelChoice | null }) {
  return model === null ? <Heads /> : <OfModel model={model} />
}

function Heads() {
  const t = useTranslate()
  return (
    <div className={styles.optionHeads} aria-hidden>
      <span>{t('attachments.columnPictures')}</span>
      <span>{t('attachments.columnFiles')}</span>
      <span>{t('attachments.contextLabel')}</span>
    </div>
  )
}

function OfModel({ model }: { model: ModelChoice }) {
  const t = useTranslate()
  const attachments = useDrafts(all => all[NEW_CONVERSATION])
  const problems = useMemo(
    () => modelProblems(model, { plan: planned(attachments ?? [], 0, model, []), question: 0 }, t),
    [attachments, model, t],
  )
  return (
    <>
      <span className={styles.optionFacts}>
        <Facts model={model} />
      </span>
      {problems.length > 0 && <small className={styles.optionProblem}>{problems.join(t('attachments.comma'))}</small>}
    </>
  )
}
