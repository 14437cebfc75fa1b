/**
 * npm run check: types, lint, format and every test that needs no browser. The tests of architecture/ compare the
 * generated docs.
 */
import { closing, total } from './counts.ts'
import { checkFormat, checkTypes, lint, runVitest } from './runners.ts'

const sum = total([await checkTypes(), await lint(), await checkFormat(), await runVitest(['node'])])
process.exitCode = sum.failed === 0 ? 0 : 1
console.log(`\n${closing(sum)}`)
