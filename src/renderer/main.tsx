import './styles/app.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { connectBridge } from './bridge/live.ts';

document.documentElement.dataset['platform'] = /mac/i.test(navigator.platform) ? 'mac' : /^win/i.test(navigator.platform) ? 'windows' : 'other';
connectBridge();
const root = document.getElementById('root');
if (root) createRoot(root).render(<StrictMode><App /></StrictMode>);
