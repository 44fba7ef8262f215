/**
 * What a dying interpreter prints by itself is a dump of all its frames, ours included, the same one a hundred times
 * after a recursion. Of that the model gets one line: the place in its code. Everything else that C code prints passes.
 */
export function lastWords(print: (line: string) => void): (line: string) => void {
  let inDump = false;
  let told = false;
  const tell = (line: string): void => {
    if (!told) print(line);
    told = true;
  };
  return (line) => {
    if (FATAL.test(line)) {
      inDump = true;
      tell(line);
    } else if (HEADING.test(line)) {
      inDump = true;
    } else if (inDump && PART.test(line)) {
      const [, file, number, name] = USER_FRAME.exec(line) ?? [];
      if (file !== undefined) tell(`the interpreter died at line ${number} of ${file}, in ${name}`);
    } else {
      inDump = false;
      told = false;
      print(line);
    }
  };
}

const FATAL = /^Fatal Python error: /;
const HEADING = /^(?:Stack|(?:Current t|T)hread 0x[0-9a-f]+.*) \(most recent call first\):$/;
const PART = /^(?:$| {2}|Python runtime state: |Extension modules: )/;
const USER_FRAME = /^ {2}File "\/workspace\/([^"]+)", line (\d+) in (.+)$/;
