import { describe, expect, it } from 'vitest';
import { buildHelp, type SubCommand } from '../../../src/slack/command/sub-command.ts';
import { mentionsIn } from '../../stand-ins/slack/block-kit/mentions.ts';
import { SUB_COMMANDS } from '../all-routes.ts';

const run = async () => undefined;

describe('help', () => {
  it('has a line for each entry of the table, in order', () => {
    const lines = buildHelp(SUB_COMMANDS).split('\n').slice(1);
    expect(lines).toHaveLength(SUB_COMMANDS.length);
    for (const [index, { name, summary, access }] of SUB_COMMANDS.entries()) {
      expect(lines[index]).toContain(
        access === 'admins' ? `— (admins) ${summary}` : `— ${summary}`,
      );
      if (name) expect(lines[index]).toMatch(new RegExp(`^• \`/design-request ${name}[ \`]`));
    }
  });

  it('lists a new subcommand automatically', () => {
    const added: SubCommand = {
      name: 'watch',
      usage: '<card id>',
      summary: 'tells you',
      access: 'users',
      run,
    };
    const help = buildHelp([...SUB_COMMANDS, added]);
    expect(help).toContain('• `/design-request watch &lt;card id&gt;` — tells you');
    expect(mentionsIn(help)).toEqual([]);
  });

  it('has no duplicate names', () => {
    const names = SUB_COMMANDS.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });
});
