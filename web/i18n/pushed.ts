import type { Language } from '#contract/preferences.ts'

export type PushedTexts = Record<
  | 'answer'
  | 'failed'
  | 'failedText'
  | 'turn'
  | 'turnText'
  | 'window'
  | 'windowText'
  | 'took'
  | 'minutes'
  | 'seconds'
  | 'and',
  string
>

/** Of the notices that the service worker shows, in all languages: the page with its texts may be closed. */
export const PUSHED_TEXTS: Record<Language, PushedTexts> = {
  'zh-CN': {
    answer: '答好了',
    failed: '没有答成',
    failedText: '打开看看为什么',
    turn: '轮到你了',
    turnText: '正在回复',
    window: '又可以问了',
    windowText: '{label} 现在能问，草稿还在',
    took: '用了 {time}',
    minutes: '{minutes} 分 {seconds} 秒',
    seconds: '{seconds} 秒',
    and: '{title}。{text}',
  },
  'en-US': {
    answer: 'Your answer is ready',
    failed: 'The answer did not come',
    failedText: 'Open it to see why',
    turn: 'It is your turn',
    turnText: 'The answer is on its way',
    window: 'You can ask again',
    windowText: '{label} can be asked now; your draft is still there',
    took: 'It took {time}',
    minutes: '{minutes} min {seconds} s',
    seconds: '{seconds} s',
    and: '{title}. {text}',
  },
  'ms-MY': {
    answer: 'Jawapan anda siap',
    failed: 'Jawapan tidak sampai',
    failedText: 'Buka untuk melihat sebabnya',
    turn: 'Giliran anda',
    turnText: 'Jawapan sedang ditulis',
    window: 'Anda boleh bertanya lagi',
    windowText: '{label} boleh ditanya sekarang; draf anda masih ada',
    took: 'Mengambil {time}',
    minutes: '{minutes} min {seconds} s',
    seconds: '{seconds} s',
    and: '{title}. {text}',
  },
}
