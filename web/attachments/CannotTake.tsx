import { Button } from '@mantine/core'
import { useModelName } from '#web/foundation/portal.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { IconPhoto } from '#web/kit/icons.ts'
import type { QuestionDraft } from '#web/sources/source.ts'
import type { AttachedAs } from '#contract/asking.ts'
import styles from './attachments.module.css'
import { change, removeFrom } from './drafts.ts'
import { modelOf, othersOf, useShared } from './plan.ts'
import { type Plan, type Planned, roomOf, takes } from './weights.ts'
import { cancel } from './work.ts'

/** Above the composer, joined to it: what the model does not take, which one does, and what else can be done. */
export function CannotTake({ draft }: { draft: QuestionDraft }) {
  const t = useTranslate()
  const modelName = useModelName()
  const { plan } = useShared(draft)
  const untaken = untakenBy(draft, plan)
  if (untaken === null) return null
  const { as, attachments } = untaken
  const other = modelFor(draft, plan)
  const texts = attachments.filter(hasText)
  const rest = attachments.filter(planned => !hasText(planned))
  const drop = () => {
    for (const { attachment } of rest) {
      cancel(attachment.id)
      removeFrom(draft.conversation, attachment.id)
    }
  }
  const asText = () => {
    for (const { attachment } of texts) change(attachment.id, now => ({ ...now, as: 'text', remedy: null }))
  }
  return (
    <div className={styles.head} data-testid="cannot-take">
      <IconPhoto size={18} stroke={1.6} aria-hidden className={styles.headIcon} />
      <p role="status">
        {t(as === 'picture' ? 'attachments.seesNone' : 'attachments.takesNoFiles', { model: modelName(draft.model) })}
      </p>
      <div className={styles.headActions}>
        {other !== null && (
          <Button size="xs" variant="default" onClick={() => draft.choose(other)}>
            {t('attachments.changeTo', { model: modelName(other) })}
          </Button>
        )}
        {texts.length > 0 && (
          <Button size="xs" variant="subtle" color="gray" onClick={asText}>
            {t('attachments.sendAsText')}
          </Button>
        )}
        {rest.length > 0 && (
          <Button size="xs" variant="subtle" color="gray" onClick={drop}>
            {t(as === 'picture' ? 'attachments.dropPictures' : 'attachments.dropFiles', { count: rest.length })}
          </Button>
        )}
      </div>
    </div>
  )
}

type Untaken = { as: AttachedAs; attachments: Planned[] }

/** Null where the model takes all of them, or where nobody knows whether it does. */
export function untakenBy(draft: QuestionDraft, { attachments }: Plan): Untaken | null {
  const model = modelOf(draft)
  const untaken = attachments.filter(
    ({ form, attachment }) => model !== null && attachment.state.phase !== 'gone' && takes(model, form.as) === false,
  )
  const as = untaken[0]?.form.as
  return as === undefined ? null : { as, attachments: untaken }
}

/** Whether it can go as text instead. */
const hasText = ({ attachment: { content } }: Planned): boolean =>
  content?.kind === 'document' && content.tokens !== null

/** The first model that takes all of it and has room for it. One that is known to take it goes before one that may. */
export function modelFor(draft: QuestionDraft, { attachments, tokens }: Plan): string | null {
  const fits = othersOf(draft).filter(model => (roomOf(model) ?? Infinity) >= tokens)
  const known = fits.find(model => attachments.every(({ form }) => takes(model, form.as) === true))
  const maybe = fits.find(model => attachments.every(({ form }) => takes(model, form.as) !== false))
  return (known ?? maybe)?.code ?? null
}
