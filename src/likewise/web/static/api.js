// How the page speaks with the server. Everything it knows comes through here.

import { paths } from "./paths.js";

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

export const httpApi = { ...paths(call), picture: (card, size) => `${card.picture}?size=${size}` };
