import { Checkbox } from '@mantine/core'
import '@mantine/core/styles/Checkbox.layer.css'
import '@mantine/core/styles/InlineInput.layer.css'
import type { Source } from '#contract/models.ts'
import { useModelName, usePortal } from '#web/foundation/portal.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { isOfOneModel, useLimitRows, ValueLimitRow } from './fields/LimitList.tsx'
import { useShownSources } from './LimitsTab.tsx'
import styles from './plans.module.css'
import type { PlanForm } from './usePlanForm.ts'
import { Origin } from './values/Origin.tsx'
import { identityOf } from './values/plans.ts'

/** In place of a list: every enabled model, also those that are enabled later. */
const EVERY = '*'

/** Which models can be asked; each may have a count of its own. */
export function ModelsTab({ form }: { form: PlanForm }) {
  const t = useTranslate()
  const sources = useShownSources(form)
  return (
    <>
      <p className={styles.hint}>{t('plans.models.help')}</p>
      {sources.map(source => (
        <ModelList key={source} form={form} source={source} />
      ))}
    </>
  )
}

const listOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : []

function ModelList({ form, source }: { form: PlanForm; source: Source }) {
  const t = useTranslate()
  const portal = usePortal()
  const modelName = useModelName()
  const { changes, inherited, stored } = form
  const name = `${source}.available_models`
  const above = inherited(name)
  const own = changes.values[name] ?? null
  const chosen = listOf(own ?? above?.value)
  const enabled = [...new Set(portal?.models.filter(each => each.source === source).map(({ code }) => code))]
  const isEvery = chosen.includes(EVERY)
  const isChanged = changes.isChanged(name)
  const set = (codes: readonly string[]) => changes.change({ [name]: [...codes] })
  const textOf = (value: unknown) => {
    const codes = listOf(value)
    return codes.includes(EVERY) ? t('plans.models.every') : t('plans.models.count', { count: codes.length })
  }
  return (
    <section>
      <h3 className={styles.heading}>{t(`sources.${source}`)}</h3>
      <div className={styles.every} data-changed={isChanged || undefined}>
        <Checkbox
          label={t('plans.models.every')}
          checked={isEvery}
          onChange={event => set(event.currentTarget.checked ? [EVERY] : enabled)}
        />
        <Origin
          inherited={above === null ? null : { text: textOf(above.value), origin: above.origin }}
          own={own === null ? null : t('plans.own')}
          change={
            isChanged ? { before: textOf(stored(name) ?? above?.value), onUndo: () => changes.undo(name) } : undefined
          }
          onInherit={above === null ? undefined : () => changes.change({ [name]: null })}
        />
      </div>
      {[...new Set([...enabled, ...chosen.filter(code => code !== EVERY)])].map(code => (
        <ModelRow
          key={code}
          form={form}
          model={{ source, code, label: modelName(code) }}
          isOn={isEvery || chosen.includes(code)}
          onSwitch={isOn => {
            const before = isEvery ? enabled : chosen
            set(isOn ? [...before, code] : before.filter(each => each !== code))
          }}
        />
      ))}
    </section>
  )
}

type ModelRowProps = {
  form: PlanForm
  model: { source: Source; code: string; label: string }
  isOn: boolean
  onSwitch(isOn: boolean): void
}

function ModelRow({ form, model: { source, code, label }, isOn, onSwitch }: ModelRowProps) {
  const t = useTranslate()
  const rows = useLimitRows(
    form,
    identity => identity.source === source && isOfOneModel(identity) && identity.models?.[0] === code,
  )
  return (
    <div className={styles.model}>
      <Checkbox label={label} checked={isOn} onChange={event => onSwitch(event.currentTarget.checked)} />
      {isOn && rows.names.length === 0 && (
        <button
          type="button"
          className={styles.count}
          onClick={() => rows.add(source, { unit: 'asks', models: [code] })}
        >
          {t('plans.models.limit')}
        </button>
      )}
      {rows.names.map((name, at) => (
        <ValueLimitRow
          key={at}
          ofModel
          form={form}
          name={name}
          onBecome={next => identityOf(next).models?.[0] === code && rows.become(name, next)}
        />
      ))}
    </div>
  )
}
