import { useEffect, useState } from 'react'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import styles from './configuration.module.css'
import type { RowSection } from './settings/rows.ts'
import { useSettingTexts } from './settings/useSettingTexts.ts'

export const sectionId = (section: string) => `section-${section}`

type ContentsProps = { sections: readonly RowSection[]; isChanged(path: string): boolean }

/** The sections, with how many changes each has; the one that is being read is marked. */
export function Contents({ sections, isChanged }: ContentsProps) {
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
