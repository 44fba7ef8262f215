/** Errs on the side of hiding: a masked harmless value costs little. `PWD` is the working directory, `DB_PWD` is not. */
const SECRET_NAME =
  /token|secret|pass|_pwd|credential|auth|cookie|private|key|salt|signature|dsn|url|uri|(?:^|_)pat(?:_|$)/i;
/** Shorter values are not masked by content: replacing every "user" would make a log useless. */
const MIN_LENGTH = 6;

/** True for names like `GH_TOKEN`, `API_KEY`, `DATABASE_URL` (which may hold a password). */
export function looksSecret(name: string): boolean {
  return SECRET_NAME.test(name);
}

/**
 * Replaces by `***` the value of every secret-looking variable of `env`, as it is and as JSON writes it: the last net
 * under logs and reports of faults, whose texts come from anywhere.
 */
export function secretMasker(env: Readonly<Record<string, string | undefined>>): (text: string) => string {
  const forms = Object.entries(env)
    .flatMap(([name, value]) => (value && value.length >= MIN_LENGTH && looksSecret(name) ? [value] : []))
    .flatMap((value) => [value, JSON.stringify(value).slice(1, -1)])
    .sort((a, b) => b.length - a.length);
  return (text) => forms.reduce((masked, form) => masked.replaceAll(form, '***'), text);
}
