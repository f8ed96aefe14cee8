// The Kubernetes manifests: their settings fit the code, and pods have no rights and connections that they do not need.
import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { HEALTH, READINESS } from '../../src/http/system/operations.ts'
import { expectSigned, GIVEN, PASSED, readRoot, STOP_SECONDS, VERSION } from './support/deploy-files.ts'
import { itWith } from './support/installed.ts'

// biome-ignore lint/suspicious/noExplicitAny: the resources have as many shapes as Kubernetes has kinds.
type Json = any

const secretOf = (key: string) => ({ secretKeyRef: { name: 'terce', key } })

/** The `spec` of each resource, by `kind`. */
function readSpecs(text: string): Record<string, Json[]> {
  const resources: Json[] = parseAllDocuments(text).map((document) => document.toJS())
  const kinds = Object.entries(Object.groupBy(resources, ({ kind }) => kind))
  return Object.fromEntries(kinds.map(([kind, ofKind]) => [kind, ofKind!.map(({ spec }) => spec)]))
}

describe.each(['sqlite', 'postgres'])('deploy/node/kubernetes/%s.yaml', (database) => {
  const path = `deploy/node/kubernetes/${database}.yaml`
  const text = readRoot(path)
  const { Deployment: deployments = [], Service: services, NetworkPolicy: policies = [] } = readSpecs(text)
  const pods: Json[] = deployments.map(({ template }) => template.spec)
  const labels = deployments.map(({ template }) => template.metadata.labels)

  itWith('kubectl', '--help', 'has values of the types that kubectl expects', () => {
    const args = ['label', 'checked=yes', '--local', '-o', 'name', '-f', path]
    const { status, stderr } = spawnSync('kubectl', args, { encoding: 'utf8' })
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  })

  it('says in its first lines how to create every field of the Secret and how to apply the file', () => {
    const head = text.slice(0, text.indexOf('\napiVersion'))
    const created = [...head.matchAll(/--from-literal=(\w+)=/g)].map(([, name]) => name)
    const used = [...text.matchAll(/secretKeyRef: \{ name: terce, key: (\w+) \}/g)].map(([, name]) => name)
    expect(new Set(created)).toEqual(new Set(used))
    expect(head).toContain(`kubectl apply -f ${path}`)
  })

  it('probes the paths that the code serves, and gives each process more time to stop than it takes', () => {
    const [api, worker] = pods.map(({ containers }) => containers[0])
    expect(`GET ${api.readinessProbe.httpGet.path}`).toBe(READINESS.route)
    for (const { livenessProbe, ports } of worker === undefined ? [api] : [api, worker])
      expect([`GET ${livenessProbe.httpGet.path}`, livenessProbe.httpGet.port]).toEqual([
        HEALTH.route,
        ports[0].name,
      ])
    const preStop = Number(api.lifecycle.preStop.exec.command[1])
    for (const { terminationGracePeriodSeconds } of pods)
      expect(terminationGracePeriodSeconds).toBeGreaterThan(preStop + STOP_SECONDS)
  })

  it('signs deliveries with secrets of the Secret, and contains no secret', () => {
    for (const { containers } of pods) {
      const variables: Json[] = containers[0].env
      for (const { name, value, valueFrom } of variables)
        if ([...PASSED, 'TERCE_API_KEYS'].includes(name)) expect(valueFrom).toEqual(secretOf(name))
        else expect([name, value]).toEqual(['METRICS_PORT', `${containers[0].ports[0].containerPort}`])
      const settings = variables.map(({ name, value }) => [name, value ?? GIVEN[name]])
      expect(expectSigned(Object.fromEntries(settings)).database.kind).toBe(database)
    }
  })

  it('migrates before the probes begin, as the role that owns the tables', () => {
    const variable = { name: 'DATABASE_URL', valueFrom: secretOf('MIGRATE_DATABASE_URL') }
    for (const { initContainers, containers } of pods) {
      const [{ args, env, volumeMounts }] = initContainers
      expect([args, env]).toEqual([['migrate'], database === 'sqlite' ? undefined : [variable]])
      expect(volumeMounts).toEqual(containers[0].volumeMounts)
    }
  })

  it('runs the image of this version without root, rights, a writable root, and a token of the cluster', () => {
    for (const { initContainers, containers, securityContext, ...pod } of pods) {
      expect(pod).toMatchObject({ automountServiceAccountToken: false, enableServiceLinks: false })
      const user = { runAsNonRoot: true, runAsUser: 1000, runAsGroup: 1000 }
      expect(securityContext).toMatchObject({ ...user, seccompProfile: { type: 'RuntimeDefault' } })
      for (const { image, resources, ...container } of [...initContainers, ...containers]) {
        expect(image).toBe(`terce:${VERSION}`)
        expect(container.securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        })
        for (const given of [resources.requests, resources.limits])
          expect(Object.keys(given)).toEqual(['cpu', 'memory', 'ephemeral-storage'])
      }
    }
  })

  it('is reached at its named ports alone', () => {
    expect(deployments.map(({ selector }) => selector.matchLabels)).toEqual(labels)
    const [{ selector, ports }] = services as [Json]
    expect([selector, ports[0].targetPort]).toEqual([labels[0], 'http'])
    expect(pods[0].containers[0].ports).toEqual([{ name: 'http', containerPort: 3000 }])
    const ingress = policies.filter(({ policyTypes }) => policyTypes[0] === 'Ingress')
    expect(ingress.map(({ podSelector }) => podSelector.matchLabels)).toEqual(labels)
    const names = ingress
      .flatMap((policy) => policy.ingress.flatMap((rule: Json) => rule.ports))
      .map(({ port }) => port)
    expect(names).toEqual(pods.map(({ containers }) => containers[0].ports[0].name))
  })

  it('connects to DNS, public addresses and the port of PostgreSQL alone', () => {
    const [dns, internet, ...others] = policies.flatMap(({ egress = [] }) => egress)
    expect(dns.to[0].podSelector).toEqual({ matchLabels: { 'k8s-app': 'kube-dns' } })
    const internal = ['10.0.0.0/8', '100.64.0.0/10', '169.254.0.0/16', '172.16.0.0/12', '192.168.0.0/16']
    expect(internet.to[0].ipBlock.except).toEqual(expect.arrayContaining(internal))
    // Metadata services and unique local addresses are outside this range.
    expect(internet.to[1].ipBlock).toEqual({ cidr: '2000::/3' })
    expect(others).toEqual(database === 'sqlite' ? [] : [{ ports: [{ port: 5432, protocol: 'TCP' }] }])
  })
})

it('deploy/node/kubernetes/sqlite.yaml starts the next process after the last has stopped, with its file in a volume', () => {
  const { Deployment: deployments } = readSpecs(readRoot('deploy/node/kubernetes/sqlite.yaml'))
  expect(deployments).toMatchObject([{ replicas: 1, strategy: { type: 'Recreate' } }])
  const { containers, securityContext, volumes } = deployments![0].template.spec
  expect([containers[0].args, securityContext.fsGroup]).toEqual([['all'], 1000])
  expect(containers[0].volumeMounts).toContainEqual({ name: 'data', mountPath: '/data' })
  expect(volumes).toContainEqual({ name: 'data', persistentVolumeClaim: { claimName: 'terce-data' } })
})

it('deploy/node/kubernetes/postgres.yaml has two pods of each part, of which a drained node stops one, and API keys in the API alone', () => {
  const specs = readSpecs(readRoot('deploy/node/kubernetes/postgres.yaml'))
  const [api, worker] = specs.Deployment!
  expect([api.replicas, worker.replicas]).toEqual([undefined, 2])
  expect(specs.HorizontalPodAutoscaler).toMatchObject([
    { minReplicas: 2, scaleTargetRef: { name: 'terce-api' } },
  ])
  const budgets = specs.PodDisruptionBudget!.map(({ minAvailable, selector }) => [minAvailable, selector])
  expect(budgets).toEqual([api, worker].map(({ selector }) => [1, selector]))
  const hasKeys = [api, worker].map((spec) => JSON.stringify(spec).includes('TERCE_API_KEYS'))
  expect(hasKeys).toEqual([true, false])
})
