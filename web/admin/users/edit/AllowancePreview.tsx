import type { Verdict } from '#contract/allowance.ts'
import type { Source } from '#contract/models.ts'
import { keyOf, LIMITS, sourceOf } from '#web/users/allowance.ts'
import { useMomentText } from '#web/users/moments.ts'
import { useModelName } from '#web/foundation/portal.ts'
import { failureText } from '#web/foundation/failures.ts'
import { useTranslate, useTranslateMessage } from '#web/i18n/useTranslate.ts'
import { DrawerSection } from '../../drawer/rows.tsx'
import { useUserAllowance } from '../useUser.ts'
import styles from './edit.module.css'

/** What the person may ask now: each model, the reason if not, and when again. Evaluated by the server from what is stored, as for an ask. */
export function AllowancePreview({ id, source }: { id: number; source: Source }) {
  const t = useTranslate()
  const nameOf = useModelName()
  const { data, error } = useUserAllowance(id)
  const allowance = data === undefined ? null : sourceOf(data, source)
  return (
    <div data-testid="allowance-preview">
      <DrawerSection title={t('users.preview')}>
        {error !== null && (
          <p className={styles.hint}>
            {t('users.preview.failed')} {failureText(error)}
          </p>
        )}
        {allowance !== null && (
          <dl className={styles.verdicts}>
            {allowance.models.map(({ model, verdict }) => (
              <VerdictRow key={model} label={nameOf(model)} verdict={verdict} />
            ))}
            {allowance.models.length === 0 && <VerdictRow label={t('users.preview.any')} verdict={allowance.verdict} />}
            <VerdictRow label={t('users.preview.new')} verdict={allowance.new_conversation} />
          </dl>
        )}
        <p className={styles.hint}>{t('users.preview.help')}</p>
      </DrawerSection>
    </div>
  )
}

function VerdictRow({ label, verdict }: { label: string; verdict: Verdict }) {
  const t = useTranslate()
  const messageText = useTranslateMessage()
  const momentText = useMomentText()
  const { may_ask, message, values, opens_at } = verdict
  const key = keyOf(verdict)
  // Texts about the person; those of refusals address them.
  const reason = LIMITS.find(each => each === key)
  return (
    <div>
      <dt>{label}</dt>
      {may_ask ? (
        <dd className={styles.may}>{t('users.preview.may')}</dd>
      ) : (
        <dd className={styles.mayNot}>
          {reason !== undefined ? t(`users.why.${reason}`) : messageText(message ?? '', values)}
          {opens_at !== null && <span>{t('users.preview.opens', { time: momentText(opens_at) })}</span>}
        </dd>
      )}
    </div>
  )
}
