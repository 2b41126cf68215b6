import { AppError } from '../../shared/errors.ts';
import type { ConfigScope } from '../../shared/model/config-value.ts';
import type { DiscoveredSource } from '../../shared/model/exchange.ts';
import type { ConfigIssue } from '../../shared/model/source.ts';
import { hostFiles, type HostFile } from '../formats/host-files.ts';
import { readSourceFile } from '../formats/read-source.ts';
import type { ConfigFiles, Host } from '../ports.ts';
import type { FoundServer } from './found-server.ts';

export interface HostLookerDeps {
  readonly configFiles: Pick<ConfigFiles, 'read'>;
  readonly host: Host;
  readonly project: () => string | undefined;
}
export interface HostSource extends Omit<DiscoveredSource, 'candidates'> {
  readonly found: readonly FoundServer[];
}
interface Look {
  readonly sources: readonly HostSource[];
  readonly issues: readonly (ConfigIssue & { readonly scope: ConfigScope })[];
}

/** Reads the files of other programs (U-45), each by itself. */
export class HostLooker {
  readonly #deps: HostLookerDeps;

  constructor(deps: HostLookerDeps) {
    this.#deps = deps;
  }

  async look(signal: AbortSignal): Promise<Look> {
    const looks = await Promise.all(hostFiles(this.#deps.host, this.#deps.project()).map((file) => this.#lookAt(file, signal)));
    return { sources: looks.flatMap(({ sources }) => sources), issues: looks.flatMap(({ issues }) => issues) };
  }

  async #lookAt(file: HostFile, signal: AbortSignal): Promise<Look> {
    const { path, shape, label, scope } = file;
    // U-47: the person knows the program, not the path.
    const labelled = (issue: ConfigIssue) => ({ ...issue, message: `${label}: ${issue.message}`, scope });
    let text: string | undefined;
    try {
      text = await this.#deps.configFiles.read(path, signal);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'storage/failed') throw error;
      return { sources: [], issues: [labelled({ code: 'unreadable', severity: 'error', file: path, path: '', message: error.message })] };
    }
    if (text === undefined) return { sources: [], issues: [] };
    const { entries, inputs, issues } = await readSourceFile(text, { file: path, shape });
    const folder = path.slice(0, Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')));
    const projects = [...new Set(entries.map(({ project }) => project))];
    const sources = projects.map((project): HostSource => {
      const found = entries.filter((entry) => entry.project === project).map((entry): FoundServer => {
        const id = sourceId(file, project);
        return { source: id, entry, inputs, folder: project ?? folder, commands: shape === 'fitch-mcp-adapter' };
      });
      const { client } = file;
      return { id: sourceId(file, project), client, label, scope: project === undefined ? scope : 'project', path, ...(project === undefined ? {} : { project }), found };
    });
    // Plain text is what its candidates say.
    return { sources, issues: issues.filter(({ code, severity }) => code !== 'plaintext-secret' || severity === 'error').map(labelled) };
  }
}

const sourceId = ({ id }: HostFile, project: string | undefined): string => (project === undefined ? id : `${id}:${project}`);
