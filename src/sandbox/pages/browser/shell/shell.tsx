import icon from '../icon.svg';
import { WorkspacePage } from '../workspace/workspace-page.tsx';

const PAGES = [{ path: '/', name: 'Workspace', Page: WorkspacePage }];

/** The bar with the pages of the sandbox, and the one that is open. */
export function Shell() {
  const open = PAGES.find(({ path }) => path === location.pathname) ?? PAGES[0];
  return (
    <div className="shell">
      <header className="shell-bar">
        <span className="shell-name">
          <img src={icon} alt="" width="20" height="20" />
          <span>Design Request sandbox</span>
        </span>
        <nav aria-label="Pages">
          {PAGES.map(({ path, name }) => (
            <a key={path} href={path} aria-current={path === open?.path ? 'page' : undefined}>
              {name}
            </a>
          ))}
        </nav>
      </header>
      {open ? <open.Page /> : null}
    </div>
  );
}
