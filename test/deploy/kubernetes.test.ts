// The Kubernetes manifests: their settings fit the code, and pods have no rights and connections that they do not need.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { HEALTH, READINESS } from '../../src/http/system/operations.ts'
import { readConfig } from '../../src/runtimes/config/config.ts'
import { expectDocumented, GIVEN, PASSED, readRoot, STOP_SECONDS, VERSION } from './support/deploy-files.ts'
import { itWith } from './support/installed.ts'

// biome-ignore lint/suspicious/noExplicitAny: the resources have as many shapes as Kubernetes has kinds.
type Json = any

const secretOf = (key: string) => ({ secretKeyRef: { name: 'terce', key } })
const readManifest = (database: string): Json[] =>
  parseAllDocuments(readRoot(`deploy/node/kubernetes/${database}.yaml`)).map((document) => document.toJS())
const ofKind = (resources: Json[], wanted: string) => resources.filter(({ kind }) => kind === wanted)
const portNamesOf = ({ ports = [] }: Json): string[] => ports.map(({ name }: Json) => name)

describe.each(['sqlite', 'postgres'])('deploy/node/kubernetes/%s.yaml', (database) => {
  const path = `deploy/node/kubernetes/${database}.yaml`
  const text = readRoot(path)
  const resources = readManifest(database)
  const deployments = ofKind(resources, 'Deployment')
  const pods: Json[] = deployments.map(({ spec }) => spec.template)

  itWith('kubectl', '--help', 'has values of the types that kubectl expects', () => {
    const args = [
      'label',
      '--local',
      '-o',
      'name',
      '-f',
      fileURLToPath(new URL(`../../${path}`, import.meta.url)),
    ]
    const { status, stderr } = spawnSync('kubectl', [...args, 'checked=yes'], { encoding: 'utf8' })
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  })

  it('says in its first lines how to create every field of the Secret and how to apply the file', () => {
    const head = text.slice(0, text.indexOf('\napiVersion'))
    const created = [...head.matchAll(/--from-literal=(\w+)=/g)].map(([, name]) => name!)
    const used = [...text.matchAll(/secretKeyRef: \{ name: terce, key: (\w+) \}/g)].map(([, name]) => name!)
    expect(created.toSorted()).toEqual([...new Set(used)].toSorted())
    expect(head).toContain(`kubectl apply -f ${path}`)
  })

  it('has no selector without a pod, and no rule for a port without a container', () => {
    for (const { kind, metadata, spec } of resources) {
      const selector = kind === 'Service' ? spec.selector : (spec.podSelector ?? spec.selector)?.matchLabels
      if (selector === undefined) continue
      const selected = pods.filter(({ metadata: { labels } }) =>
        Object.entries(selector).every(([name, value]) => labels[name] === value),
      )
      expect(selected.length, `${kind} ${metadata.name}`).toBeGreaterThan(0)
      const names = selected.flatMap((pod) => pod.spec.containers.flatMap(portNamesOf))
      const rules = [...(spec.ingress ?? []), ...(kind === 'Service' ? [spec] : [])]
      for (const { port, targetPort = port } of rules.flatMap(({ ports }) => ports))
        expect(names).toContain(targetPort)
    }
  })

  it.each(deployments)(
    '$metadata.name probes the paths that the code serves, and has time to stop',
    ({ spec }) => {
      const { terminationGracePeriodSeconds, containers } = spec.template.spec
      const [{ livenessProbe, readinessProbe, lifecycle, args, ...container }] = containers
      expect(`GET ${livenessProbe.httpGet.path}`).toBe(HEALTH.route)
      expect(portNamesOf(container)).toContain(livenessProbe.httpGet.port)
      // A worker has no API, and gets no requests that could wait until it is ready.
      const preStop = args[0] === 'worker' ? 0 : Number(lifecycle.preStop.exec.command[1])
      if (args[0] !== 'worker') expect(`GET ${readinessProbe.httpGet.path}`).toBe(READINESS.route)
      expect(terminationGracePeriodSeconds).toBeGreaterThan(preStop + STOP_SECONDS)
    },
  )

  it.each(deployments)(
    '$metadata.name signs deliveries with secrets of the Secret, and has none in the file',
    ({ spec }) => {
      const variables: Json[] = spec.template.spec.containers[0].env
      expectDocumented(variables.map(({ name }) => name))
      for (const { name, value, valueFrom } of variables)
        if ([...PASSED, 'TERCE_API_KEYS'].includes(name)) expect(valueFrom).toEqual(secretOf(name))
        else expect([name, value]).toEqual(['METRICS_PORT', '9090'])
      const config = readConfig(
        Object.fromEntries(variables.map(({ name, value }) => [name, value ?? GIVEN[name]])),
      )
      expect(config.webhookUrl).toBe(GIVEN.WEBHOOK_URL)
      expect(config.webhookSecrets).toEqual([GIVEN.WEBHOOK_SECRET])
      expect(config.secretKeys).toEqual([Buffer.alloc(32, 7)])
      expect(config.database.kind).toBe(database)
    },
  )

  it.each(deployments)(
    '$metadata.name migrates before its probes begin, as the role that owns the tables',
    ({ spec }) => {
      const { initContainers, containers } = spec.template.spec
      const [migrate, ...others] = initContainers
      expect([migrate.args, others]).toEqual([['migrate'], []])
      expect(migrate.volumeMounts).toEqual(containers[0].volumeMounts)
      const variable = { name: 'DATABASE_URL', valueFrom: secretOf('MIGRATE_DATABASE_URL') }
      expect(migrate.env).toEqual(database === 'sqlite' ? undefined : [variable])
    },
  )

  it.each(deployments)(
    '$metadata.name runs without root, rights, a writable root and a token of the cluster',
    ({ spec }) => {
      const { initContainers, containers, volumes, ...pod } = spec.template.spec
      expect([pod.automountServiceAccountToken, pod.enableServiceLinks]).toEqual([false, false])
      expect(pod.securityContext).toMatchObject({
        runAsNonRoot: true,
        runAsUser: 1000,
        runAsGroup: 1000,
        seccompProfile: { type: 'RuntimeDefault' },
      })
      expect(volumes).toContainEqual({ name: 'tmp', emptyDir: { sizeLimit: '64Mi' } })
      for (const { image, securityContext, resources, volumeMounts } of [...initContainers, ...containers]) {
        expect(image).toBe(`terce:${VERSION}`)
        expect(securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        })
        expect(volumeMounts).toContainEqual({ name: 'tmp', mountPath: '/tmp' })
        for (const given of [resources.requests, resources.limits])
          expect(Object.keys(given)).toEqual(['cpu', 'memory', 'ephemeral-storage'])
      }
    },
  )

  it('connects to DNS, public addresses and the port of PostgreSQL alone, and is reached at its named ports alone', () => {
    const policies: Json[] = ofKind(resources, 'NetworkPolicy').map(({ spec }) => spec)
    const ingress = policies.filter(({ policyTypes }) => policyTypes[0] === 'Ingress')
    expect(ingress.map(({ podSelector }) => podSelector.matchLabels)).toEqual(
      pods.map(({ metadata }) => metadata.labels),
    )
    expect(ingress.map((policy) => policy.ingress.map(({ ports }: Json) => ports))).toEqual(
      ['http', 'metrics'].slice(0, pods.length).map((port) => [[{ port, protocol: 'TCP' }]]),
    )
    const [dns, internet, ...others] = policies.flatMap(({ egress = [] }) => egress)
    expect(dns.to).toEqual([
      { namespaceSelector: {}, podSelector: { matchLabels: { 'k8s-app': 'kube-dns' } } },
    ])
    const [v4, v6] = internet.to.map(({ ipBlock }: Json) => ipBlock)
    const internal = ['10.0.0.0/8', '100.64.0.0/10', '169.254.0.0/16', '172.16.0.0/12', '192.168.0.0/16']
    expect(v4.except).toEqual(expect.arrayContaining(internal))
    // Metadata services and unique local addresses are outside this range.
    expect(v6).toEqual({ cidr: '2000::/3' })
    expect(others).toEqual(database === 'sqlite' ? [] : [{ ports: [{ port: 5432, protocol: 'TCP' }] }])
  })
})

it('deploy/node/kubernetes/sqlite.yaml replaces its one process only after it has stopped, and keeps the file in a volume', () => {
  const resources = readManifest('sqlite')
  const [{ spec }, ...others] = ofKind(resources, 'Deployment') as [Json]
  expect(others).toEqual([])
  expect(spec).toMatchObject({ replicas: 1, strategy: { type: 'Recreate' } })
  const { containers, securityContext, volumes } = spec.template.spec
  expect(containers[0].args).toEqual(['all'])
  expect(containers[0].volumeMounts).toContainEqual({ name: 'data', mountPath: '/data' })
  const [{ metadata }] = ofKind(resources, 'PersistentVolumeClaim') as [Json]
  expect(volumes).toContainEqual({ name: 'data', persistentVolumeClaim: { claimName: metadata.name } })
  expect(securityContext.fsGroup).toBe(1000)
})

it('deploy/node/kubernetes/postgres.yaml has two pods of each part, of which a drained node stops one, and API keys in the API alone', () => {
  const resources = readManifest('postgres')
  const [api, worker] = ofKind(resources, 'Deployment').map(({ spec }) => spec)
  const [autoscaler] = ofKind(resources, 'HorizontalPodAutoscaler').map(({ spec }) => spec)
  expect([api.replicas, worker.replicas]).toEqual([undefined, 2])
  expect(autoscaler).toMatchObject({ minReplicas: 2, scaleTargetRef: { name: 'terce-api' } })
  expect(ofKind(resources, 'PodDisruptionBudget').map(({ spec }) => spec.minAvailable)).toEqual([1, 1])
  const [apiEnv, workerEnv] = [api, worker].map(({ template }) => JSON.stringify(template))
  expect([apiEnv!.includes('TERCE_API_KEYS'), workerEnv!.includes('TERCE_API_KEYS')]).toEqual([true, false])
})
