import { useCallback } from 'react'
import type { AuditRow } from '#contract/audit.ts'
import { useFieldNames } from '#web/admin/plans/fields/useFieldNames.ts'
import { identityOf } from '#web/admin/plans/values/plans.ts'
import { useLimitTexts } from '#web/admin/plans/values/limitTexts.ts'
import { formatTimeOfDay } from '#web/foundation/times.ts'
import { SOURCES } from '#contract/models.ts'
import { useTranslate, useTranslateMessage } from '#web/i18n/useTranslate.ts'

import { affectedBy, type AuditChange, auditChanges } from './auditChanges.ts'

/** One field of a change, in words. */
export type Difference = { field: string; before: string; after: string }

/** What was done, and each field with what it was and is. */
export function useAuditWords() {
  const t = useTranslate()
  const tm = useTranslateMessage()
  /** The name of a setting or field; as it is where there is none. */
  const fieldName = useCallback(
    (field: string): string => {
      const named = (key: string): string | null => (tm(key) === key ? null : tm(key))
      const setting = named(`config.${field}`)
      if (setting !== null) return setting
      const source = SOURCES.find(each => field.startsWith(`${each}.`))
      const [own = '', ...model] = (source === undefined ? field : field.slice(source.length + 1)).split('.')
      const name = named(`audit.field.${own}`) ?? own
      const words = model.length === 0 || model.join('.') === '' ? name : `${name} ${model.join('.')}`
      return source === undefined ? words : `${t(`sources.${source}`)}${t('kit.comma')}${words}`
    },
    [t, tm],
  )
  const valueText = useCallback(
    (value: unknown, action: string): string => {
      if (value === null || value === undefined)
        return action === 'user.limits' ? t('audit.inherited') : t('audit.nothing')
      if (typeof value === 'boolean') return value ? t('audit.on') : t('audit.off')
      if (value === -1) return t('audit.unlimited')
      if (value === 'for ever') return t('audit.forEver')
      if (Array.isArray(value) && value.every(each => typeof each === 'string')) return value.join(t('kit.comma'))
      if (typeof value === 'object') return JSON.stringify(value)
      return String(value)
    },
    [t],
  )
  const planWords = useFieldNames()
  const { limitText } = useLimitTexts()
  const nameText = ({ name, kind }: AuditChange): string => {
    if (kind === 'value') return planWords.nameText(name)
    return kind === 'limit' ? fieldName(`${identityOf(name).source}.limits`) : fieldName(name)
  }
  const changeText = ({ name, kind }: AuditChange, value: unknown, action: string): string => {
    if (kind === 'field') return valueText(value, action)
    if (value === null) return t('audit.inherited')
    return kind === 'limit' ? limitText(identityOf(name), Number(value)) : planWords.valueText(name, value)
  }
  const differences = (row: AuditRow): Difference[] =>
    auditChanges(row).map(change => ({
      field: nameText(change),
      before: row.before === null ? '' : changeText(change, change.before, row.action),
      after: row.after === null ? '' : changeText(change, change.after, row.action),
    }))
  /** Under what was done: of what, and how many; or who has undone it. */
  const details = (row: AuditRow): string | null => {
    if (row.undone_by !== null) {
      const { time, name } = row.undone_by
      return t('audit.undo.by', { time: formatTimeOfDay(new Date(time)), name: name ?? t('audit.unknown') })
    }
    const said = row.after?.['text']
    if (typeof said === 'string' && said !== '') return t('audit.because', { text: said })
    const names = [...new Set(auditChanges(row).map(nameText))]
    if (names.length === 0) return null
    const { blocked = 0, gained = 0, changed = 0 } = affectedBy(row) ?? {}
    const reached = blocked + gained + changed
    return [
      names.length > MAX_NAMED ? t('audit.more', { count: names.length }) : names.join(t('kit.comma')),
      ...(reached > 0 ? [t('audit.people', { count: reached })] : []),
    ].join(t('kit.comma'))
  }
  const what = useCallback(
    ({ action, subject }: AuditRow): string => {
      const section = subject.kind === 'setting' ? tm(`config.${subject.id}`) : null
      return t(`audit.actions.${action}`, { subject: section ?? subject.name ?? subject.id ?? t('audit.unknown') })
    },
    [t, tm],
  )
  const who = useCallback(
    ({ actor: { kind, name } }: AuditRow): string => {
      if (kind === 'user') return name ?? t('audit.unknown')
      return name === null ? t(`audit.kind.${kind}`) : `${t(`audit.kind.${kind}`)} ${name}`
    },
    [t],
  )
  return { differences, details, what, who }
}

/** Fields that a row names; of more it says how many there are. */
const MAX_NAMED = 2

/** "Firefox, Linux" of what a browser says of itself; the beginning of it where that is not known. */
export function browserText(user_agent: string): string {
  const browser = /(Edg|OPR|Firefox|Chrome|Safari)\//.exec(user_agent)?.[1]
  const system = /(Windows|Android|iPhone|iPad|Mac OS X|Linux)/.exec(user_agent)?.[1]
  return browser === undefined ? user_agent.slice(0, 60) : [browser, system].filter(Boolean).join(', ')
}
