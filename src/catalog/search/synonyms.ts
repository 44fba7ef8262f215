import { stem } from './stem.js';

/**
 * Words for the same thing in the trade of tools: one group a line. General English and computing only, about sixty
 * groups; each must be one that a dictionary or a file format would vouch for. A word may be in several.
 */
const GROUPS = `
create make add new generate build
delete remove drop erase clear
get fetch retrieve obtain
show display view
search find lookup query seek
update edit modify change alter
list enumerate
send post publish submit
run execute launch invoke
stop cancel terminate kill
download save export store
open navigate visit browse
write save store
read load view open
convert transform translate
calculate compute evaluate
compare diff versus
summarize summary abstract
merge combine join concatenate
repository repo
directory folder
file document
image picture photo photograph
screenshot capture snapshot
presentation powerpoint ppt pptx slide deck
spreadsheet excel xlsx worksheet workbook sheet
word docx document
website webpage site page web
url link
scrape crawl extract
stock share equity ticker
price cost quote
cryptocurrency crypto coin bitcoin
money currency
exchange rate
email mail
message chat
movie film cinema
song music track audio
video clip footage
weather forecast temperature
restaurant food dining
recipe dish meal cooking
hotel accommodation lodging
location place address
route direction itinerary
coordinate latitude longitude geocode
map geographic
chart graph plot diagram visualize
database db
record row entry document
schema structure
user account member
person contact profile
issue ticket bug
paper article publication literature
academic scholarly research
news headline
trending popular hot
ranking leaderboard top
medicine drug medication pharmaceutical
doctor physician
health medical clinical
company business firm corporation
job career employment
calendar schedule appointment event meeting
task todo
note memo
history log
statistics metrics analytics
error exception failure
permission access privilege
package library dependency module
deploy release
security vulnerability
car vehicle automobile
shop store buy purchase
terminal shell command console
information info detail
train railway ticket
delete destroy
count number total
`;

/** Stem to the stems that mean the same. */
export const SYNONYMS: ReadonlyMap<string, readonly string[]> = buildSynonyms();

function buildSynonyms(): Map<string, readonly string[]> {
  const all = new Map<string, Set<string>>();
  for (const line of GROUPS.split('\n')) {
    const group = line
      .split(' ')
      .filter((word) => word !== '')
      .map(stem);
    for (const word of group) {
      const others = all.get(word) ?? new Set<string>();
      for (const other of group) if (other !== word) others.add(other);
      all.set(word, others);
    }
  }
  return new Map([...all].map(([word, others]) => [word, [...others]]));
}
