import './styles/tokens.css';
import './styles/base.css';
import './styles/shell.css';
import './styles/slack.css';
import './styles/messages.css';
import './styles/composer.css';
import './styles/menu.css';
import './styles/blocks.css';
import './styles/work-object.css';
import './styles/modal.css';
import './styles/fields.css';
import './styles/dashboard.css';
import './styles/card.css';
import './styles/log.css';
// Last, because it overrides the others on phones.
import './styles/phone.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { DashboardPage } from './dashboard/dashboard-page.tsx';
import { LogPage } from './log/log-page.tsx';
import { WorkspacePage } from './workspace/workspace-page.tsx';

const PAGES: Record<string, () => React.ReactNode> = {
  '/dashboard': DashboardPage,
  '/log': LogPage,
};

const root = document.getElementById('root');
if (!root) throw new Error('The page has no root.');
const Page = PAGES[location.pathname] ?? WorkspacePage;
createRoot(root).render(
  <StrictMode>
    <Page />
  </StrictMode>,
);
