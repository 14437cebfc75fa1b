// Plain JavaScript: it is asked before anything is known to be installed.
import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** Of what the server runs with, and of what the page is built with: npm installs all of a kind or nothing. */
const RUNS_WITH = '@fastify/static'
const BUILT_WITH = ['vite', 'react']

/** Why nothing can start in this folder, in one line that says what to type; null when something can. */
export function hindranceToStart(root, environment = process.env) {
  if (isInstalled(root, RUNS_WITH)) return null
  return `Chat Commons is not installed in this folder yet. Type "${installing(environment)}", then "npm start".`
}

/** The same of a build, which needs more. */
export function hindranceToBuild(root, environment = process.env) {
  const start = hindranceToStart(root, environment)
  if (start !== null) return start
  if (!BUILT_WITH.every(name => isInstalled(root, name))) {
    return (
      'The page cannot be built: npm has left out the packages that build it, as it does with NODE_ENV=production or --omit=dev. ' +
      'Type "npm ci --include=dev", then "npm start".'
    )
  }
  const [mark] = /[#?]/.exec(root) ?? []
  if (mark === undefined) return null
  return `The page cannot be built in a folder with "${mark}" in its path: ${root}. Give the folder another name or move it, then start again.`
}

function isInstalled(root, name) {
  return existsSync(join(root, 'node_modules', name, 'package.json'))
}

/** What npm does by itself depends on these, and on nothing else of the environment. */
function installing({ NODE_ENV, npm_config_omit = '' }) {
  return NODE_ENV === 'production' || npm_config_omit.includes('dev') ? 'npm ci --include=dev' : 'npm ci'
}
