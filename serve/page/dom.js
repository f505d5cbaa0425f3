// Elements without a framework.

const SVG = 'http://www.w3.org/2000/svg';

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children.flat(3).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** An HTML element. */
export const h = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);

/** An SVG element. */
export const s = (tag, attributes, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);

/** The element with that id. */
export const $ = (id) => document.getElementById(id);

/** A number that SVG reads, without a tail of digits. */
export const n = (number) => Math.round(number * 100) / 100;

/** A text in SVG, centred at a point. */
export const label = (x, y, text, attributes) =>
  s('text', { x: n(x), y: n(y), 'text-anchor': 'middle', 'dominant-baseline': 'central', ...attributes }, `${text}`);

/** The title that a pointer and a screen reader get. */
export const titled = (text) => s('title', {}, text);

/** 1 piece, 2 pieces. */
export const many = (count, word) => `${count} ${word}${count === 1 ? '' : 's'}`;
