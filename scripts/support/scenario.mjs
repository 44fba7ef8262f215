// @ts-check
/**
 * The scenario of the quickstart, of the end-to-end test and of the README: what an agent would write to answer
 * questions on three public tables of the package vega-datasets.
 */

/** Files that the agent puts into its workspace. */
export const DATA_FILES = ['movies.json', 'birdstrikes.csv', 'airports.csv'];

/** The session that the runs share. */
export const SESSION = 'analysis';

/** Loads 3,201 untidy records, cleans them, groups and aggregates; the answer is a small table. */
const CLEAN_MOVIES = `import json, statistics
from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime

@dataclass
class Movie:
    title: str
    genre: str
    year: int
    gross: int
    budget: int
    imdb: float | None

def clean(row):
    title = row["Title"]
    if title is None or row["Worldwide Gross"] is None or not row["Production Budget"]:
        return None
    year = datetime.strptime(row["Release Date"], "%b %d %Y").year
    if year > 2011:            # a two-digit year read as 20xx: the set ends in 2011
        year -= 100
    return Movie(str(title), row["Major Genre"] or "Unknown", year, row["Worldwide Gross"],
                 row["Production Budget"], row["IMDB Rating"])

rows = json.load(open("movies.json"))
movies = [m for m in map(clean, rows) if m]

by_genre = defaultdict(list)
for m in movies:
    by_genre[m.genre].append(m)

table = []
for genre, group in by_genre.items():
    rated = [m.imdb for m in group if m.imdb is not None]
    table.append({
        "genre": genre,
        "movies": len(group),
        "median_gross_musd": round(statistics.median(m.gross for m in group) / 1e6, 1),
        "return": round(sum(m.gross for m in group) / sum(m.budget for m in group), 2),
        "imdb": round(statistics.mean(rated), 2) if rated else None,
    })
table.sort(key=lambda r: r["median_gross_musd"], reverse=True)
print(f"{len(rows)} rows read, {len(movies)} kept, years {min(m.year for m in movies)}-{max(m.year for m in movies)}")
result = table[:6]
`;

/** Uses `movies` of the run before, and leaves a file. */
const BEST_DECADES = `import csv

decades = defaultdict(list)
for m in movies:
    if m.imdb is not None:
        decades[m.year // 10 * 10].append(m.imdb)

with open("decades.csv", "w", newline="") as f:
    out = csv.writer(f)
    out.writerow(["decade", "movies", "mean_imdb"])
    for decade in sorted(decades):
        out.writerow([decade, len(decades[decade]), f"{statistics.mean(decades[decade]):.2f}"])

best = max(movies, key=lambda m: m.gross / m.budget)
{"best_return": best.title, "year": best.year, "times": round(best.gross / best.budget, 1)}
`;

/** 10,000 rows joined with 3,376: dates, numbers with blanks, a regular expression, a pivot. */
const BIRD_STRIKES = `import csv, re
from collections import Counter, defaultdict
from datetime import date

with open("birdstrikes.csv", newline="") as f:
    strikes = list(csv.DictReader(f))
with open("airports.csv", newline="") as f:
    airports = list(csv.DictReader(f))

SEASONS = {12: "winter", 1: "winter", 2: "winter", 3: "spring", 4: "spring", 5: "spring",
           6: "summer", 7: "summer", 8: "summer", 9: "autumn", 10: "autumn", 11: "autumn"}
season, cost, speeds = Counter(), defaultdict(int), []
for s in strikes:
    season[SEASONS[date.fromisoformat(s["Flight Date"]).month]] += 1
    cost[s["Origin State"]] += int(s["Cost Total $"])
    if s["Speed IAS in knots"]:
        speeds.append(int(s["Speed IAS in knots"]))

boeing = sum(1 for s in strikes if re.match(r"B-7\\d7", s["Aircraft Make Model"]))
{
    "strikes": len(strikes),
    "airports": len(airports),
    "by_season": dict(season.most_common()),
    "costliest_states": dict(sorted(cost.items(), key=lambda kv: -kv[1])[:3]),
    "boeing_7x7": boeing,
    "mean_speed_knots": round(sum(speeds) / len(speeds), 1),
    "speed_missing": len(strikes) - len(speeds),
}
`;

/** Its value is a list of 3,192 records, more than any model should read: the answer is its shape, the rest a file. */
export const WHOLE_TABLE = `from dataclasses import asdict
[asdict(m) for m in movies]
`;

/**
 * The runs, in order. `covers` names the files whose content the run worked on (their LLM tokens are what a model
 * would have had to read); `expected` is the result, `output` what it prints, without the last line end.
 */
export const RUNS = [
  {
    name: 'clean',
    asks: 'Which genres earn most? Load movies.json, clean it, group it.',
    code: CLEAN_MOVIES,
    covers: ['movies.json'],
    expected: [
      { genre: 'Adventure', movies: 274, median_gross_musd: 133.0, return: 3.5, imdb: 6.35 },
      { genre: 'Action', movies: 420, median_gross_musd: 78.8, return: 2.63, imdb: 6.11 },
      { genre: 'Thriller/Suspense', movies: 238, median_gross_musd: 40.3, return: 2.44, imdb: 6.36 },
      { genre: 'Romantic Comedy', movies: 137, median_gross_musd: 38.2, return: 3.06, imdb: 5.87 },
      { genre: 'Musical', movies: 53, median_gross_musd: 34.6, return: 3.45, imdb: 6.45 },
      { genre: 'Comedy', movies: 673, median_gross_musd: 33.6, return: 2.63, imdb: 5.85 },
    ],
    output: '3201 rows read, 3192 kept, years 1915-2011',
  },
  {
    name: 'reuse',
    asks: 'With the same variables: ratings by decade into decades.csv, and the best return on a budget.',
    code: BEST_DECADES,
    covers: ['movies.json'],
    expected: { best_return: 'Paranormal Activity', year: 2009, times: 12918.0 },
    output: '',
  },
  {
    name: 'strikes',
    asks: 'Bird strikes: by season, costliest states, speeds.',
    code: BIRD_STRIKES,
    covers: ['birdstrikes.csv', 'airports.csv'],
    expected: {
      strikes: 10000,
      airports: 3376,
      by_season: { autumn: 3399, summer: 3021, spring: 2406, winter: 1174 },
      costliest_states: { Texas: 7798739, 'New York': 6370278, California: 4861510 },
      boeing_7x7: 4285,
      mean_speed_knots: 153.5,
      speed_missing: 2836,
    },
    output: '',
  },
];
/** The file that the run `reuse` leaves, as it must read. */
export const RESULT_FILE = {
  name: 'decades.csv',
  content: [
    'decade,movies,mean_imdb',
    '1910,1,7.10',
    '1920,3,7.77',
    '1930,12,7.45',
    '1940,19,7.40',
    '1950,36,7.13',
    '1960,64,7.13',
    '1970,90,6.75',
    '1980,245,6.31',
    '1990,739,6.21',
    '2000,1691,6.20',
    '2010,81,6.57',
    '',
  ].join('\r\n'),
};
