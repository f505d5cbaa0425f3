// Lets the page be painted before the rest of it is fetched: a first glance should wait for nothing.

const MODULES = ['./app.js', './api.js', './dom.js', './target.js', './newgame.js', './thinking.js', './shuter.js', './kato.js', './colony.js', './starduel.js'];

requestAnimationFrame(() => setTimeout(() => MODULES.forEach((module) => import(module))));
