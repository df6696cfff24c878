// The server's paths. Everything the page knows comes through here.

export class Refused extends Error {
  constructor(status, sentence) {
    super(sentence);
    this.status = status;
  }
}

// No reply at all: the network is gone, or the server.
export class Unreachable extends Error {}

async function call(method, path, body) {
  let reply;
  try {
    reply = await fetch(path, {
      method,
      headers: body === undefined ? {} : { "content-type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch {
    throw new Unreachable("no connection to the server");
  }
  if (reply.status === 204) return null;
  let content = null;
  try {
    content = await reply.json();
  } catch {
    throw new Unreachable("the server's reply was cut short");
  }
  if (!reply.ok) {
    const detail = content?.detail;
    throw new Refused(reply.status, typeof detail === "string" ? detail : "the server did not understand that");
  }
  return content;
}

const query = (values) =>
  new URLSearchParams(Object.entries(values).filter(([, value]) => value !== undefined)).toString();

export const httpApi = {
  study: () => call("GET", "/api/study"),
  question: (values) => call("GET", `/api/question?${query(values)}`),
  answer: (body) => call("POST", "/api/answers", body),
  placement: (body) => call("POST", "/api/placements", body),
  latest: (annotator, limit = 100) => call("GET", `/api/answers?${query({ annotator, limit })}`),
  takeBack: (id, annotator) => call("DELETE", `/api/answers/${id}?${query({ annotator })}`),
  groups: () => call("GET", "/api/groups?members=12"),
  group: (group, offset, members) => call("GET", `/api/groups/${group}?${query({ offset, members })}`),
  items: (items) => call("GET", `/api/items?${items.map((item) => `item=${item}`).join("&")}`),
  map: () => call("GET", "/api/map"),
  disputes: () => call("GET", "/api/disputes"),
  people: () => call("GET", "/api/people"),
  name: (body) => call("POST", "/api/groups/name", body),
  merge: (body) => call("POST", "/api/groups/merge", body),
  split: (body) => call("POST", "/api/groups/split", body),
  notHere: (body) => call("POST", "/api/groups/not-here", body),
  picture: (card, size) => `${card.picture}?size=${size}`,
};
