import './styles/tokens.css';
import './styles/base.css';
import './styles/shell.css';
import './styles/slack.css';
import './styles/blocks.css';
import './styles/modal.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Shell } from './shell/shell.tsx';

const root = document.getElementById('root');
if (!root) throw new Error('The page has no root.');
createRoot(root).render(
  <StrictMode>
    <Shell />
  </StrictMode>,
);
