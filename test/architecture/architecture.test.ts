// Checks the source tree against every guard, and every guard against its planted violations.
import { readFileSync } from 'node:fs'
import { matchesGlob } from 'node:path'
import { describe, expect, it } from 'vitest'
import { FOLDER_LINES, FUNCTION_LENGTH } from './guards/budgets.ts'
import {
  AGES_BY_ELAPSED_TIME,
  CLOCK_AND_DICE,
  ONE_TYPE_FOR_A_NAME,
  OPENING_COMMENTS,
  PORTS_OF_TYPES,
} from './guards/contents.ts'
import { FEATURE_IMPORTS } from './guards/feature-imports.ts'
import { type Guard, plantedFiles } from './guards/guard.ts'
import { IMPORT_CYCLES } from './guards/import-cycles.ts'
import {
  EXPECTED_IMPORTS,
  IMPORT_DIRECTION,
  LIBRARY_IMPORTS,
  WEB_IMPORTS,
} from './guards/import-direction.ts'
import { CORE_WITHOUT_PACKAGES, NO_PACKAGES, ONE_WAY_OUT, PORTABLE_HTTP } from './guards/packages.ts'
import { SCREEN_TEXTS } from './guards/screen-texts.ts'
import { FILE_LENGTH, FOLDER_SIZE } from './guards/sizes.ts'
import { SETTINGS_ARE_SET, USED_EXPORTS } from './guards/unused.ts'
import { VOCABULARY } from './guards/vocabulary.ts'
import { BUDGETS_FILE } from './support/budgets-file.ts'
import { isScript, readSourceFiles } from './support/source-file.ts'

const CODE = ['src', 'web/src', 'test', 'bench', 'scripts']
const TEXT = [...CODE, 'docs', 'deploy', 'examples', 'README.md', 'CONTRIBUTING.md', 'CHANGELOG.md']

const GUARDS: readonly (readonly [guard: Guard, roots: readonly string[]])[] = [
  [IMPORT_DIRECTION, ['src']],
  [LIBRARY_IMPORTS, ['src/library']],
  [WEB_IMPORTS, ['web/src']],
  [EXPECTED_IMPORTS, ['src']],
  [FEATURE_IMPORTS, ['src']],
  [IMPORT_CYCLES, ['src', 'web/src', 'test/simulation', 'test/chaos', 'bench', 'scripts']],
  [NO_PACKAGES, ['src']],
  [PORTABLE_HTTP, ['src']],
  [ONE_WAY_OUT, ['src']],
  [CORE_WITHOUT_PACKAGES, ['src']],
  [CLOCK_AND_DICE, ['src']],
  [AGES_BY_ELAPSED_TIME, ['src']],
  [PORTS_OF_TYPES, ['src']],
  [ONE_TYPE_FOR_A_NAME, ['src']],
  [OPENING_COMMENTS, CODE],
  [FILE_LENGTH, ['src']],
  [FOLDER_SIZE, ['src']],
  [FOLDER_LINES, ['src', 'web', 'test', BUDGETS_FILE]],
  [FUNCTION_LENGTH, ['src', BUDGETS_FILE]],
  [USED_EXPORTS, ['src', 'web', 'scripts', 'package.json', BUDGETS_FILE]],
  [SETTINGS_ARE_SET, ['src']],
  [VOCABULARY, TEXT],
  [SCREEN_TEXTS, ['web/src']],
]

for (const [guard, roots] of GUARDS) {
  describe(`the rule "${guard.rule}"`, () => {
    it('holds in the source tree', () => {
      const files = readSourceFiles(roots)
      expect(files.length).toBeGreaterThan(0)
      expect(guard.check(files)).toEqual([])
    })

    for (const planted of guard.planted) {
      it(`reports ${planted.violation}`, () => {
        expect(guard.check(plantedFiles(planted))).toEqual(planted.reported)
      })
    }

    it('has a planted violation', () => {
      expect(guard.planted.length).toBeGreaterThan(0)
    })
  })
}

describe('the exclusions of biome.json', () => {
  const roots = ['src', 'web', 'test', 'bench', 'scripts', 'examples', 'deploy', 'vitest.config.ts']
  const files = readSourceFiles(roots)
    .filter(isScript)
    .map(({ path }) => path)
  const matchedBy = (exclusion: string) =>
    files.filter((path) => [exclusion, `${exclusion}/**`].some((pattern) => matchesGlob(path, pattern)))

  it('leave every TypeScript file to lint and format', () => {
    const { includes } = JSON.parse(readFileSync('biome.json', 'utf8')).files as { includes: string[] }
    const exclusions = includes.filter((pattern) => pattern.startsWith('!')).map((text) => text.slice(1))
    expect(includes).toContain('**')
    expect(exclusions.flatMap(matchedBy)).toEqual([])
  })

  it('are found to hide files of src, of the examples and of the build of the dashboard', () => {
    expect(matchedBy('**/migrations')).toContain('src/stores/migrations/files.ts')
    expect(matchedBy('examples/next')).toContain('examples/next/app/api/hook/route.ts')
    expect(matchedBy('**/vite.config.ts')).toEqual(['web/vite.config.ts'])
  })
})
