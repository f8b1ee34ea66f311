import { createCardLinks } from '../../../service/card-links.ts';
import { isUnfurled } from '../../../slack/card/unfurl-host.ts';
import { type Check, failed, passed } from '../check.ts';
import { manifestOf } from '../slack-manifest.ts';

export const unfurlDomains: Check = {
  name: 'unfurl-domains',
  category: 'slack',
  about: 'Slack sends the app the links of every host in CARD_URL_TEMPLATE.',
  needs: 'settings',
  async run(context) {
    const { hosts } = createCardLinks(context.config.cardUrlTemplates);
    const others = hosts.filter((host) => !isUnfurled(host));
    if (others.length > 0) {
      return failed(
        `Slack doesn't unfurl links to ${others.join(', ')}.`,
        'Use public host names in CARD_URL_TEMPLATE: no IP addresses, wildcards, underscores, or localhost.',
      );
    }
    const manifest = await manifestOf(context);
    if (typeof manifest === 'string')
      return passed(`${hosts.join(', ')}; not compared: ${manifest}`);
    const { unfurl_domains: known = [] } = manifest.features ?? {};
    const missing = hosts.filter(
      (host) => !known.some((one) => host === one || host.endsWith(`.${one}`)),
    );
    if (missing.length === 0) return passed(hosts.join(', '));
    return failed(
      `The app's manifest at Slack lacks unfurl domains: ${missing.join(', ')}.`,
      'Replace it with the one from `npm run app -- manifest`, and install the app again.',
    );
  },
};
