// The server's interface. Every failure is an Error with the server's own sentence.

async function call(method, path, body) {
  let response;
  try {
    response = await fetch(path, {
      method,
      headers: body === undefined ? {} : { 'content-type': 'application/json' },
      body: body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body),
    });
  } catch {
    throw new Error('The server does not answer.');
  }
  const told = await response.json();
  if (!response.ok) throw Object.assign(new Error(told.error), { status: response.status });
  return told;
}

const games = (id, end = '') => `/api/games/${id}${end}`;

export const agents = () => call('GET', '/api/agents');
export const starduel = () => call('GET', '/api/starduel');
export const create = (start) => call('POST', '/api/games', start);
export const load = (line) => call('POST', '/api/records', line);
export const state = (id, key, ply) =>
  call('GET', games(id, `?key=${key}${ply === undefined ? '' : `&ply=${ply}`}`));
export const play = (id, key, ply, move) => call('POST', games(id, '/play'), { key, ply, move });
export const advance = (id, key, ply) => call('POST', games(id, '/advance'), { key, ply });
export const undo = (id, key) => call('POST', games(id, '/undo'), { key });
export const think = (id, key, ply, agent, lines) => call('POST', games(id, '/think'), { key, ply, agent, lines });
export const record = (id, key) => call('GET', games(id, `/record?key=${key}`));
export const close = (id, key) => call('DELETE', games(id, `?key=${key}`));
