import { type Language, type Topic, TOPICS } from './voice.ts'

const MALAY_WORDS = new Set(
  `
  apa apakah bagaimana mengapa kenapa siapa bila mana saya kami anda awak yang dan untuk dengan tidak boleh adalah ialah tolong
  sila terangkan tulis tuliskan beri berikan kepada dalam daripada terima kasih cara satu ini itu jadual contoh bahasa melayu
  buat hendak mahu`
    .trim()
    .split(/\s+/),
)

/** The language of a question: any Han character makes it Chinese, two common Malay words make it Malay. */
export function languageOf(question: string): Language {
  if (/\p{Script=Han}/u.test(question)) return 'chinese'
  const words = question.toLowerCase().match(/\p{L}+/gu) ?? []
  const malay = words.filter(word => MALAY_WORDS.has(word)).length
  return malay >= 2 || (malay === 1 && words.length <= 2) ? 'malay' : 'english'
}

const TOPIC_WORDS: Record<Topic, RegExp[]> = {
  code: [
    /code|function|program|script|\bbug|python|rust|\bsql|bash|regex/i,
    /代码|函数|程序|编程|脚本/,
    /\bkod|fungsi|atur ?cara/i,
  ],
  mathematics: [
    /math|equation|formula|integral|matrix|probab|proof/i,
    /数学|公式|方程|积分|矩阵|概率|证明/,
    /matematik|persamaan|rumus|kamiran/i,
  ],
  comparison: [
    /compare|difference|versus|\bvs\b|\btable|better|which/i,
    /比较|区别|表格|对比|哪个/,
    /banding|\bbeza|jadual|lebih baik/i,
  ],
  steps: [
    /\bhow\b|step|plan|guide|install|recipe/i,
    /怎么|如何|步骤|计划|安装/,
    /bagaimana|langkah|rancang|panduan|\bcara\b/i,
  ],
  writing: [
    /write|letter|email|poem|story|summar|translate/i,
    /写|信|邮件|诗|故事|总结|翻译/,
    /\btulis|surat|puisi|cerita|ringkas|terjemah/i,
  ],
}

const GREETINGS = [
  /^(hi|hello|hey|good (morning|afternoon|evening))[\s!.,?]*$/i,
  /^(你好|您好|嗨|早上好)[\s！，。？~!]*$/,
  /^(hai|helo|selamat (pagi|petang|malam)|apa khabar)[\s!.,?]*$/i,
]

/** The topics a question names, in the order in which an answer treats them. */
export function topicsIn(question: string): Topic[] {
  return TOPICS.filter(topic => TOPIC_WORDS[topic].some(words => words.test(question)))
}

export function isGreeting(question: string): boolean {
  return GREETINGS.some(words => words.test(question.trim()))
}
