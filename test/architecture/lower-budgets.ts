// npm run budgets: lowers the numbers of test/architecture/budgets.json to today's lines, and sets those that are missing. Raises none.
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { BUDGETS_FILE, lowered } from './guards/budgets.ts'
import { readSourceFiles } from './support/source-file.ts'

const file = fileURLToPath(new URL(`../../${BUDGETS_FILE}`, import.meta.url))
const budgets = lowered(readSourceFiles(['src', 'web', 'test', BUDGETS_FILE]))
writeFileSync(file, `${JSON.stringify(budgets, null, 2)}\n`)
