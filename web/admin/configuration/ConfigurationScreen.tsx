import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import * as z from 'zod/mini'
import { AskBeforeLeaving } from '../form/AskBeforeLeaving.tsx'
import { Page } from '../shell/Page.tsx'
import { SearchField } from '../table/SearchField.tsx'
import { useListAddress } from '../table/useListAddress.ts'
import { reportFailure } from '#web/foundation/failures.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { IconDownload } from '#web/kit/icons.ts'
import { Note } from '#web/kit/Note.tsx'
import { NotLoaded } from '#web/kit/NotLoaded.tsx'
import { saveFile } from '#web/foundation/saveFile.ts'
import styles from './configuration.module.css'
import { nameId } from './controls/controlProps.ts'
import { exportedSettings, exportName, type SettingsForm } from './settings/form.ts'
import { ROW_SECTIONS, type RowSection } from './settings/rows.ts'
import { KeepingPreview } from './keeping/KeepingPreview.tsx'
import { KeepingTable } from './keeping/KeepingTable.tsx'
import { SaveBar } from './SaveBar.tsx'
import { SettingRow } from './SettingRow.tsx'
import { configurationQuery, credentialsQuery, useConfiguration } from './useConfiguration.ts'
import { type SettingTexts, useSettingTexts } from './settings/useSettingTexts.ts'

/** The entries of the address. */
const ADDRESS = z.object({ words: z.optional(z.string().check(z.maxLength(200))) })

/** Every setting, drawn from the contract, with where its value comes from (the specification, section 2). */
export function ConfigurationScreen() {
  const t = useTranslate()
  const { query, change } = useListAddress(ADDRESS)
  const words = query.words ?? ''
  const texts = useSettingTexts()
  const sections = useMemo(() => foundSections(words, texts), [words, texts])
  const show = useShow(sections, () => change({ words: undefined }))
  const configuration = useConfiguration(show)
  return (
    <Page
      narrow
      title={t('admin.config')}
      context={t('settings.context')}
      actions={
        <div className={styles.actions}>
          <ExportButton />
          <SearchField label={t('settings.search')} words={words} onWords={next => change({ words: next })} />
        </div>
      }
    >
      {configuration === null && <NotRead />}
      {configuration !== null && sections.length === 0 && (
        <NoneFound words={words} onClear={() => change({ words: undefined })} />
      )}
      {configuration !== null && sections.length > 0 && (
        <div className={styles.body}>
          <Contents sections={sections} isChanged={configuration.isChanged} />
          <div>
            {sections.map(section => (
              <Section key={section.section} section={section} configuration={configuration} onShow={show} />
            ))}
          </div>
        </div>
      )}
      {configuration !== null && <SaveBar configuration={configuration} onShow={show} />}
      <AskBeforeLeaving count={configuration?.count ?? 0} />
    </Page>
  )
}

/** Why neither settings nor credentials can be shown. Both are needed. */
function NotRead() {
  const settings = useQuery(configurationQuery)
  const credentials = useQuery(credentialsQuery)
  const failed = [settings, credentials].find(({ data, error }) => data === undefined && error !== null)
  return failed?.error ? <NotLoaded error={failed.error} onRetry={failed.refetch} /> : null
}

function ExportButton() {
  const t = useTranslate()
  const queries = useQueryClient()
  const download = () =>
    queries
      .fetchQuery(configurationQuery)
      .then(read => saveFile(exportName(new Date()), exportedSettings(read)))
      .catch(reportFailure)
  return (
    <Button
      variant="subtle"
      color="gray"
      size="xs"
      leftSection={<IconDownload size={16} aria-hidden />}
      data-tip={t('settings.export.help')}
      onClick={download}
    >
      {t('settings.export')}
    </Button>
  )
}

function NoneFound({ words, onClear }: { words: string; onClear(): void }) {
  const t = useTranslate()
  return (
    <div className={styles.none} role="status">
      <p>{t('settings.noneFound', { words })}</p>
      <button type="button" onClick={onClear}>
        {t('settings.showAll')}
      </button>
    </div>
  )
}

type SectionProps = { section: RowSection; configuration: SettingsForm; onShow(path: string): void }

function Section({ section: { section, rows }, configuration, onShow }: SectionProps) {
  const { nameOf, helpOfSection } = useSettingTexts()
  return (
    <section className={styles.section} id={sectionId(section)} aria-labelledby={`${sectionId(section)}-title`}>
      <h2 id={`${sectionId(section)}-title`}>{nameOf(section)}</h2>
      <p>{helpOfSection(section)}</p>
      {section === 'keeping' && <KeepingPreview configuration={configuration} />}
      {section === 'new_users' ? (
        <DefaultPlanPointer />
      ) : (
        <div className={styles.card}>
          {section === 'keeping' ? (
            <KeepingTable rows={rows} configuration={configuration} onShow={onShow} />
          ) : (
            rows.map(row => <SettingRow key={row.path} row={row} configuration={configuration} />)
          )}
        </div>
      )}
    </section>
  )
}

/** What new people may is the default plan's. File and environment go on setting what that begins with. */
function DefaultPlanPointer() {
  const t = useTranslate()
  // The router's type is that of each route; the entries of an address are read as texts.
  return (
    <Note
      title={t('plans.pointer')}
      actions={
        <Link to="/admin/plan" search={{ open: '1' } as never} data-testid="default-plan">
          {t('plans.pointer.open')}
        </Link>
      }
    />
  )
}

/** Scrolls to the row of a setting; clears the search first when it hides the row. */
function useShow(sections: readonly RowSection[], showAll: () => void): (path: string) => void {
  const wanted = useRef<string | null>(null)
  useEffect(() => {
    if (wanted.current !== null && scrolledTo(wanted.current)) wanted.current = null
  }, [sections])
  return path => {
    if (scrolledTo(path)) return
    wanted.current = path
    showAll()
  }
}

function scrolledTo(path: string): boolean {
  const name = document.getElementById(nameId(path))
  name?.scrollIntoView({ block: 'center' })
  return name !== null
}

/** The sections with the rows that have each of the words in their name, help or path; all of them without words. */
function foundSections(words: string, texts: Pick<SettingTexts, 'nameOf' | 'helpOf'>): readonly RowSection[] {
  const wanted = words.toLocaleLowerCase().split(/\s+/).filter(Boolean)
  if (wanted.length === 0) return ROW_SECTIONS
  return ROW_SECTIONS.flatMap(({ section, rows }) => {
    const found = rows.filter(row => {
      const text = [texts.nameOf(section), texts.nameOf(row.path), texts.helpOf(row), row.path, row.variable]
        .join(' ')
        .toLocaleLowerCase()
      return wanted.every(word => text.includes(word))
    })
    return found.length === 0 ? [] : [{ section, rows: found }]
  })
}

const sectionId = (section: string) => `section-${section}`

type ContentsProps = { sections: readonly RowSection[]; isChanged(path: string): boolean }

/** The sections, with how many changes each has; the one that is being read is marked. */
function Contents({ sections, isChanged }: ContentsProps) {
  const t = useTranslate()
  const { nameOf } = useSettingTexts()
  const read = useSectionInView(sections)
  return (
    <nav className={styles.contents} aria-label={t('settings.sections')}>
      {sections.map(({ section, rows }) => {
        const count = rows.filter(({ path }) => isChanged(path)).length
        return (
          <a
            key={section}
            href={`#${sectionId(section)}`}
            aria-current={section === read ? 'true' : undefined}
            onClick={event => {
              event.preventDefault()
              document.getElementById(sectionId(section))?.scrollIntoView()
            }}
          >
            {nameOf(section)}
            {count > 0 && (
              <span className={styles.count}>
                <span aria-hidden>{count}</span>
                <span className="visually-hidden">{t('settings.sectionChanges', { count })}</span>
              </span>
            )}
          </a>
        )
      })}
    </nav>
  )
}

/** The topmost section in view. */
function useSectionInView(sections: readonly RowSection[]): string | undefined {
  const [inView, setInView] = useState<ReadonlySet<string>>(new Set())
  useEffect(() => {
    const observer = new IntersectionObserver(
      entries =>
        setInView(before => {
          const next = new Set(before)
          for (const { target, isIntersecting } of entries) {
            if (isIntersecting) next.add(target.id)
            else next.delete(target.id)
          }
          return next
        }),
      // A section that has only begun at the end of the view does not count.
      { rootMargin: '0px 0px -60% 0px' },
    )
    for (const { section } of sections) {
      const element = document.getElementById(sectionId(section))
      if (element !== null) observer.observe(element)
    }
    return () => observer.disconnect()
  }, [sections])
  return sections.find(({ section }) => inView.has(sectionId(section)))?.section ?? sections[0]?.section
}
