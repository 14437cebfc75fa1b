import { describe, expect, test } from 'vitest'
import { hasAnywhere, rangesAnywhere, rangesOf } from './searchWords.ts'

const marked = (text: string, words: string) => rangesOf(text, words).map(([start, end]) => text.slice(start, end))

describe('the ranges of words in a text', () => {
  test('are all of them, Chinese included', () => {
    expect(marked('热泵四年回本，热泵好', '热泵')).toEqual(['热泵', '热泵'])
    expect(marked('the heat pump and the heater', 'heat pump')).toEqual(['heat', 'pump', 'heat'])
  })
  test('are where words begin, from three letters on, and not within them', () => {
    expect(marked('kubectl, a kubelet; minikube', 'kube')).toEqual(['kube', 'kube'])
    expect(marked('id of an idea', 'id')).toEqual(['id'])
    expect(marked('a party of art', 'art')).toEqual(['art'])
  })
  test('are parts of names and versions', () => {
    expect(marked('userName in v0.11.3 of MAX_RETRY_COUNT', 'name')).toEqual(['Name'])
    expect(marked('userName in v0.11.3 of MAX_RETRY_COUNT', '0.11')).toEqual(['0.11'])
    expect(marked('userName in v0.11.3 of MAX_RETRY_COUNT', '11')).toEqual(['11'])
    expect(marked('userName in v0.11.3 of MAX_RETRY_COUNT', 'retryC')).toEqual(['RETRY_C'])
    expect(marked('isValid', 'is')).toEqual(['is'])
  })
  test('are kana, Hangul and Thai within a sentence', () => {
    expect(marked('統合テストのサーバーを再起動しました。', 'テスト サーバー')).toEqual(['テスト', 'サーバー'])
    expect(marked('서버를 다시 시작했습니다.', '서버')).toEqual(['서버'])
    expect(marked('ภาษาไทยง่าย', 'ไทย')).toEqual(['ไทย'])
  })
  test('are the pairs of a run that stands nowhere as a whole', () => {
    expect(marked('大学在北京，很大', '北京大学')).toEqual(['大学', '北京'])
  })
  test('do not depend on case, width and accents', () => {
    expect(marked('ＨＥＬＰ İstanbul Help', 'help')).toEqual(['ＨＥＬＰ', 'Help'])
    expect(marked('İstanbul', 'istanbul')).toEqual(['İstanbul'])
    expect(marked('Un café, cafe\u0301 et CAFE', 'cafe')).toEqual(['café', 'cafe\u0301', 'CAFE'])
    expect(marked('Đà Nẵng', 'nang da')).toEqual(['Đà', 'Nẵng'])
    expect(marked('ﾊﾟﾝ屋', 'パン')).toEqual(['ﾊﾟﾝ'])
    expect(marked('ﬁne ﬁnish', 'fin')).toEqual(['ﬁn', 'ﬁn'])
    expect(marked('①②③ ㈱ 東京', '東京')).toEqual(['東京'])
  })
  test('do not depend on how a letter is typed, and not on traditional or simplified characters', () => {
    expect(marked('Die Straße, eine STRASSE', 'strasse')).toEqual(['Straße', 'STRASSE'])
    expect(marked('Hauptstrasse und Straßenbahn', 'straße')).toEqual(['Straße'])
    expect(marked('GROẞ und groß', 'gross')).toEqual(['GROẞ', 'groß'])
    expect(marked('un œuf, Æther', 'oeuf aether')).toEqual(['œuf', 'Æther'])
    expect(marked('我用繁體字寫信', '繁体字')).toEqual(['繁體字'])
    expect(marked('我用繁体字写信', '繁體字 寫信')).toEqual(['繁体字写信'])
    expect(marked('臺灣電腦', '电脑')).toEqual(['電腦'])
  })
  test('are emoji, whatever their colour', () => {
    expect(marked('Done 👍🏽 and ❤️ 👩🏻‍🚀', '👍 ❤ 🚀')).toEqual(['👍🏽', '❤️', '🚀'])
  })
  test('that touch are one', () => {
    expect(marked('北京大学', '北京 京大')).toEqual(['北京大'])
  })
  test('are none for words that are not there, for signs and for no words', () => {
    expect([rangesOf('text', 'other'), rangesOf('text', ' '), rangesOf('', 'x'), rangesOf('a.*b', '.* (')]).toEqual([
      [],
      [],
      [],
      [],
    ])
  })
  test('lie within the text, whatever it is made of', () => {
    for (const text of [
      '\ud800 a\ud83d',
      '👩‍',
      '\u0301a',
      'ﷺ ﷺ',
      '한국',
      '\xAD-\xADa',
      '🇩🇪🇫',
      'a\u200Db',
      'か\u3099',
    ]) {
      for (const [start, end] of rangesOf(text, text))
        expect(start >= 0 && start < end && end <= text.length).toBe(true)
    }
  })
})

describe('words anywhere in a title', () => {
  const anywhere = (text: string, words: string) =>
    rangesAnywhere(text, words).map(([start, end]) => text.slice(start, end))

  test('are found within other words, without case and accents', () => {
    expect(hasAnywhere('Minikube am Café', 'KUBE cafe')).toBe(true)
    expect(hasAnywhere('Minikube', 'kube cafe')).toBe(false)
    expect(hasAnywhere('繁體字 an der Straße', '繁体 strasse')).toBe(true)
    expect(anywhere('Minikube am Café', 'KUBE cafe')).toEqual(['kube', 'Café'])
  })
  test('are taken with their signs', () => {
    expect(anywhere('a.*b (c', '.* (')).toEqual(['.*', '('])
  })
})
