// The Kubernetes manifests: settings, probes, limits, and the rights and connections that the pods do not have.
import { describe, expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { readConfig } from '../../src/runtimes/config/config.ts'
import { expectDocumented, GIVEN, PASSED, readRoot, VERSION } from './support/deploy-files.ts'

const text = readRoot('deploy/node/kubernetes/terce.yaml')
const documents = parseAllDocuments(text).map((document) => {
  expect(document.errors).toEqual([])
  return document.toJS()
})
const ofKind = (wanted: string) => documents.filter(({ kind }) => kind === wanted)
const deployments = ofKind('Deployment')
const policies = Object.fromEntries(
  ofKind('NetworkPolicy').map(({ metadata, spec }) => [metadata.name, spec]),
)

type Variable = { name: string; value?: string; valueFrom?: { secretKeyRef: { name: string; key: string } } }

describe('the Kubernetes manifests', () => {
  it('run an API and workers, with a service and network policies', () => {
    expect(documents.map(({ kind, metadata }) => `${kind} ${metadata.name}`).sort()).toEqual([
      'Deployment terce-api',
      'Deployment terce-worker',
      'NetworkPolicy terce-api',
      'NetworkPolicy terce-egress',
      'NetworkPolicy terce-worker',
      'Service terce',
    ])
    const [api, worker] = deployments
    const [service] = ofKind('Service')
    expect(api.spec.template.spec.containers[0].readinessProbe.httpGet.path).toBe('/readyz')
    expect(service.spec.selector).toEqual(api.spec.selector.matchLabels)
    expect(worker.spec.template.spec.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(20)
  })

  for (const { metadata, spec } of deployments) {
    const pod = spec.template.spec
    const [container] = pod.containers
    const variables: Variable[] = container.env

    describe(metadata.name, () => {
      it('has a liveness probe, and a selector that matches its pods', () => {
        expect(container.livenessProbe.httpGet.path).toBe('/healthz')
        expect(spec.selector.matchLabels).toEqual(spec.template.metadata.labels)
      })

      it('gets the URL and the secret of the webhook and the key of the secrets, so that deliveries are signed', () => {
        expectDocumented(variables.map(({ name }) => name))
        expect(variables.map(({ name }) => name)).toEqual(expect.arrayContaining(PASSED))
        const env = variables.map(({ name, value }) => [name, value ?? GIVEN[name]!])
        const config = readConfig(Object.fromEntries(env))
        expect(config.webhookUrl).toBe(GIVEN.WEBHOOK_URL)
        expect(config.webhookSecrets).toEqual([GIVEN.WEBHOOK_SECRET])
        expect(config.secretKeys).not.toBeNull()
      })

      it('reads each secret from the Secret named terce, and starts only if all exist', () => {
        for (const { name, valueFrom } of variables.filter(({ name }) => PASSED.includes(name)))
          expect(valueFrom).toEqual({ secretKeyRef: { name: 'terce', key: name } })
      })

      it('has no credentials of the cluster', () => {
        expect(pod.automountServiceAccountToken).toBe(false)
        expect(pod.enableServiceLinks).toBe(false)
      })

      it('runs without root, capabilities and a writable root', () => {
        expect(pod.securityContext).toMatchObject({
          runAsNonRoot: true,
          runAsUser: 1000,
          runAsGroup: 1000,
          seccompProfile: { type: 'RuntimeDefault' },
        })
        expect(container.securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        })
      })

      it('has requests and limits of CPU, memory and temporary storage', () => {
        const { requests, limits } = container.resources
        for (const resource of ['cpu', 'memory', 'ephemeral-storage'])
          expect([requests[resource], limits[resource]], resource).not.toContain(undefined)
        const [temporary] = pod.volumes
        expect(temporary.emptyDir.sizeLimit).toMatch(/^\d+Mi$/)
        expect(container.volumeMounts).toEqual([{ name: temporary.name, mountPath: '/tmp' }])
      })

      it('runs the image of this version, and says how to pin the digest of your own build', () => {
        expect(container.image).toBe(`terce:${VERSION}`)
        expect(text).toContain('docker buildx imagetools inspect')
      })
    })
  }

  it('accept connections to the API and to the metrics port alone', () => {
    const labels = (part: string) => ({ matchLabels: { app: 'terce', part } })
    expect(policies['terce-api']).toMatchObject({
      podSelector: labels('api'),
      policyTypes: ['Ingress'],
      ingress: [{ ports: [{ port: 'http' }] }],
    })
    expect(policies['terce-worker']).toMatchObject({
      podSelector: labels('worker'),
      policyTypes: ['Ingress'],
      ingress: [{ from: [{ namespaceSelector: expect.anything() }], ports: [{ port: 'metrics' }] }],
    })
  })

  it('connect to DNS, the database and public addresses alone', () => {
    const egress = policies['terce-egress']
    expect(egress.podSelector).toEqual({ matchLabels: { app: 'terce' } })
    expect(egress.policyTypes).toEqual(['Egress'])
    const [dns, database, internet] = egress.egress
    expect(dns.to).toEqual([
      { namespaceSelector: {}, podSelector: { matchLabels: { 'k8s-app': 'kube-dns' } } },
    ])
    expect(dns.ports.map(({ port }: { port: number }) => port)).toEqual([53, 53])
    expect(database.ports).toEqual([{ port: 5432, protocol: 'TCP' }])
    const [v4, v6] = internet.to.map(({ ipBlock }: { ipBlock: object }) => ipBlock)
    expect(v4.cidr).toBe('0.0.0.0/0')
    expect(v4.except).toEqual(
      expect.arrayContaining([
        '10.0.0.0/8',
        '172.16.0.0/12',
        '192.168.0.0/16',
        '169.254.0.0/16',
        '100.64.0.0/10',
      ]),
    )
    // Metadata services and unique local addresses are outside this range.
    expect(v6).toEqual({ cidr: '2000::/3' })
    expect(egress.egress).toHaveLength(3)
  })
})
