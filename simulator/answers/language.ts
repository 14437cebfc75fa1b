export type Language = 'chinese' | 'malay' | 'english'

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
