// Lets the page be painted before the rest of it is fetched: a first glance should wait for nothing.

const MODULES = ['./app.js', './api.js', './dom.js', './target.js', './newgame.js', './thinking.js', './shuter.js', './kato.js', './colony.js', './starduel.js'];

// Modules that are asked for twice are fetched once.
const load = () => MODULES.forEach((module) => import(module));

// A tab in the background paints nothing and does not wait for it.
setTimeout(load, 250);
if (PerformanceObserver.supportedEntryTypes.includes('paint')) new PerformanceObserver(load).observe({ type: 'paint', buffered: true });
