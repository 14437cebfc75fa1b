import { useSession } from '#web/foundation/session.ts'
import { useNow } from '#web/foundation/times.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { IconCode, IconFile, IconPencil } from '#web/kit/icons.ts'
import { Lamp } from '#web/kit/Lamp.tsx'
import { DemonstrationNote } from './DemonstrationNote.tsx'
import styles from './empty.module.css'
import { SeatsLine } from './SeatsLine.tsx'

const SUGGESTIONS = [
  { icon: IconFile, title: 'empty.readFile', text: 'empty.readFileText' },
  { icon: IconPencil, title: 'empty.letter', text: 'empty.letterText' },
  { icon: IconCode, title: 'empty.error', text: 'empty.errorText' },
] as const

/** The start screen: a greeting, whether a place is free, and suggestions to begin with. */
export function EmptyConversation({ onSuggest }: { onSuggest(text: string): void }) {
  const t = useTranslate()
  return (
    <div className={styles.empty}>
      <div className={styles.welcome}>
        <Lamp lit />
        <Greeting />
        <SeatsLine />
      </div>
      <ul className={styles.suggestions}>
        {SUGGESTIONS.map(({ icon: Icon, title, text }) => (
          <li key={title}>
            <button type="button" onClick={() => onSuggest(t(text))}>
              <Icon size={16} aria-hidden />
              {t(title)}
            </button>
          </li>
        ))}
      </ul>
      <DemonstrationNote />
    </div>
  )
}

function Greeting() {
  const t = useTranslate()
  const name = useSession(({ user }) => user?.nickname ?? '')
  const now = useNow()
  return <h1 className={styles.greeting}>{t(`empty.${partOfDay(now.getHours())}`, { name })}</h1>
}

export function partOfDay(hour: number): 'morning' | 'noon' | 'afternoon' | 'evening' {
  if (hour >= 5 && hour < 11) return 'morning'
  if (hour >= 11 && hour < 13) return 'noon'
  return hour >= 13 && hour < 18 ? 'afternoon' : 'evening'
}
