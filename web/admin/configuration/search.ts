import { ROW_SECTIONS, type RowSection } from './rows.ts'
import type { SettingTexts } from './useSettingTexts.ts'

/** The sections with the rows that have each of the words in their name, help or path; all of them without words. */
export function foundSections(words: string, texts: Pick<SettingTexts, 'nameOf' | 'helpOf'>): readonly RowSection[] {
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
