import type { Language } from '#contract/preferences.ts'
import { fill } from './fill.ts'

type Texts = Readonly<Record<string, string>>

/** Why a file is not read, and what to do: in all languages, and loaded with the first file that is attached. */
const ZH_CN = {
  'no.empty': '这个文件是空的',
  'no.tooLarge': '文件太大，最多 {most} MB',
  'no.needsPassword': '这个文件有密码，输入密码才能读',
  'no.wrongPassword': '密码不对',
  'no.encrypted': '这个文件加了密，在这里打不开；去掉密码另存一份再添加',
  'no.oldOffice':
    '这是旧版 Office 的文件（.doc、.xls、.ppt），或者有密码；另存为 .docx、.xlsx 或 .pptx、不设密码再添加',
  'no.notTaken': '这类文件不能读；可以添加图片、PDF、Office 文件、电子书、邮件和文本',
  'no.cannotDecode': '这个浏览器打不开这种图片；另存为 JPEG 或 PNG 再添加',
  'no.cannotDecodeHeic': '这个浏览器打不开 HEIC 图片；在手机上导出为 JPEG，或在相机设置里选“兼容性最佳”',
  'no.tooManyPixels': '图片太大（{width} × {height} 像素），最多 {most} 百万像素；缩小后再添加',
  'no.tooManyFrames': '动图有 {count} 帧，最多 {most} 帧；存成一张图片再添加',
  'no.tooManyPages': '页数太多，最多读 {most} 页',
  'no.tooManyCells': '表格太大，最多读 {most} 个单元格',
  'no.tooMuchText': '文字太多，最多读 {most} 个字',
  'no.unpacksTooLarge': '解开之后太大，没有读',
  'no.tookTooLong': '读了太久，已经停下',
  'no.broken': '文件损坏，或没有下载完整',
  'no.failed': '读文件时出错，可以再试一次',
  'partial.tooManyPages': '页数太多，只读了前面的部分',
  'partial.tooManyCells': '表格太大，只读了前面的部分',
  'partial.tooMuchText': '文字太多，只读了前面的部分',
  'partial.unpacksTooLarge': '解开之后太大，只读了前面的部分',
  'partial.tookTooLong': '读了太久，只读了前面的部分',
  'partial.broken': '文件有损坏，只读出一部分',
  'pages.none': '没有文字，像是扫描件；可以把页面作为图片发送',
} as const satisfies Texts

export type ReadingTextKey = keyof typeof ZH_CN
type ReadingTexts = Readonly<Record<ReadingTextKey, string>>

const EN_US: ReadingTexts = {
  'no.empty': 'This file is empty',
  'no.tooLarge': 'The file is too large; at most {most} MB',
  'no.needsPassword': 'This file has a password; enter it to read the file',
  'no.wrongPassword': 'That is not the password',
  'no.encrypted': 'This file is encrypted and cannot be opened here; save a copy without a password and add that',
  'no.oldOffice': 'This is a file of an older Office (.doc, .xls, .ppt); save it as .docx, .xlsx or .pptx and add that',
  'no.notTaken': 'Files of this kind cannot be read; add pictures, PDF, Office files, e-books, mails or text',
  'no.cannotDecode': 'This browser cannot open such pictures; save it as JPEG or PNG and add that',
  'no.cannotDecodeHeic':
    'This browser cannot open HEIC pictures; export it as JPEG, or choose “Most Compatible” in the settings of the camera',
  'no.tooManyPixels':
    'The picture is too large ({width} × {height} pixels); at most {most} million pixels. Scale it down and add it again',
  'no.tooManyFrames': 'The animation has {count} frames, at most {most}; save one of them as a picture and add that',
  'no.tooManyPages': 'Too many pages; at most {most} are read',
  'no.tooManyCells': 'The table is too large; at most {most} cells are read',
  'no.tooMuchText': 'Too much text; at most {most} characters are read',
  'no.unpacksTooLarge': 'It unpacks to too much, and was not read',
  'no.tookTooLong': 'Reading took too long and was stopped',
  'no.broken': 'The file is damaged, or was not downloaded completely',
  'no.failed': 'Something went wrong while reading; try again',
  'partial.tooManyPages': 'Too many pages: only the first part was read',
  'partial.tooManyCells': 'The table is too large: only the first part was read',
  'partial.tooMuchText': 'Too much text: only the first part was read',
  'partial.unpacksTooLarge': 'It unpacks to too much: only the first part was read',
  'partial.tookTooLong': 'Reading took too long: only the first part was read',
  'partial.broken': 'The file is damaged: only a part could be read',
  'pages.none': 'There is no text, as in a scan; its pages can be sent as pictures',
}

const MS_MY: ReadingTexts = {
  'no.empty': 'Fail ini kosong',
  'no.tooLarge': 'Fail terlalu besar; paling banyak {most} MB',
  'no.needsPassword': 'Fail ini ada kata laluan; masukkan untuk membacanya',
  'no.wrongPassword': 'Kata laluan itu tidak betul',
  'no.encrypted':
    'Fail ini disulitkan dan tidak dapat dibuka di sini; simpan salinan tanpa kata laluan dan tambahkannya',
  'no.oldOffice': 'Ini fail Office lama (.doc, .xls, .ppt); simpan sebagai .docx, .xlsx atau .pptx dan tambahkannya',
  'no.notTaken': 'Fail jenis ini tidak dapat dibaca; tambah gambar, PDF, fail Office, e-buku, e-mel atau teks',
  'no.cannotDecode': 'Pelayar ini tidak dapat membuka gambar begini; simpan sebagai JPEG atau PNG dan tambahkannya',
  'no.cannotDecodeHeic':
    'Pelayar ini tidak dapat membuka gambar HEIC; eksport sebagai JPEG, atau pilih “Paling Serasi” dalam tetapan kamera',
  'no.tooManyPixels':
    'Gambar terlalu besar ({width} × {height} piksel); paling banyak {most} juta piksel. Kecilkan dan tambah semula',
  'no.tooManyFrames':
    'Animasi ada {count} bingkai, paling banyak {most}; simpan satu daripadanya sebagai gambar dan tambahkannya',
  'no.tooManyPages': 'Terlalu banyak halaman; paling banyak {most} dibaca',
  'no.tooManyCells': 'Jadual terlalu besar; paling banyak {most} sel dibaca',
  'no.tooMuchText': 'Terlalu banyak teks; paling banyak {most} aksara dibaca',
  'no.unpacksTooLarge': 'Terlalu besar apabila dibuka, jadi tidak dibaca',
  'no.tookTooLong': 'Bacaan mengambil masa terlalu lama dan dihentikan',
  'no.broken': 'Fail rosak, atau tidak dimuat turun sepenuhnya',
  'no.failed': 'Ada yang tidak kena semasa membaca; cuba lagi',
  'partial.tooManyPages': 'Terlalu banyak halaman: hanya bahagian awal dibaca',
  'partial.tooManyCells': 'Jadual terlalu besar: hanya bahagian awal dibaca',
  'partial.tooMuchText': 'Terlalu banyak teks: hanya bahagian awal dibaca',
  'partial.unpacksTooLarge': 'Terlalu besar apabila dibuka: hanya bahagian awal dibaca',
  'partial.tookTooLong': 'Bacaan mengambil masa terlalu lama: hanya bahagian awal dibaca',
  'partial.broken': 'Fail rosak: hanya sebahagian dapat dibaca',
  'pages.none': 'Tiada teks, seperti imbasan; halamannya boleh dihantar sebagai gambar',
}

const TEXTS: Record<Language, ReadingTexts> = { 'zh-CN': ZH_CN, 'en-US': EN_US, 'ms-MY': MS_MY }

export function readingText(
  language: Language,
  key: ReadingTextKey,
  values: Readonly<Record<string, string | number>> = {},
): string {
  return fill(TEXTS[language][key], values, language)
}
