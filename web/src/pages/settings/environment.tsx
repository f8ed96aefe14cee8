// The settings of the server process. Set by environment variables, so read-only.
import { useSettings } from '../../api/settings.ts'
import type { Setting } from '../../api/settings-types.ts'
import { Badge, Loaded, Panel } from '../../ui/panel.tsx'

export function Environment() {
  const settings = useSettings()
  return (
    <Panel title="Environment" aside="Change a variable where the server is started, then restart it" flush>
      <Loaded query={settings} rows={10}>
        {({ items }) => (
          <table className="w-full text-left text-sm">
            <thead className="text-soft text-xs">
              <tr className="border-line border-b">
                {['Variable', 'Value', 'Source'].map((title) => (
                  <th key={title} scope="col" className="px-4 py-2 font-normal">
                    {title}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody className="divide-y divide-line">
              {items.map((setting) => (
                <Row key={setting.name} setting={setting} />
              ))}
            </tbody>
          </table>
        )}
      </Loaded>
    </Panel>
  )
}

function Row({ setting: { name, value, source } }: { setting: Setting }) {
  const isSet = source === 'environment'
  return (
    <tr>
      <th
        scope="row"
        className="whitespace-nowrap px-4 py-2 align-top font-mono font-normal text-xs max-md:pr-0"
      >
        {name}
      </th>
      <td className="px-4 py-2 align-top font-mono text-xs [overflow-wrap:anywhere] max-md:px-2">
        {value ?? <span className="text-soft">not set</span>}
      </td>
      <td className="px-4 py-2 align-top max-md:pl-0">
        <Badge tone={isSet ? 'accent' : 'soft'}>{source}</Badge>
      </td>
    </tr>
  )
}
