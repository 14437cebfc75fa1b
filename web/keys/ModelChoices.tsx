import { useModelName } from '#web/foundation/portal.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { useToolModels } from './useToolModels.ts'
import styles from './keys.module.css'

type ModelChoicesProps = { chosen: readonly string[] | null; onChoose(models: readonly string[] | null): void }

/** All of them are no choice: what is added later may be asked as well. */
export function ModelChoices({ chosen, onChoose }: ModelChoicesProps) {
  const t = useTranslate()
  const models = useToolModels()
  const modelName = useModelName()
  if (models.length < 2) return null
  const isChosen = (code: string): boolean => chosen === null || chosen.includes(code)
  const toggle = (code: string) => {
    const next = models.filter(each => (each === code ? !isChosen(each) : isChosen(each)))
    // Those that are not offered at the moment stay chosen.
    const others = chosen?.filter(each => !models.includes(each)) ?? []
    onChoose(next.length === models.length ? null : [...others, ...next])
  }
  return (
    <fieldset className={styles.models}>
      <legend>{t('keys.models')}</legend>
      {models.map(code => (
        <label key={code}>
          <input type="checkbox" checked={isChosen(code)} onChange={() => toggle(code)} />
          {modelName(code)}
        </label>
      ))}
      {chosen?.length === 0 && <p role="alert">{t('keys.models.none')}</p>}
    </fieldset>
  )
}
