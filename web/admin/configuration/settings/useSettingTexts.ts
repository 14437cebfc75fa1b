import { useMemo } from 'react'
import { isKnownModel } from '#contract/models.ts'
import type { Translate } from '#web/i18n/dictionary.ts'
import { useTranslate, useTranslateMessage } from '#web/i18n/useTranslate.ts'
import type { Mistake } from './mistakes.ts'
import type { Row } from './rows.ts'
import { mayBeUnlimited, type Shape } from './shape.ts'
import { scaleFor, type ScaleName, writtenTime } from './units.ts'

export type SettingTexts = ReturnType<typeof settingTexts>

/** Names and helps by paths, and values in words. */
export function useSettingTexts(): SettingTexts {
  const t = useTranslate()
  const message = useTranslateMessage()
  return useMemo(() => settingTexts(t, message), [t, message])
}

/** `message` gives the text of a key that is made from a path, which no type can name. */
function settingTexts(t: Translate, message: (key: string) => string) {
  const nameOf = (path: string) => message(`config.${path}`)
  const helpOf = ({ path, shape }: Row) => {
    const help = message(`config.${path}.help`)
    return mayBeUnlimited(shape) ? t('settings.blankUnlimited', { help }) : help
  }
  const helpOfSection = (section: string) => message(`config.${section}.help`)
  const unitName = (scale: ScaleName) => t(`settings.unit.${scale}`)
  const partName = (path: string, part: string) => message(`config.${path}.${part}`)

  /** A value in words, such as "100 MB"; a list is joined. */
  function words(path: string, shape: Shape, value: unknown): string {
    if (value === null || value === undefined || value === '') return t('settings.notSet')
    switch (shape.kind) {
      case 'boolean':
        return t(value === true ? 'settings.on' : 'settings.off')
      case 'integer':
        return integerWords(shape, value)
      case 'choice':
        return partName(path, String(value))
      case 'text':
        return textWords(shape, String(value))
      case 'list':
        return listWords(path, shape, value)
      case 'mapping':
        return joined(entriesOf(value).map(([name, each]) => `${codeName(name)} → ${words(path, shape.value, each)}`))
      case 'group':
        return shape.fields.map(field => words(path, field.shape, Object(value)[field.name])).join(' · ')
    }
  }

  function integerWords(shape: Extract<Shape, { kind: 'integer' }>, value: unknown): string {
    if (value === -1 && mayBeUnlimited(shape)) return t('settings.unlimited')
    if (shape.unit === null || typeof value !== 'number') return String(value)
    const { name, factor } = scaleFor(shape.unit, value)
    return t(`settings.amount.${name}`, { count: value / factor })
  }

  function listWords(path: string, shape: Extract<Shape, { kind: 'list' }>, value: unknown): string {
    const items = Array.isArray(value) ? value.map(item => words(path, shape.item, item)) : []
    return joined(items)
  }

  const textWords = (shape: Extract<Shape, { kind: 'text' }>, text: string) =>
    shape.format === 'time' ? writtenTime(text) : shape.format === 'code' ? codeName(text) : text

  const joined = (items: readonly string[]) => (items.length === 0 ? t('settings.none') : items.join(', '))

  /** A model by its name where it has one in every language, else its code. */
  const codeName = (code: string) => (isKnownModel(code) ? t(`models.${code}`) : code)

  /** Why a value cannot be used, with the entry that is wrong. */
  function mistakeText({ path, shape }: Row, { key, values, at }: Mistake): string {
    // The slots of each key are filled by whoever makes the mistake.
    const said = (t as (key: string, values: Mistake['values']) => string)(key, values)
    const own = `config.${path}.wrong`
    // An address may have to be more than any address.
    const why = key === 'settings.wrong.address' && message(own) !== own ? message(own) : said
    const [step, part] = at
    if (step === undefined || step === '') return why
    const within = typeof part === 'string' ? t('settings.wrong.named', { name: partName(path, part), why }) : why
    if (typeof step === 'number') return t('settings.wrong.entry', { at: step + 1, why: within })
    return shape.kind === 'mapping' ? t('settings.wrong.named', { name: codeName(step), why }) : why
  }

  /** A refusal of the server: in the language of the page where the setting has a text for it. */
  function refusalText(path: string, msg: string): string {
    const key = `config.${path}.wrong`
    const text = message(key)
    return text === key ? msg : text
  }

  return { nameOf, helpOf, helpOfSection, unitName, partName, codeName, words, mistakeText, refusalText }
}

function entriesOf(value: unknown): [string, unknown][] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : []
}
