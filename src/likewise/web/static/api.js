// How the page speaks with the server. Everything it knows comes through here.

import { paths } from "./paths.js";

export class Refused extends Error {
  // `study`: the one that is served, where the request was meant for another; `retryAfter`: seconds
  // that the server wants to be left alone; `against`: answers that an edit contradicts.
  constructor(status, sentence, { study, retryAfter, against } = {}) {
    super(sentence);
    this.status = status;
    this.study = study;
    this.retryAfter = retryAfter;
    this.against = against ?? [];
  }
}

// No reply at all: the network is gone, or the server.
export class Unreachable extends Error {}

// Nothing is left, or nothing until later.
export const nothing = (seconds) => (seconds ? { later: Number(seconds) } : null);

// A write that nobody replies to is sent again: the server knows it by its client_id. What is read
// may take as long as thinking takes.
const WRITE_PATIENCE = 60000; // milliseconds

function patience(method, path) {
  const stop = new AbortController();
  // Copying a pile takes as long as the disk takes.
  if (method !== "GET" && path !== "/api/folders") setTimeout(() => stop.abort(), WRITE_PATIENCE);
  return stop.signal;
}

export async function call(method, path, body) {
  let reply;
  try {
    reply = await fetch(path, {
      method,
      signal: patience(method, path),
      headers: body === undefined ? {} : { "content-type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch {
    throw new Unreachable("no connection to the server");
  }
  if (reply.status === 204) return nothing(reply.headers.get("retry-after"));
  let content = null;
  try {
    content = await reply.json();
  } catch {
    throw new Unreachable("the server's reply was cut short");
  }
  if (!reply.ok) {
    const { detail, study, against } = content ?? {};
    const retryAfter = Number(reply.headers.get("retry-after")) || undefined;
    throw new Refused(reply.status, typeof detail === "string" ? detail : "the server did not understand that", { study, retryAfter, against });
  }
  return content;
}

// The browser keeps pictures for a day: with its key, none is taken for another pile's.
export const httpApi = { ...paths(call), picture: (card, size, member = 0) => `${card.picture}?size=${size}&key=${card.key}${member ? `&member=${member}` : ""}` };
