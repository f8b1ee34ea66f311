import { PROXY_VARIABLES, proxyOfProcess } from '../../../outgoing.ts';
import { type Check, passed, warning } from '../check.ts';

export const proxy: Check = {
  name: 'proxy',
  category: 'settings',
  about: 'If variables name an outgoing proxy, Node uses it.',
  atStart: true,
  needs: 'nothing',
  run({ env }) {
    const named = [...PROXY_VARIABLES, 'all_proxy', 'ALL_PROXY'].filter((name) => env[name]);
    if (named.length === 0) return passed('none');
    if (env.NODE_USE_ENV_PROXY !== '1' && !proxyOfProcess()) {
      return warning(
        `${named.join(', ')} names a proxy, which Node doesn't use.`,
        'Set NODE_USE_ENV_PROXY=1, or remove the variable if no proxy is needed.',
      );
    }
    const isRead = (name: string) => !/^all/i.test(name) && /^https?:\/\//.test(env[name] ?? '');
    const ignored = named.filter((name) => !isRead(name));
    if (ignored.length === 0) return passed(named.join(', '));
    return warning(
      `Node ignores the proxy in ${ignored.join(', ')}.`,
      'Name it in HTTPS_PROXY, beginning with http:// or https://.',
    );
  },
};
