/** Dynamic users of systemd, a range that no package or person owns (systemd UIDS-GIDS documentation). */
const FIRST_UID = 61_184;
const LAST_UID = 65_519;
let nextUid = FIRST_UID;

/** A uid and gid for one worker of a server that runs as root; all differ until the range is used up. */
export function takeUid(): { uid: number; gid: number } {
  const uid = nextUid;
  nextUid = nextUid === LAST_UID ? FIRST_UID : nextUid + 1;
  return { uid, gid: uid };
}

/** True for one that a worker of some server may have had. */
export function isWorkerUid(uid: number): boolean {
  return uid >= FIRST_UID && uid <= LAST_UID;
}
