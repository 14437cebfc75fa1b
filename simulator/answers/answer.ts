import { type Random, randomFrom, seedOf } from './random.ts'
import { type Language, type Section, type Topic, TOPICS, type Voice, VOICES } from './voice.ts'

/** Characters of the question that an answer quotes. */
const MAX_REPEATED = 60

export type AnswerOptions = {
  seed?: number
  /** Exact length in tokens; without it the answer is as long as its parts. */
  tokens?: number
  /** The conversation's first question, when this is a later one. */
  first?: string
}

/** The answer to a question as tokens: the same question, seed and length always give the same answer. */
export function answerTo(question: string, wanted: AnswerOptions = {}): string[] {
  const language = languageOf(question)
  const voice = VOICES[language]
  const random = randomFrom(wanted.seed ?? seedOf(question))
  const space = language === 'chinese' ? '' : ' '
  const quotes = { question: quoted(question), first: quoted(wanted.first ?? '') }
  const opening = voice.text(wanted.first === undefined ? 'opening' : 'following', quotes)

  if (wanted.tokens !== undefined) return longAnswer(opening, wanted.tokens, voice, random, space)
  if (isGreeting(question)) return tokensOf(random.pick(voice.greetings))
  const named = topicsIn(question)
  const topics = (named.length > 0 ? named : random.shuffled(TOPICS)).slice(0, 2)
  const sections = topics.map(topic => headed(random.pick(voice.sections[topic]), '##'))
  return tokensOf([opening, ...sections, paragraph(voice, random, space), voice.text('closing')].join('\n\n'))
}

/**
 * Sections on every topic in changing order, numbered, with paragraphs between them; cut to the wanted number of
 * tokens.
 */
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
    .shuffled(voice.lines('sentences'))
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

/** The language of an answer: any Han character makes it Chinese. */
export const languageOf = (question: string): Language => (/\p{Script=Han}/u.test(question) ? 'chinese' : 'english')

const TOPIC_WORDS: Record<Topic, RegExp> = {
  code: /code|function|program|script|\bbug|python|rust|\bsql|bash|regex|代码|函数|程序|编程|脚本/i,
  mathematics: /math|equation|formula|integral|matrix|probab|proof|数学|公式|方程|积分|矩阵|概率|证明/i,
  comparison: /compare|difference|versus|\bvs\b|\btable|better|which|比较|区别|表格|对比|哪个/i,
  steps: /\bhow\b|step|plan|guide|install|recipe|怎么|如何|步骤|计划|安装/i,
  writing: /write|letter|email|poem|story|summar|translate|写|信|邮件|诗|故事|总结|翻译/i,
}

const GREETING = /^((hi|hello|hey|good (morning|afternoon|evening))[\s!.,?]*|(你好|您好|嗨|早上好)[\s！，。？~!]*)$/i

/** The topics a question names, in the order in which an answer treats them. */
function topicsIn(question: string): Topic[] {
  return TOPICS.filter(topic => TOPIC_WORDS[topic].test(question))
}

const isGreeting = (question: string): boolean => GREETING.test(question.trim())

/**
 * The beginning of a request for a title. It may follow a question that was not answered; the rest of the request is
 * ignored.
 */
const REQUEST = /(?:^|\n\n)Write a title of at most\b[^]*$/

const FALLBACK = { latin: 'New chat', han: '新对话' }
const MAX_WORDS = 6
const MAX_HAN = 14

export function asksForTitle(last_user_text: string): boolean {
  return REQUEST.test(last_user_text.trimStart())
}

export const withoutTitleRequest = (user_text: string): string => user_text.trimStart().replace(REQUEST, '')

/** A one-line title from the first question: no Markdown, no punctuation at the end, no polite opening. */
export function titleFor(first_question: string): string {
  const line =
    first_question
      .replace(/```[^]*?(```|$)/g, ' ')
      .replace(/[#*_`>~|$[\](){}<]/g, '')
      .split(/\n+/)
      .map(part => part.trim())
      .find(part => part !== '') ?? ''
  const plain = line
    .replace(
      /^((please|can you|could you|how do i|how to|tell me about|explain|tolong|sila|bagaimana|terangkan)\b[\s,]*)+/i,
      '',
    )
    .replace(/^(请问|请你|请|帮我)+/, '')
    .replace(/[\s.,;:!?。，；：！？、]+$/u, '')
  if (/\p{Script=Han}/u.test(plain)) return [...plain].slice(0, MAX_HAN).join('') || FALLBACK.han
  // Removes a connecting word at the end.
  const title = plain
    .split(/\s+/)
    .slice(0, MAX_WORDS)
    .join(' ')
    .replace(/(\s+(a|an|and|at|by|dan|di|for|from|in|of|on|or|the|to|untuk|with|yang))+$/i, '')
    .replace(/[.,;:!?]+$/, '')
  return title === '' ? FALLBACK.latin : title.charAt(0).toUpperCase() + title.slice(1)
}
