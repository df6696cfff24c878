// The server's paths, whatever carries a request there.

const query = (values) =>
  new URLSearchParams(Object.entries(values).filter(([, value]) => value !== undefined)).toString();

export const paths = (call) => ({
  study: () => call("GET", "/api/study"),
  question: (values) => call("GET", `/api/question?${query(values)}`),
  ahead: (annotator) => call("GET", `/api/ahead?${query({ annotator })}`),
  answer: (body) => call("POST", "/api/answers", body),
  placement: (body) => call("POST", "/api/placements", body),
  sheet: (body) => call("POST", "/api/sheets", body),
  latest: (annotator, limit = 100) => call("GET", `/api/answers?${query({ annotator, limit })}`),
  // With its study: by now, another one may have an answer of that number.
  takeBack: ({ id, question }, annotator, again = true) => call("DELETE", `/api/answers/${id}?${query({ annotator, again, study: question.split(".")[0] })}`),
  // Whatever this person did last, as a whole.
  undo: (body) => call("POST", "/api/undo", body),
  views: () => call("GET", "/api/views"),
  switchViews: (body) => call("POST", "/api/views", body),
  confirm: (id, body) => call("POST", `/api/answers/${id}/confirm`, body),
  why: (id) => call("GET", `/api/answers/${id}/why`),
  groups: () => call("GET", "/api/groups?members=12"),
  groupTitles: (limit) => call("GET", `/api/groups?${query({ members: 0, limit })}`),
  group: (group, offset, members, order) => call("GET", `/api/groups/${group}?${query({ offset, members, order })}`),
  like: (group, item) => call("GET", `/api/groups/${group}/like?${query({ item })}`),
  merges: () => call("GET", "/api/merges"),
  move: (body) => call("POST", "/api/groups/move", body),
  confirmMembers: (body) => call("POST", "/api/groups/confirm", body),
  items: (items) => call("GET", `/api/items?${items.map((item) => `item=${item}`).join("&")}`),
  unsure: (limit) => call("GET", `/api/unsure?${query({ limit })}`),
  folders: (to) => call("GET", `/api/folders?${query({ to })}`),
  writeFolders: (body) => call("POST", "/api/folders", body),
  map: (by) => call("GET", `/api/map?${query({ by })}`),
  disputes: (offset = 0) => call("GET", `/api/disputes?${query({ offset })}`),
  verification: () => call("GET", "/api/verification"),
  people: () => call("GET", "/api/people"),
  invite: (name) => call("POST", "/api/people", { name }),
  withdraw: (name) => call("DELETE", `/api/people/${encodeURIComponent(name)}`),
  guest: () => call("GET", "/api/guest"),
  startGuest: (body) => call("POST", "/api/guest", body),
  stopGuest: () => call("DELETE", "/api/guest"),
  takeBackGuest: (annotator) => call("DELETE", `/api/guest/answers?${query({ annotator })}`),
  proposals: () => call("GET", "/api/guest/proposals"),
  confirmProposals: (body) => call("POST", "/api/guest/proposals", body),
  name: (body) => call("POST", "/api/groups/name", body),
  merge: (body) => call("POST", "/api/groups/merge", body),
  split: (body) => call("POST", "/api/groups/split", body),
  notHere: (body) => call("POST", "/api/groups/not-here", body),
});
