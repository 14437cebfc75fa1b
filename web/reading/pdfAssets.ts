import { fetchAsset } from '#web/foundation/fetchAsset.ts'
import type { AssetFolder } from './protocol.ts'

/** Addresses of what pdfjs needs for some documents: tables of characters, fonts, decoders of scans. */
const FOLDERS: Record<AssetFolder, Record<string, string>> = {
  cMapUrl: import.meta.glob<string>('../../node_modules/pdfjs-dist/cmaps/*.bcmap', {
    query: '?url',
    import: 'default',
    eager: true,
    exhaustive: true,
  }),
  standardFontDataUrl: import.meta.glob<string>('../../node_modules/pdfjs-dist/standard_fonts/*.{pfb,ttf}', {
    query: '?url',
    import: 'default',
    eager: true,
    exhaustive: true,
  }),
  wasmUrl: import.meta.glob<string>('../../node_modules/pdfjs-dist/wasm/{jbig2,openjpeg,qcms_bg}.wasm', {
    query: '?url',
    import: 'default',
    eager: true,
    exhaustive: true,
  }),
}

/** Fetches one of them. Null where there is no such file, whatever a document asks for. */
export async function pdfAsset(folder: AssetFolder, name: string): Promise<ArrayBuffer | null> {
  const address = Object.entries(FOLDERS[folder]).find(([path]) => path.endsWith(`/${name}`))?.[1]
  return address === undefined ? null : fetchAsset(address)
}
