// @ts-check
/** Skills as an agent would save them. `filter_high_risk` is that of the scenario in the README. */

const FILTER = `import json


def filter_high_risk(rows, limit=0.8):
    """Keeps the rows whose risk score is above a limit, the riskiest first.

    >>> filter_high_risk([{"id": 1, "risk": 0.2}, {"id": 2, "risk": 0.85}, {"id": 3, "risk": 0.9}])
    [{'id': 3, 'risk': 0.9}, {'id': 2, 'risk': 0.85}]
    """
    return sorted((row for row in rows if row["risk"] > limit), key=lambda row: -row["risk"])


def main(path="customers.json", limit=0.8):
    """The same for the rows of a JSON file."""
    with open(path) as file:
        return filter_high_risk(json.load(file), limit)


if __name__ == "__main__":
    import sys

    print(json.dumps(main(*sys.argv[1:2])))
`;

export const FILTER_HIGH_RISK = {
  name: 'filter_high_risk',
  code: FILTER,
  description:
    'Keep only the rows with a high risk score, the riskiest first. Use it before reporting on risky customers: "who needs attention?"',
  tags: ['risk', 'customers'],
};

/** All samples. */
export const SKILLS = [
  FILTER_HIGH_RISK,
  {
    name: 'overdue_summary',
    code: `from skills import filter_high_risk
import tools


def main(region: str = "EU") -> dict:
    """Counts the overdue invoices of a region: how many, and their sum."""
    rows = tools.office.list_invoices(region=region, state="overdue")
    return {"count": len(rows), "risky": len(filter_high_risk(rows)), "total": sum(row["total"] for row in rows)}
`,
    description: `Summary of overdue invoices: count and total ("what is owed?"); needs the tool office.list_invoices. Ünïcödé: ok.`,
    tags: ['billing'],
  },
  {
    name: 'slug',
    code: 'import re\n\n\ndef slug(text):\n    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")\n',
    description: 'Makes a URL-friendly slug of a title.',
  },
];
