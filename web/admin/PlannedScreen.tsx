import { useMatches } from '@tanstack/react-router'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { TerminalLines } from '#web/kit/TerminalLines.tsx'
import styles from './shell/page.module.css'
import { Page } from './shell/Page.tsx'
import { isPlanned, PLANNED_PAGES } from './plannedPages.ts'

/** In place of a page that is not built yet. */
export function PlannedScreen() {
  const t = useTranslate()
  const { name, title } = useMatches().at(-1)?.staticData ?? {}
  if (!isPlanned(name) || title === undefined) return null
  const { text, commands, calls } = PLANNED_PAGES[name]
  return (
    <Page title={t(title)} context={t(text)} narrow>
      <section className={styles.today}>
        <h2>{t('planned.today')}</h2>
        {commands.length > 0 && <p>{t('planned.command')}</p>}
        {commands.length > 0 && (
          <TerminalLines text={commands.map(command => `npm run commons -- ${command}`).join('\n')} />
        )}
        {calls.length > 0 && <p>{t('planned.call')}</p>}
        {calls.length > 0 && <TerminalLines text={calls.join('\n')} />}
        <p>
          <a href="/api/docs" target="_blank" rel="noopener noreferrer">
            {t('admin.api')}
          </a>
        </p>
      </section>
    </Page>
  )
}
