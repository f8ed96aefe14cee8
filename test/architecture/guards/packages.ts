// Which folders may import packages and Node modules.
import { importedNames, importedPackages, importedPaths } from '../support/imports.ts'
import { isIn, type SourceFile, withoutComments } from '../support/source-file.ts'
import type { Guard } from './guard.ts'

const WITHOUT_PACKAGES = /^src\/(?:domain|ports|engine|app)\//
const CORE = 'src/domain/core.ts'

export const NO_PACKAGES: Guard = {
  rule: 'domain, ports, engine and app import no package and no Node module, but LiquidJS in domain/messages',
  check(files) {
    return files
      .filter((file) => WITHOUT_PACKAGES.test(file.path))
      .flatMap((file) =>
        importedPackages(file)
          .filter((name) => !(name === 'liquidjs' && file.path.startsWith('src/domain/messages/')))
          .map((name) => `${file.path} imports ${name}`),
      )
  },
  planted: [
    {
      violation: 'a package in app',
      tree: { 'src/app/users/users.ts': "import { z } from 'zod'" },
      reported: ['src/app/users/users.ts imports zod'],
    },
    {
      violation: 'a Node module in the engine',
      tree: { 'src/engine/claim.ts': "import { randomUUID } from 'node:crypto'" },
      reported: ['src/engine/claim.ts imports node:crypto'],
    },
    {
      violation: 'LiquidJS outside domain/messages',
      tree: { 'src/domain/events/event.ts': "import { Liquid } from 'liquidjs'" },
      reported: ['src/domain/events/event.ts imports liquidjs'],
    },
  ],
}

export const PORTABLE_HTTP: Guard = {
  rule: 'http imports no Node module, so that it runs on Cloudflare Workers',
  check(files) {
    return files.filter(isIn('src/http')).flatMap((file) =>
      importedNames(file)
        .filter((name) => name.startsWith('node:'))
        .map((name) => `${file.path} imports ${name}`),
    )
  },
  planted: [
    {
      violation: 'a Node module in a handler',
      tree: { 'src/http/users/users.ts': "import { Buffer } from 'node:buffer'" },
      reported: ['src/http/users/users.ts imports node:buffer'],
    },
  ],
}

const OPENS_CONNECTIONS = /^(?:undici|node:(?:net|tls|https?|http2|dgram|dns(?:\/promises)?))$/
/** Not a type import, and neither a property nor a method of the name. */
const VALUE_IMPORT = /^import (?!type )[^']*'([^']+)'/gm
const CALLS_FETCH = /(?<![.\w])(?:globalThis\.)?fetch\(|\bnew (?:WebSocket|EventSource)\b/

export const ONE_WAY_OUT: Guard = {
  rule: 'only channels/dial connects to the network: a channel cannot bypass the guard against private targets',
  check(files) {
    return files
      .filter((file) => file.path.startsWith('src/channels/') && !file.path.startsWith('src/channels/dial/'))
      .flatMap((file) => [
        ...[...file.text.matchAll(VALUE_IMPORT)]
          .map((match) => match[1]!)
          .filter((name) => OPENS_CONNECTIONS.test(name))
          .map((name) => `${file.path} imports ${name}`),
        ...(CALLS_FETCH.exec(withoutComments(file.text)) ?? []).map((call) => `${file.path} calls ${call}`),
      ])
  },
  planted: [
    {
      violation: 'a channel with a socket of its own',
      tree: { 'src/channels/sms/sms.ts': "import { connect, type Socket } from 'node:net'" },
      reported: ['src/channels/sms/sms.ts imports node:net'],
    },
    {
      violation: 'a channel that calls the global fetch',
      tree: { 'src/channels/sms/sms.ts': 'const sent = await fetch(url)\nconst ours = dial.fetch(url)' },
      reported: ['src/channels/sms/sms.ts calls fetch('],
    },
    {
      violation: 'a channel with an HTTP client of its own',
      tree: {
        'src/channels/sms/sms.ts':
          "import type { Socket } from 'node:net'\nimport {\n  Agent,\n} from 'undici'",
      },
      reported: ['src/channels/sms/sms.ts imports undici'],
    },
  ],
}

export const CORE_WITHOUT_PACKAGES: Guard = {
  rule: 'terce/core reaches no package through any of its imports',
  check(files) {
    const byPath = new Map(files.map((file) => [file.path, file]))
    const reached = new Set([CORE])
    const violations: string[] = []
    for (const path of reached) {
      const file: SourceFile | undefined = byPath.get(path)
      if (file === undefined) continue
      for (const name of importedPackages(file)) violations.push(`${path} imports ${name}`)
      for (const target of importedPaths(file)) reached.add(target)
    }
    return byPath.has(CORE) ? violations : [`${CORE} is missing`]
  },
  planted: [
    {
      violation: 'a package two imports away from the core',
      tree: {
        [CORE]: "export { render } from './messages/message.ts'",
        'src/domain/messages/message.ts': "import { engine } from './liquid.ts'",
        'src/domain/messages/liquid.ts': "import { Liquid } from 'liquidjs'",
      },
      reported: ['src/domain/messages/liquid.ts imports liquidjs'],
    },
    { violation: 'a core that was moved', tree: {}, reported: [`${CORE} is missing`] },
  ],
}
