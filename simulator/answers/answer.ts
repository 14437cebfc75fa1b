import { isGreeting, languageOf, topicsIn } from './question.ts'
import { type Random, randomFrom, seedOf } from './random.ts'
import { type Section, TOPICS, type Voice, voiceOf } from './voice.ts'

/** Characters of the question that an answer quotes. */
const MAX_REPEATED = 60

export type Wanted = {
  seed?: number
  /** Exact length in tokens; without it the answer is as long as its parts. */
  tokens?: number
  /** The conversation's first question, when this is a later one. */
  first?: string
}

/** The answer to a question as tokens: the same question, seed and length always give the same answer. */
export function answerTo(question: string, wanted: Wanted = {}): string[] {
  const language = languageOf(question)
  const voice = voiceOf(language)
  const random = randomFrom(wanted.seed ?? seedOf(question))
  const space = language === 'chinese' ? '' : ' '
  const opening = (wanted.first === undefined ? voice.opening : voice.following)
    .replace('{question}', () => quoted(question))
    .replace('{first}', () => quoted(wanted.first ?? ''))

  if (wanted.tokens !== undefined) return longAnswer(opening, wanted.tokens, voice, random, space)
  if (isGreeting(question)) return tokensOf(random.pick(voice.greetings))
  const named = topicsIn(question)
  const topics = (named.length > 0 ? named : random.shuffled(TOPICS)).slice(0, 2)
  const sections = topics.map(topic => headed(random.pick(voice.sections[topic]), '##'))
  return tokensOf([opening, ...sections, paragraph(voice, random, space), voice.closing].join('\n\n'))
}

/** Sections on every topic in changing order, numbered, with paragraphs between them; cut to the wanted number of tokens. */
function longAnswer(opening: string, tokens: number, voice: Voice, random: Random, space: string): string[] {
  const found = tokensOf(`${opening}\n\n`)
  for (let number = 1; found.length < tokens;) {
    for (const topic of random.shuffled(TOPICS)) {
      const section = random.pick(voice.sections[topic])
      const text = headed({ ...section, heading: `${number}. ${section.heading}` }, number % 4 === 1 ? '##' : '###')
      for (const token of tokensOf(`${text}\n\n${paragraph(voice, random, space)}\n\n`)) found.push(token)
      number += 1
    }
  }
  return found.slice(0, tokens)
}

function headed({ heading, text }: Section, marks: string): string {
  return `${marks} ${heading}\n\n${text}`
}

function paragraph(voice: Voice, random: Random, space: string): string {
  return random
    .shuffled(voice.sentences)
    .slice(0, 3 + random.below(3))
    .join(space)
}

/** The beginning of the question without Markdown, to be quoted inside a sentence. */
function quoted(question: string): string {
  const line = question
    .replace(/[`*_#$\\[\]<>|~]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
  const letters = [...line]
  return letters.length > MAX_REPEATED ? `${letters.slice(0, MAX_REPEATED).join('')}…` : line
}

// Pieces as a tokenizer makes them: parts of words with their leading space, one or two Han characters.
const HAN = /\p{Script=Han}{1,2}/v
const WORD = /[^\S\n]?[[\p{L}\p{M}]--\p{Script=Han}]{1,7}/v
const NUMBER = /[^\S\n]?\p{N}{1,3}/v
const MARKS = /[^\S\n]?[^\s\p{L}\p{M}\p{N}]{1,3}/v
const SPACE = /\n+|\s/v
const PIECE = new RegExp([HAN, WORD, NUMBER, MARKS, SPACE, /[^]/v].map(part => part.source).join('|'), 'gv')

/** Splits a text into small pieces; joined they are the text again. */
export function tokensOf(text: string): string[] {
  return text.match(PIECE) ?? []
}
