import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig, type Rolldown } from 'vite'
import { firstPaint } from './scripts/firstPaint.ts'
import { PAGE_VERSION } from './scripts/pageVersion.ts'

const root = fileURLToPath(new URL('.', import.meta.url))
const REACT = /node_modules[\\/](react|react-dom|scheduler)[\\/]/
const LIBRARY_SCRIPT = /node_modules.*js$/
/** The fields of forms. */
const FORMS =
  /@mantine[\\/]core[\\/].*[\\/](Input|TextInput|PasswordInput|InlineInput|Checkbox|CheckIcon|CloseButton)|kit[\\/](LanguagePicker|SecretInput|useInitialFocus)|users[\\/]useForm/
/** What opens over the page. */
const OVERLAYS = /@mantine|@floating-ui|[\\/]kit[\\/](Dialog|SideDrawer)/
/**
 * Not what only import, export, uploads, the steps of tools, plugins, prompts and the admin area share: it would join
 * a chunk of the first load.
 */
const OURS_AND_ICONS =
  /^(?!.*(node_modules|[\\/]transfer|[\\/](browsing|stepTexts|sendWithProgress|kindLabel)|[\\/]web[\\/](admin|lending|invitations|attachments|conversations[\\/]keeping|keys|prompts|instructions(?![\\/](lazy|unsaved)Instructions)|oversight(?![\\/]lazyOversight)|history|shares(?![\\/]lazyShares)|usage(?![\\/](lazyUsage|useUsageNotices))|notices(?![\\/](lazyNotices|useNoteView))|messages[\\/]attached|reading|sources[\\/]\w+[\\/]\w+)[\\/]))|@tabler/
const CONTRACT = /[\\/]contract[\\/]/
const ON_REQUEST =
  /[\\/]web[\\/](admin|lending|invitations|attachments|conversations[\\/]keeping|keys|prompts|instructions(?![\\/](lazy|unsaved)Instructions)|oversight(?![\\/]lazyOversight)|history|shares(?![\\/]lazyShares)|usage(?![\\/](lazyUsage|useUsageNotices))|notices(?![\\/](lazyNotices|useNoteView))|messages[\\/]attached|reading|sources[\\/]\w+[\\/]\w+)[\\/]/
/** How results of a search are marked, with a table of characters: loaded with the first of them. */
const SEARCH = /[\\/]contract[\\/](?:searchTerms|searchWords|simplifiedHan)\.ts$/
const STYLES =
  /^(?!.*[\\/]web[\\/](admin|lending|invitations|attachments|conversations[\\/]keeping|keys|oversight|prompts|transfer|shares|usage|notices|messages[\\/]attached|sources[\\/]\w+[\\/]admin)[\\/]|.*[\\/](ProfileDialog|PreferencesDialog|OwnApiForm|ShortcutsDialog|MeterDetails)\.).*\.css$/
/** Of what opens only when somebody asks for it, and belongs to a web account. */
const ACCOUNT_STYLES = /[\\/]web[\\/]sources[\\/]openai_web[\\/](?!admin[\\/]).*\.css$/
/** What is loaded with the first attachment. */
const ATTACHMENT_STYLES = /[\\/]web[\\/](attachments|messages[\\/]attached)[\\/].*\.css$/
/** What is loaded with the first slash. */
const PROMPT_STYLES = /[\\/]web[\\/]prompts[\\/].*\.css$/
/** What only somebody sees who was invited. */
const INVITATION_STYLES = /[\\/]web[\\/]invitations[\\/].*\.css$/
/** What is loaded with the first that is shown of what somebody used. */
const USAGE_STYLES = /[\\/]web[\\/]usage[\\/].*\.css$/
/** Of accounts of which everybody has a part. */
const SHARES_STYLES = /[\\/]web[\\/](shares[\\/].*|conversations[\\/]sharedMeter[\\/]MeterDetails\.module)\.css$/
/** Of notices by the browser. */
const NOTICE_STYLES = /[\\/]web[\\/]notices[\\/].*\.css$/
/** Of what was deleted, or is gone soon. */
const KEEPING_STYLES = /[\\/]web[\\/]conversations[\\/]keeping[\\/].*\.css$/
/** Of the page that connects tools. */
const KEYS_STYLES = /[\\/]web[\\/]keys[\\/].*\.css$/
/** Of dialogs of the user menu. */
const USER_MENU_STYLES = /[\\/](ProfileDialog|PreferencesDialog|OwnApiForm|ShortcutsDialog)\.module\.css$/
/** Of export and import. */
const TRANSFER_STYLES = /[\\/]web[\\/]transfer[\\/].*\.css$/
/** Of who read a conversation. */
const OVERSIGHT_STYLES = /[\\/]web[\\/]oversight[\\/].*\.css$/
const ADMINISTRATION_STYLES = /\.css$/
/** What the header of a conversation, the dialog of a new one and the store share. */
const PLUGINS = /[\\/]web[\\/]sources[\\/]openai_web[\\/]plugins[\\/]|[\\/]contract[\\/]plugins/
/** What its pages share. */
const ADMINISTRATION = /[\\/]web[\\/](admin|sources[\\/]\w+[\\/]admin)[\\/]/
const ADMINISTRATION_AND_CONTRACT = /[\\/]web[\\/](admin|sources[\\/]\w+[\\/]admin)[\\/]|[\\/]contract[\\/]/

/**
 * Leaves to the chunks of plugins and the admin area the files of contract/ that only those use, directly or by way of
 * others.
 */
const sharedUnlessOnRequest: Rolldown.CodeSplittingNameFunction = (id, context) =>
  isOnlyOf(ON_REQUEST, id, context) ? null : 'shared'

/** Of the files of contract/, those that others have too would load the admin area with them. */
const contractUnlessOfAdministration: Rolldown.CodeSplittingNameFunction = (id, context) =>
  isOnlyOf(ADMINISTRATION, id, context) ? null : 'contract'

function isOnlyOf(rooms: RegExp, id: string, context: Rolldown.ChunkingContext): boolean {
  const isOne = (module: string): boolean =>
    rooms.test(module) || (CONTRACT.test(module) && context.getModuleInfo(module)?.importers.every(isOne) === true)
  return isOne(id)
}

const SERVER = `http://127.0.0.1:${process.env.PORT ?? 8000}`

export default defineConfig({
  root: `${root}web`,
  define: PAGE_VERSION,
  plugins: [react(), firstPaint(fileURLToPath(import.meta.url))],
  build: {
    outDir: `${root}dist/page`,
    emptyOutDir: true,
    sourcemap: false,
    reportCompressedSize: false,
    // Kilobytes before compression. What counts is what is transferred; the bench prints that.
    chunkSizeWarningLimit: 600,
    // The content security policy allows no inline script and no data: URL.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    // Few requests; architecture/firstLoad.ts has the chunks of the first screens. `$initial`: imported by main.tsx,
    // other than lazily.
    rolldownOptions: {
      output: {
        entryFileNames: ({ name }) => (name === 'index' ? 'assets/shell-[hash].js' : '[name].js'),
        chunkFileNames: 'assets/[name]-[hash].js',
        codeSplitting: {
          groups: [
            // One style sheet, so that the order of its layers does not depend on which chunk comes first; and those of
            // what opens on request.
            { name: 'style', test: STYLES, priority: 8 },
            { name: 'accountStyle', test: ACCOUNT_STYLES, priority: 9 },
            { name: 'attachmentStyle', test: ATTACHMENT_STYLES, priority: 9 },
            { name: 'promptStyle', test: PROMPT_STYLES, priority: 9 },
            { name: 'invitationStyle', test: INVITATION_STYLES, priority: 9 },
            { name: 'sharesStyle', test: SHARES_STYLES, priority: 9 },
            { name: 'usageStyle', test: USAGE_STYLES, priority: 9 },
            { name: 'noticeStyle', test: NOTICE_STYLES, priority: 9 },
            { name: 'keepingStyle', test: KEEPING_STYLES, priority: 9 },
            { name: 'keysStyle', test: KEYS_STYLES, priority: 9 },
            { name: 'userMenuStyle', test: USER_MENU_STYLES, priority: 9 },
            { name: 'transferStyle', test: TRANSFER_STYLES, priority: 9 },
            { name: 'oversightStyle', test: OVERSIGHT_STYLES, priority: 9 },
            { name: 'administrationStyle', test: ADMINISTRATION_STYLES, priority: 7 },
            { name: 'react', test: REACT, priority: 6 },
            { name: 'libraries', test: LIBRARY_SCRIPT, tags: ['$initial'], priority: 5 },
            { name: 'shell', tags: ['$initial'], priority: 4 },
            { name: 'forms', test: FORMS, priority: 3 },
            { name: 'search', test: SEARCH, priority: 2 },
            { name: 'overlays', test: OVERLAYS, priority: 2 },
            { name: sharedUnlessOnRequest, debugName: 'shared', test: OURS_AND_ICONS, minShareCount: 2, priority: 1 },
            { name: 'plugins', test: PLUGINS, minShareCount: 2, priority: 1 },
            { name: contractUnlessOfAdministration, debugName: 'contract', test: CONTRACT, minShareCount: 2 },
            { name: 'administration', test: ADMINISTRATION_AND_CONTRACT, minShareCount: 2 },
          ],
        },
      },
    },
  },
  // Workers that read files import what only some files need.
  worker: { format: 'es' },
  server: {
    host: '127.0.0.1',
    fs: { allow: [root] },
    // The server compares Origin with Host on everything that changes state, so the browser's own Host must reach it.
    proxy: {
      '/api': { target: SERVER, ws: true, changeOrigin: false },
      '/healthz': { target: SERVER, changeOrigin: false },
    },
  },
})
