import { Button, Combobox, useCombobox } from '@mantine/core'
import '@mantine/core/styles/Combobox.layer.css'
import '@mantine/core/styles/ScrollArea.layer.css'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { MAX_PLUGINS } from '#contract/asking.ts'
import type { Plugin } from '#contract/plugins.ts'
import { failureText } from '#web/foundation/failures.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { IconCheck, IconX } from '#web/kit/icons.ts'
import { SmallIconButton } from '#web/kit/IconButton.tsx'
import type { AskFields } from '#web/sources/source.ts'
import { fitTogether, initialsOf, installedQuery, nameOf } from './plugin.ts'
import styles from './picker.module.css'

type PluginPickerProps = { chosen: readonly string[]; onChoose(plugin_ids: string[]): void }

/** The plugins of the shared accounts; at most three go into a conversation. */
export function PluginPicker({ chosen, onChoose }: PluginPickerProps) {
  const t = useTranslate()
  const id = useId()
  const { data, error, isFetching, refetch } = useQuery(installedQuery)
  const plugins = data?.items ?? []
  return (
    <div className={styles.field} data-testid="plugin-picker">
      <div className={styles.head}>
        <label htmlFor={id}>{t('newConversation.plugins')}</label>
        <span>{t('newConversation.chosenPlugins', { count: chosen.length, most: MAX_PLUGINS })}</span>
      </div>
      {error !== null && (
        <p className={styles.failed} role="alert">
          <span>
            {t('newConversation.pluginsNotLoaded')} {failureText(error)}
          </span>
          <Button variant="subtle" size="compact-xs" loading={isFetching} onClick={() => void refetch()}>
            {t('kit.retry')}
          </Button>
        </p>
      )}
      {error === null && data?.items.length === 0 && <p className={styles.hint}>{t('newConversation.noPlugins')}</p>}
      {error === null && (data === undefined || plugins.length > 0) && (
        <ChosenAndOthers id={id} plugins={plugins} loading={data === undefined} chosen={chosen} onChoose={onChoose} />
      )}
    </div>
  )
}

type Refused = 'count' | 'accounts'

function refusalOf(chosen: readonly string[], plugins: readonly Plugin[]): Refused | null {
  if (chosen.length > MAX_PLUGINS) return 'count'
  return fitTogether(plugins.filter(({ id }) => chosen.includes(id))) ? null : 'accounts'
}

type FieldProps = PluginPickerProps & { id: string; plugins: readonly Plugin[]; loading: boolean }

/** What is chosen as chips, and a field that finds the others. */
function ChosenAndOthers({ id, plugins, loading, chosen, onChoose }: FieldProps) {
  const t = useTranslate()
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() })
  const [words, setWords] = useState('')
  /** Why the last choice was not taken. */
  const [refused, setRefused] = useState<Refused | null>(null)
  const change = (next: string[]) => {
    setRefused(null)
    onChoose(next)
  }
  const toggle = (plugin_id: string) => {
    setWords('')
    if (chosen.includes(plugin_id)) {
      change(chosen.filter(other => other !== plugin_id))
      return
    }
    const next = [...chosen, plugin_id]
    const why = refusalOf(next, plugins)
    // The list covers what stands below it.
    if (why !== null || next.length === MAX_PLUGINS) combobox.closeDropdown()
    if (why === null) change(next)
    else setRefused(why)
  }
  const invitation = chosen.length === 0 ? 'plugins.choose' : 'plugins.chooseAnother'
  const placeholder = chosen.length === MAX_PLUGINS ? '' : t(loading ? 'plugins.loading' : invitation)
  const found = plugins.filter(plugin => hasWords(plugin, words))
  return (
    <>
      <Combobox store={combobox} onOptionSubmit={toggle} position="bottom-start" offset={4}>
        <Combobox.DropdownTarget>
          <div className={styles.box}>
            {chosen.map(plugin_id => (
              <Chip
                key={plugin_id}
                name={nameIn(plugins, plugin_id)}
                onRemove={() => change(chosen.filter(other => other !== plugin_id))}
              />
            ))}
            <Combobox.EventsTarget withExpandedAttribute>
              <input
                id={id}
                role="combobox"
                aria-expanded={combobox.dropdownOpened}
                aria-controls={combobox.listId ?? undefined}
                className={`bare-field ${styles.input}`}
                data-full={chosen.length === MAX_PLUGINS || undefined}
                autoComplete="off"
                maxLength={200}
                aria-describedby={refused === null ? undefined : `${id}-refused`}
                placeholder={placeholder}
                data-testid="plugin-search"
                value={words}
                onClick={() => combobox.openDropdown()}
                onBlur={() => combobox.closeDropdown()}
                onChange={event => {
                  setWords(event.currentTarget.value)
                  combobox.openDropdown()
                  combobox.updateSelectedOptionIndex()
                }}
                onKeyDown={event => {
                  if (event.key === 'Backspace' && words === '' && chosen.length > 0) change(chosen.slice(0, -1))
                }}
              />
            </Combobox.EventsTarget>
          </div>
        </Combobox.DropdownTarget>
        <Combobox.Dropdown>
          <Combobox.Options
            className={styles.options}
            mah={264}
            aria-label={t('newConversation.plugins')}
            aria-multiselectable
          >
            {found.map(plugin => (
              <OtherPlugin key={plugin.id} plugin={plugin} chosen={chosen.includes(plugin.id)} />
            ))}
            {found.length === 0 && (
              <Combobox.Empty>{loading ? t('plugins.loading') : t('plugins.noneFound', { words })}</Combobox.Empty>
            )}
          </Combobox.Options>
        </Combobox.Dropdown>
      </Combobox>
      {refused !== null && (
        <p id={`${id}-refused`} className={styles.refused} role="alert">
          {t(refused === 'count' ? 'errors.pluginsCountMoreThan3' : 'errors.pluginsOfDifferentAccounts')}
        </p>
      )}
    </>
  )
}

function Chip({ name, onRemove }: { name: string; onRemove(): void }) {
  const t = useTranslate()
  return (
    <span className={styles.chip} data-testid="chosen-plugin">
      <span className={styles.chipLogo} aria-hidden>
        {initialsOf(name)}
      </span>
      <span dir="auto" className={styles.chipName}>
        {name}
      </span>
      <SmallIconButton label={t('plugins.remove', { name })} onClick={onRemove}>
        <IconX size={14} aria-hidden />
      </SmallIconButton>
    </span>
  )
}

function OtherPlugin({ plugin, chosen }: { plugin: Plugin; chosen: boolean }) {
  const name = nameOf(plugin)
  return (
    <Combobox.Option value={plugin.id} active={chosen} aria-selected={chosen} className={styles.option}>
      <span className={styles.logo} aria-hidden>
        {initialsOf(name)}
      </span>
      <span className={styles.texts}>
        <b dir="auto">{name}</b>
        <span dir="auto">{plugin.manifest?.description_for_human}</span>
      </span>
      {chosen && <IconCheck size={16} aria-hidden />}
    </Combobox.Option>
  )
}

const nameIn = (plugins: readonly Plugin[], id: string): string => {
  const plugin = plugins.find(each => each.id === id)
  return plugin === undefined ? id : nameOf(plugin)
}

function hasWords(plugin: Plugin, words: string): boolean {
  const searched = words.trim().toLocaleLowerCase()
  const text = `${nameOf(plugin)} ${plugin.manifest?.description_for_human ?? ''} ${plugin.namespace ?? ''}`
  return text.toLocaleLowerCase().includes(searched)
}

const NONE: string[] = []

/** The plugins of a new conversation. */
export function PluginFields({ fields, onChange }: { fields: AskFields; onChange(fields: AskFields): void }) {
  return (
    <PluginPicker
      chosen={fields.openai_web_plugin_ids ?? NONE}
      onChoose={ids => onChange(ids.length > 0 ? { openai_web_plugin_ids: ids } : {})}
    />
  )
}
