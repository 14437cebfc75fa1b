import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export type Language = 'chinese' | 'malay' | 'english'

export const TOPICS = ['code', 'mathematics', 'comparison', 'steps', 'writing'] as const
export type Topic = (typeof TOPICS)[number]
export type Section = { heading: string; text: string }

/** The phrases of answers in one language. */
export type Voice = {
  greetings: string[]
  /** Contains {question}. */
  opening: string
  /** The opening of a later answer; {first} in it shows that the earlier messages arrived. */
  following: string
  closing: string
  /** Sentences for the paragraphs of long answers. */
  sentences: string[]
  sections: Record<Topic, Section[]>
}

const voices = new Map<Language, Voice>()

/** Reads <language>.md: parts headed by `%% name` or `%% topic: heading`; {name} is replaced from samples.md. */
export function voiceOf(language: Language): Voice {
  const known = voices.get(language)
  if (known) return known
  const samples = new Map(partsOf('samples').map(part => [`{${part.name}}`, part.text]))
  const parts = partsOf(language).map(part => ({
    ...part,
    text: part.text.replace(/\{[a-z]+\}/g, name => samples.get(name) ?? name),
  }))
  const all = (name: string) => parts.filter(part => part.name === name)
  const one = (name: string) => all(name)[0]?.text ?? ''
  const voice: Voice = {
    greetings: all('greeting').map(part => part.text),
    opening: one('opening'),
    following: one('following'),
    closing: one('closing'),
    sentences: one('sentences').split('\n'),
    sections: {
      code: all('code'),
      mathematics: all('mathematics'),
      comparison: all('comparison'),
      steps: all('steps'),
      writing: all('writing'),
    },
  }
  voices.set(language, voice)
  return voice
}

function partsOf(file: string): (Section & { name: string })[] {
  const text = readFileSync(join(import.meta.dirname, `${file}.md`), 'utf8')
  return text
    .split(/^%% /m)
    .slice(1)
    .map(part => {
      const [head = '', ...lines] = part.split('\n')
      const [name = '', heading = ''] = head.split(': ')
      return { name, heading, text: lines.join('\n').trim() }
    })
}
