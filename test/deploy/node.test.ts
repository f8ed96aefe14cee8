// The files for containers, systemd and Kubernetes: they parse, and use only settings that Terce has.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { readConfig } from '../../src/runtimes/config/config.ts'

const read = (name: string) => readFileSync(new URL(`../../deploy/node/${name}`, import.meta.url), 'utf8')
const settings = readFileSync(new URL('../../docs/operate.md', import.meta.url), 'utf8')

/** Every setting must be documented in docs/operate.md. */
function expectDocumented(names: readonly string[]) {
  for (const name of names) expect(settings, name).toContain(`| \`${name}\` |`)
}

describe('the compose file', () => {
  const compose = parse(read('compose.yaml'), { merge: true })

  it('starts an API and workers after PostgreSQL is healthy, with documented settings', () => {
    const { api, worker, postgres } = compose.services
    expect([api.command, worker.command]).toEqual([['api'], ['worker']])
    for (const { environment, depends_on, build } of [api, worker]) {
      expectDocumented(Object.keys(environment))
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

describe('the Kubernetes manifests', () => {
  const documents = parseAllDocuments(read('kubernetes/terce.yaml')).map((document) => {
    expect(document.errors).toEqual([])
    return document.toJS()
  })

  it('run an API and workers without root, with probes and a grace period', () => {
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
      expectDocumented((container.env ?? []).map(({ name }: { name: string }) => name))
    }
    const [api, service, worker] = documents
    expect(api.spec.template.spec.containers[0].readinessProbe.httpGet.path).toBe('/readyz')
    expect(service.spec.selector).toEqual(api.spec.selector.matchLabels)
    expect(worker.spec.template.spec.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(20)
  })
})

describe('the systemd unit', () => {
  it('has only sections and directives in the syntax of systemd', () => {
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

describe('the Dockerfile', () => {
  it('copies only existing files, and runs Terce as an unprivileged user', () => {
    const dockerfile = read('Dockerfile')
    for (const [, what] of dockerfile.matchAll(/^COPY ([\w./ -]+) [\w./-]+$/gm)) {
      for (const path of what!.split(' ').filter((part) => !part.startsWith('--')))
        expect(() => readFileSync(new URL(`../../${path}`, import.meta.url)), path).not.toThrow(/ENOENT/)
    }
    expect(dockerfile).toMatch(/^USER node$/m)
    expect(dockerfile).toMatch(/^ENTRYPOINT \["node", "bin\/terce.js"\]$/m)
  })
})
