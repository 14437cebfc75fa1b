import { useMatches } from '@tanstack/react-router'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { TerminalLines } from '#web/kit/TerminalLines.tsx'
import styles from './admin.module.css'
import { ADMIN_PAGES } from './adminPages.ts'
import { PageHead } from './PageHead.tsx'
import { TODAY } from './today.ts'

/** In place of a page that is not built yet: what it will do, and how to do it today. */
export function PlannedScreen() {
  const name = useMatches().at(-1)?.staticData.name
  const page = ADMIN_PAGES.find(page => page.name === name)
  if (page === undefined || page.name === 'systemManagement') return null
  return <Planned page={page} />
}

function Planned({ page }: { page: Exclude<(typeof ADMIN_PAGES)[number], { name: 'systemManagement' }> }) {
  const t = useTranslate()
  const { commands, calls } = TODAY[page.name]
  return (
    <>
      <PageHead title={t(page.title)} context={t(`planned.${page.path}`)} />
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
    </>
  )
}
