// The Kustomizations: valid resources that fit each other and the code, and pods without rights and connections that they do
// not need.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { HEALTH, READINESS } from '../../src/http/system/operations.ts'
import { readConfig } from '../../src/runtimes/config/config.ts'
import { expectDocumented, GIVEN, PASSED, readRoot, VERSION } from './support/deploy-files.ts'
import { parseDockerfile } from './support/dockerfile.ts'
import { typeErrors } from './support/kubernetes-types.ts'
import { type Json, nameOf, parseYaml, render } from './support/kustomize.ts'

const FOLDER = fileURLToPath(new URL('../../deploy/node/kubernetes', import.meta.url))
const OVERLAYS = ['sqlite', 'postgres'] as const
const image = parseDockerfile(readRoot('deploy/node/Dockerfile')).at(-1)!
const copies = mkdtempSync(join(tmpdir(), 'terce-kustomize-'))
afterAll(() => rmSync(copies, { recursive: true, force: true }))

/** Renders a copy of the Kustomizations with one text replaced. */
function renderPlanted(overlay: string, file: string, from: string, to: string): Json[] {
  const folder = mkdtempSync(join(copies, 'planted-'))
  cpSync(FOLDER, folder, { recursive: true })
  const text = readFileSync(join(folder, file), 'utf8')
  expect(text).toContain(from)
  writeFileSync(join(folder, file), text.replace(from, to))
  return render(join(folder, overlay))
}

/** Every reference of a resource to another one, and every selector, that leads nowhere. */
function danglingIn(resources: Json[]): string[] {
  const pods = resources.flatMap(({ spec }) => spec.template ?? [])
  const dangling: string[] = []
  for (const resource of resources) {
    const { kind, spec } = resource
    const note = (isGood: boolean, what: string) => isGood || dangling.push(`${nameOf(resource)}: ${what}`)
    const selector = kind === 'Service' ? spec.selector : (spec.podSelector ?? spec.selector)?.matchLabels
    const selected = pods.filter(({ metadata }) => matches(metadata.labels, selector))
    if (selector !== undefined) note(selected.length > 0, `no pod has the labels ${JSON.stringify(selector)}`)
    if (kind === 'Deployment')
      note(matches(spec.template.metadata.labels, selector), 'selects other pods than its own')
    const ports = selected.flatMap(({ spec }: Json) => spec.containers.flatMap((one: Json) => one.ports))
    const named = kind === 'Service' ? spec.ports.map((one: Json) => one.targetPort) : ingressPorts(spec)
    for (const port of named)
      note(
        ports.some(({ name }: Json) => name === port),
        `no port is named ${port}`,
      )
    const target = spec.scaleTargetRef
    if (target !== undefined)
      note(exists(resources, target.kind, target.name), `${target.kind} ${target.name} does not exist`)
    for (const volume of spec.template?.spec.volumes ?? []) {
      const claim = volume.persistentVolumeClaim?.claimName
      if (claim !== undefined)
        note(exists(resources, 'PersistentVolumeClaim', claim), `no claim is named ${claim}`)
    }
    for (const one of containersOf(resource)) {
      for (const { name } of one.volumeMounts)
        note(
          spec.template.spec.volumes.some((volume: Json) => volume.name === name),
          `no volume is named ${name}`,
        )
      for (const probe of [one.livenessProbe, one.readinessProbe].filter(Boolean))
        note(
          one.ports.some(({ name }: Json) => name === probe.httpGet.port),
          `no port is named ${probe.httpGet.port}`,
        )
    }
  }
  return dangling
}

function ingressPorts(spec: Json): string[] {
  return (spec.ingress ?? []).flatMap(({ ports }: Json) => ports.map((one: Json) => one.port))
}

function matches(labels: Json, selector: Json): boolean {
  return Object.entries(selector ?? {}).every(([name, value]) => labels?.[name] === value)
}

function exists(resources: Json[], kind: string, name: string): boolean {
  return resources.some((one) => one.kind === kind && one.metadata.name === name)
}

function containersOf({ spec }: Json): Json[] {
  const pod = spec.template?.spec
  return pod === undefined ? [] : [...(pod.initContainers ?? []), ...pod.containers]
}

const kustomize = (
  [
    ['kustomize', ['version'], ['build']],
    ['kubectl', ['version', '--client'], ['kustomize']],
  ] as const
).find(([program, version]) => spawnSync(program, version).status === 0)

const NOT_COMPARED =
  'neither kustomize nor kubectl is installed; the renderer of this test was not compared with it'

function expectSameAsKustomize(folder: string): void {
  const [program, , command] = kustomize!
  const { status, stdout, stderr } = spawnSync(program, [...command, folder], { encoding: 'utf8' })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  const byName = (list: Json[]) => Object.fromEntries(list.map((one) => [nameOf(one), one]))
  expect(byName(render(folder))).toEqual(byName(parseYaml(stdout, folder)))
}

describe.each(OVERLAYS)('the Kustomization %s', (overlay) => {
  const folder = join(FOLDER, overlay)
  const resources = render(folder)

  it('renders as kustomize renders it', ({ skip }) => {
    skip(kustomize === undefined, NOT_COMPARED)
    expectSameAsKustomize(folder)
  })

  it('has only fields of the Kubernetes API, of the right types', () => {
    expect(typeErrors(resources)).toEqual([])
  })

  it('has no reference, selector or port that leads nowhere', () => {
    expect(danglingIn(resources)).toEqual([])
  })

  it('says in its first lines how to create every field of the Secret', () => {
    const text = readRoot(`deploy/node/kubernetes/${overlay}/kustomization.yaml`)
    const head = text.slice(0, text.indexOf('apiVersion'))
    const created = [...head.matchAll(/--from-literal=(\w+)=/g)].map(([, name]) => name!)
    const used = resources.flatMap(containersOf).flatMap(({ env = [] }) => env.flatMap(secretKeyOf))
    expect(created.sort()).toEqual([...new Set(used)].sort())
    expect(head).toContain('kubectl create secret generic terce')
    expect(head).toContain(`kubectl apply -k deploy/node/kubernetes/${overlay}`)
    expect(text).toContain('docker buildx imagetools inspect')
  })

  for (const deployment of resources.filter(({ kind }) => kind === 'Deployment')) {
    const pod = deployment.spec.template.spec
    const [container] = pod.containers
    const variables: Json[] = container.env

    describe(deployment.metadata.name, () => {
      it('checks the paths that the code serves, and gives messages in flight their ten seconds', () => {
        expect(`GET ${container.livenessProbe.httpGet.path}`).toBe(HEALTH.route)
        if (deployment.metadata.name === 'terce-api') {
          expect(`GET ${container.readinessProbe.httpGet.path}`).toBe(READINESS.route)
          expect(container.ports).toEqual([{ name: 'http', containerPort: image.ports[0] }])
        } else {
          const port = variables.find(({ name }) => name === 'METRICS_PORT').value
          expect(container.ports).toEqual([{ name: 'metrics', containerPort: Number(port) }])
        }
        expect(pod.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(20)
      })

      it('gets the URL and the secret of the webhook and the key of the secrets, so that deliveries are signed', () => {
        expectDocumented(variables.map(({ name }) => name))
        const env = variables.map(({ name, value }) => [name, value ?? GIVEN[name]!])
        const config = readConfig({ ...image.env, ...Object.fromEntries(env) })
        expect(config.webhookUrl).toBe(GIVEN.WEBHOOK_URL)
        expect(config.webhookSecrets).toEqual([GIVEN.WEBHOOK_SECRET])
        expect(config.secretKeys).not.toBeNull()
        expect(config.database.kind).toBe(overlay)
      })

      it('reads each secret from the Secret named terce, and starts only if all exist', () => {
        for (const { name, value, valueFrom } of variables)
          if ([...PASSED, 'TERCE_API_KEYS'].includes(name))
            expect(valueFrom).toEqual({ secretKeyRef: { name: 'terce', key: name } })
          else expect([name, value]).toEqual(['METRICS_PORT', '9090'])
      })

      it('migrates the database of its process before the probes begin', () => {
        const [migrate, ...others] = pod.initContainers
        expect([migrate.args, others]).toEqual([['migrate'], []])
        const hasUrl = variables.some(({ name }) => name === 'DATABASE_URL')
        const valueFrom = { secretKeyRef: { name: 'terce', key: 'MIGRATE_DATABASE_URL' } }
        expect(migrate.env ?? []).toEqual(hasUrl ? [{ name: 'DATABASE_URL', valueFrom }] : [])
        expect(migrate.volumeMounts).toEqual(container.volumeMounts)
      })

      it('has no credentials of the cluster', () => {
        expect(pod.automountServiceAccountToken).toBe(false)
        expect(pod.enableServiceLinks).toBe(false)
      })

      it('runs as the user of the image, without capabilities and a writable root', () => {
        const [uid, gid] = image.user!.split(':').map(Number)
        expect(pod.securityContext).toMatchObject({
          runAsNonRoot: true,
          runAsUser: uid,
          runAsGroup: gid,
          seccompProfile: { type: 'RuntimeDefault' },
        })
        for (const { securityContext } of containersOf(deployment))
          expect(securityContext).toEqual({
            allowPrivilegeEscalation: false,
            readOnlyRootFilesystem: true,
            capabilities: { drop: ['ALL'] },
          })
      })

      it('has requests and limits of CPU, memory and temporary storage', () => {
        for (const { resources, volumeMounts } of containersOf(deployment)) {
          for (const resource of ['cpu', 'memory', 'ephemeral-storage'])
            expect([resources.requests[resource], resources.limits[resource]], resource).not.toContain(
              undefined,
            )
          expect(volumeMounts).toContainEqual({ name: 'tmp', mountPath: '/tmp' })
        }
        const temporary = pod.volumes.find(({ name }: Json) => name === 'tmp')
        expect(temporary.emptyDir.sizeLimit).toMatch(/^\d+Mi$/)
      })

      it('runs the image of this version', () => {
        for (const container of containersOf(deployment)) expect(container.image).toBe(`terce:${VERSION}`)
      })
    })
  }

  it('connects to DNS and public addresses, with PostgreSQL also to its port, and to nothing else', () => {
    const policies = resources.filter(({ spec }) => spec.policyTypes?.includes('Egress'))
    for (const { spec } of policies) expect(spec.podSelector).toEqual({ matchLabels: { app: 'terce' } })
    const [dns, internet, ...others] = policies.flatMap(({ spec }) => spec.egress)
    expect(dns.to).toEqual([
      { namespaceSelector: {}, podSelector: { matchLabels: { 'k8s-app': 'kube-dns' } } },
    ])
    expect(dns.ports.map(({ port }: Json) => port)).toEqual([53, 53])
    const [v4, v6] = internet.to.map(({ ipBlock }: Json) => ipBlock)
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
    expect(others).toEqual(overlay === 'sqlite' ? [] : [{ ports: [{ port: 5432, protocol: 'TCP' }] }])
  })
})

function secretKeyOf({ valueFrom }: Json): string[] {
  return valueFrom === undefined ? [] : [valueFrom.secretKeyRef.key]
}

describe('the Kustomization sqlite', () => {
  const [deployment, ...others] = render(join(FOLDER, 'sqlite')).filter(({ kind }) => kind === 'Deployment')

  it('runs one process, which the next one replaces only after it has stopped', () => {
    expect(others).toEqual([])
    expect(deployment.spec).toMatchObject({ replicas: 1, strategy: { type: 'Recreate' } })
    expect(deployment.spec.template.spec.containers[0].args).toEqual(['all'])
  })

  it('keeps the database of the image in a volume that the user of the image can write', () => {
    const { containers, securityContext, volumes } = deployment.spec.template.spec
    expect(containers[0].volumeMounts).toContainEqual({ name: 'data', mountPath: image.volumes[0] })
    expect(volumes).toContainEqual({ name: 'data', persistentVolumeClaim: { claimName: 'terce-data' } })
    expect(`${securityContext.runAsUser}:${securityContext.fsGroup}`).toBe(image.user)
  })
})

describe('the Kustomization postgres', () => {
  const resources = render(join(FOLDER, 'postgres'))
  const ofKind = (wanted: string) => resources.filter(({ kind }) => kind === wanted)

  it('runs an API and workers', () => {
    const roles = ofKind('Deployment').map(({ metadata, spec }) => [
      metadata.name,
      spec.template.spec.containers[0].args,
    ])
    expect(roles).toEqual([
      ['terce-api', ['api']],
      ['terce-worker', ['worker']],
    ])
  })

  it('gives API keys to the API alone', () => {
    const haveKeys = ofKind('Deployment').map((deployment) =>
      containersOf(deployment).map(({ env = [] }) => env.some(({ name }: Json) => name === 'TERCE_API_KEYS')),
    )
    // An init container, which migrates, and the process.
    expect(haveKeys).toEqual([
      [false, true],
      [false, false],
    ])
  })

  it('has at least two pods of each part, of which a drained node stops one', () => {
    const [autoscaler] = ofKind('HorizontalPodAutoscaler')
    const [api, worker] = ofKind('Deployment')
    expect([autoscaler.spec.minReplicas, api.spec.replicas, worker.spec.replicas]).toEqual([2, undefined, 2])
    for (const { spec } of ofKind('PodDisruptionBudget')) expect(spec.minAvailable).toBe(1)
    expect(ofKind('PodDisruptionBudget')).toHaveLength(2)
  })

  it('accepts connections to the API and to the metrics port alone', () => {
    const ingress = ofKind('NetworkPolicy').filter(({ spec }) => spec.policyTypes.includes('Ingress'))
    expect(ingress.map(({ spec }) => [spec.podSelector.matchLabels, spec.ingress])).toEqual([
      [{ app: 'terce', part: 'api' }, [{ ports: [{ port: 'http', protocol: 'TCP' }] }]],
      [
        { app: 'terce', part: 'worker' },
        [{ from: [{ namespaceSelector: expect.anything() }], ports: [{ port: 'metrics', protocol: 'TCP' }] }],
      ],
    ])
  })
})

describe('the Kustomization in docs/deploy-node.md', () => {
  const [, text] = /```yaml\n(apiVersion: kustomize[\s\S]+?)```/.exec(readRoot('docs/deploy-node.md'))!
  const folder = mkdtempSync(join(copies, 'documented-'))
  cpSync(FOLDER, join(folder, 'terce/deploy/node/kubernetes'), { recursive: true })
  writeFileSync(join(folder, 'kustomization.yaml'), text!)
  const [api, worker] = render(folder).filter(({ kind }) => kind === 'Deployment')

  it('sets the image of every container and a setting of the API', () => {
    for (const { image } of [api, worker].flatMap(containersOf))
      expect(image).toMatch(/^registry\.example\.com\/terce@sha256:[0-9a-f]{64}$/)
    const env = api.spec.template.spec.containers[0].env
    expect(env).toContainEqual({ name: 'PUBLIC_URL', value: 'https://terce.example.com' })
    expectDocumented(env.map(({ name }: Json) => name))
    expect(env).toContainEqual({
      name: 'DATABASE_URL',
      valueFrom: { secretKeyRef: { name: 'terce', key: 'DATABASE_URL' } },
    })
  })

  it('renders as kustomize renders it', ({ skip }) => {
    skip(kustomize === undefined, NOT_COMPARED)
    expectSameAsKustomize(folder)
  })

  it('has only fields of the Kubernetes API, of the right types', () => {
    expect(typeErrors(render(folder))).toEqual([])
  })
})

it('docs/deploy-node.md applies overlays that exist', () => {
  const paths = [...readRoot('docs/deploy-node.md').matchAll(/deploy\/node\/kubernetes\/(\w+)\b/g)].map(
    ([, name]) => name!,
  )
  expect([...new Set(paths)].sort()).toEqual([...OVERLAYS, 'base'].sort())
})

describe('the checks of the Kustomizations', () => {
  it('find an unknown field, a missing required field and a wrong type', () => {
    const errors = typeErrors([
      ...renderPlanted('postgres', 'base/api.yaml', 'readinessProbe:', 'readyProbe:'),
      ...renderPlanted('postgres', 'postgres/worker.yaml', 'replicas: 2', 'replicas: "2"'),
      ...renderPlanted('postgres', 'postgres/availability.yaml', 'maxReplicas: 6', ''),
    ])
    expect(errors).toEqual([
      expect.stringContaining('readyProbe'),
      expect.stringContaining("Type 'string' is not assignable to type 'number'"),
      expect.stringContaining("Property 'maxReplicas' is missing"),
    ])
  })

  it('find a selector, a target, a claim and a port that do not exist', () => {
    const plant = (...planted: Parameters<typeof renderPlanted>) => danglingIn(renderPlanted(...planted))
    const service = 'selector: { app: terce, part: api }'
    expect(plant('sqlite', 'base/service.yaml', service, 'selector: { app: terse }')).toHaveLength(2)
    expect(
      plant('sqlite', 'sqlite/one-process.yaml', 'claimName: terce-data', 'claimName: data'),
    ).toHaveLength(1)
    expect(plant('postgres', 'postgres/availability.yaml', 'name: terce-api }', 'name: api }')).toHaveLength(
      1,
    )
    expect(plant('postgres', 'base/service.yaml', 'targetPort: http', 'targetPort: web')).toHaveLength(1)
  })

  it('find a missing file and a patch without a resource', () => {
    const file = 'sqlite/kustomization.yaml'
    expect(() => renderPlanted('sqlite', file, 'volume-claim.yaml', 'claim.yaml')).toThrow(
      'claim.yaml does not exist',
    )
    expect(() =>
      renderPlanted('sqlite', 'sqlite/one-process.yaml', 'name: terce-api', 'name: terce'),
    ).toThrow('Deployment terce, which does not exist')
    expect(() => renderPlanted('sqlite', file, 'images:', 'commonLabels:')).toThrow(
      'cannot render commonLabels',
    )
  })
})
