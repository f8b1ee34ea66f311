import { expect, it } from 'vitest';
import { largestViews } from '../../../src/commands/doctor/largest-views.ts';
import { parseConfig } from '../../../src/config/config.ts';
import { FORM_FIELDS } from '../../../src/slack/request-form/fields.ts';
import { T1 } from '../../installations/ids.ts';
import { VIEW_BLOCKS } from '../../stand-ins/slack/block-kit/limits.ts';
import { healthyPatient } from './examined.ts';

type Shown = { blocks: { type: string; element?: { action_id: string; type: string } }[] };

it('shows every field and attached file in the form, and fills Home', async () => {
  const { env } = await healthyPatient();
  const views = largestViews(parseConfig(env), {
    workspaceId: T1,
    canAttach: true,
    now: new Date(),
  });
  const blocksOf = (name: string) => (Object(views[name]).view as Shown).blocks;
  const inputs = blocksOf('form').flatMap(({ element }) => element?.action_id ?? []);
  expect(inputs).toEqual(expect.arrayContaining(FORM_FIELDS.map(({ name }) => name)));
  const kinds = blocksOf('form').flatMap(({ element }) =>
    element ? [[element.action_id, element.type]] : [],
  );
  expect(Object.fromEntries(kinds)).toMatchObject({
    requestType: 'static_select',
    brand: 'external_select',
    formats: 'multi_static_select',
  });
  expect(inputs.filter((name) => name.endsWith('.attached'))).toHaveLength(3);
  expect(blocksOf('Home').length).toBeGreaterThan(0.9 * VIEW_BLOCKS);
  expect(Object.keys(views)).toEqual(['form', 'Home', 'preview', 'card', 'confirmation']);
});
