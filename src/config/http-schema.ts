import { z } from 'zod';

/** Letters and digits first, so that a name is no path and no flag; it becomes the principal of its requests. */
export const PRINCIPAL_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
/** What RFC 6750 lets a bearer token be; from 32 characters on, guessing is hopeless if they are random. */
export const BEARER_TOKEN = /^[A-Za-z0-9._~+/-]{32,500}={0,2}$/;

const HOST = '(?:[A-Za-z0-9_-]+(?:\\.[A-Za-z0-9_-]+)*|\\[[0-9A-Fa-f:.]+\\])';
const host = z
  .string()
  .max(255)
  .regex(new RegExp(`^${HOST}$`))
  .meta({ title: 'a host name or address without port, IPv6 in brackets' });

export const httpKeys = {
  host: host
    .default('127.0.0.1')
    .describe(
      'Address at which "serve --http" listens. Another than of this machine itself needs http.tokens, and a proxy with TLS in front.',
    ),
  port: z
    .number()
    .int()
    .min(0)
    .max(65_535)
    .default(8_848)
    .describe('Port at which "serve --http" listens. 0: one that is free.'),
  tokens: z
    .record(z.string().regex(PRINCIPAL_NAME), z.string().regex(BEARER_TOKEN))
    .default({})
    .describe(
      'Who may call over HTTP: a bearer token of 32 or more random characters under the name of each principal, best as "${VAR}". Each has files, sessions, skills and tokens for personal data of its own. Without any, each start makes one for "local". In a project file only if the user trusts the project.',
    ),
  allowedHosts: z
    .array(host)
    .max(100)
    .default([])
    .describe(
      'Names under which clients reach the server, as in the Host header, without port. At an address of this machine itself "localhost", "127.0.0.1" and "[::1]" are allowed anyway.',
    ),
  allowedOrigins: z
    .array(
      z
        .string()
        .max(300)
        .regex(new RegExp(`^https?://${HOST}(?::\\d{1,5})?$`))
        .meta({ title: 'an origin such as "https://app.example.com"' }),
    )
    .max(100)
    .default([])
    .describe("Web pages that may call, by origin. No others may, but those of the server's own host."),
  sessionIdleSeconds: z
    .number()
    .int()
    .min(10)
    .max(604_800)
    .default(1_800)
    .describe(
      'A protocol session (of clients of 2025) that nobody used for this long is closed, in seconds. Variables and files stay.',
    ),
  maxSessions: z
    .number()
    .int()
    .min(1)
    .max(10_000)
    .default(200)
    .describe('The most protocol sessions open at a time.'),
  maxSessionsPerPrincipal: z
    .number()
    .int()
    .min(1)
    .max(10_000)
    .default(50)
    .describe('The most protocol sessions of one principal.'),
};
