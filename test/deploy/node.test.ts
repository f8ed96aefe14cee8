// What is shipped for containers, systemd and Kubernetes: that it parses, and that its parts agree with the product.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { readConfig } from '../../src/runtimes/config/config.ts'

const read = (name: string) => readFileSync(new URL(`../../deploy/node/${name}`, import.meta.url), 'utf8')
const settings = readFileSync(new URL('../../docs/operate.md', import.meta.url), 'utf8')

/** Every setting named must be one that the product knows. */
function expectKnown(names: readonly string[]) {
  for (const name of names) expect(settings, name).toContain(`| \`${name}\` |`)
}

describe('the compose file', () => {
  const compose = parse(read('compose.yaml'), { merge: true })

  it('starts an API and workers on one healthy PostgreSQL, with settings that exist', () => {
    const { api, worker, postgres } = compose.services
    expect([api.command, worker.command]).toEqual([['api'], ['worker']])
    for (const { environment, depends_on, build } of [api, worker]) {
      expectKnown(Object.keys(environment))
      expect(depends_on.postgres.condition).toBe('service_healthy')
      expect(build.dockerfile).toBe('deploy/node/Dockerfile')
    }
    expect(postgres.healthcheck.test.join(' ')).toContain('pg_isready')
    expect(worker.stop_grace_period).toBe('20s')
    expect(() =>
      readConfig({ DATABASE_URL: 'postgres://terce:x@postgres/terce', METRICS_PORT: '9090' }),
    ).not.toThrow()
  })
})

describe('the manifests', () => {
  const documents = parseAllDocuments(read('kubernetes/terce.yaml')).map((document) => {
    expect(document.errors).toEqual([])
    return document.toJS()
  })

  it('run an API and workers as nobody in particular, with probes and time to end', () => {
    expect(documents.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual([
      'Deployment terce-api',
      'Service terce',
      'Deployment terce-worker',
    ])
    for (const { spec } of documents.filter(({ kind }) => kind === 'Deployment')) {
      const pod = spec.template.spec
      const [container] = pod.containers
      expect(pod.securityContext.runAsNonRoot).toBe(true)
      expect(container.securityContext).toMatchObject({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
      })
      expect(container.livenessProbe.httpGet.path).toBe('/healthz')
      expect(spec.selector.matchLabels).toEqual(spec.template.metadata.labels)
      expectKnown((container.env ?? []).map(({ name }: { name: string }) => name))
    }
    const [api, service, worker] = documents
    expect(api.spec.template.spec.containers[0].readinessProbe.httpGet.path).toBe('/readyz')
    expect(service.spec.selector).toEqual(api.spec.selector.matchLabels)
    expect(worker.spec.template.spec.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(20)
  })
})

describe('the unit', () => {
  it('has every section and directive in a form that systemd takes', () => {
    const lines = read('terce.service')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
    for (const line of lines) expect(line).toMatch(/^(\[(Unit|Service|Install)\]|[A-Z][A-Za-z]+=.*)$/)
    expect(lines).toContain('KillSignal=SIGTERM')
    expect(lines.filter((line) => line.startsWith('Environment=')).map((line) => line.split('=')[1])).toEqual(
      ['DATABASE_URL'],
    )
  })
})

describe('the image', () => {
  it('is built with everything it copies, and runs the product as an ordinary user', () => {
    const dockerfile = read('Dockerfile')
    for (const [, what] of dockerfile.matchAll(/^COPY ([\w./ -]+) [\w./-]+$/gm)) {
      for (const path of what!.split(' ').filter((part) => !part.startsWith('--')))
        expect(() => readFileSync(new URL(`../../${path}`, import.meta.url)), path).not.toThrow(/ENOENT/)
    }
    expect(dockerfile).toMatch(/^USER node$/m)
    expect(dockerfile).toMatch(/^ENTRYPOINT \["node", "bin\/terce.js"\]$/m)
  })
})
