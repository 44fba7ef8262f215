import asyncio
import csv
import json
import re
from collections import Counter, defaultdict
from dataclasses import asdict, dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Iterator, Optional


@dataclass
class Ticket:
    id: int
    customer: str
    opened: datetime
    closed: Optional[datetime]
    tags: list[str] = field(default_factory=list)

    @property
    def hours(self) -> Optional[float]:
        return (self.closed - self.opened) / timedelta(hours=1) if self.closed else None


def read_tickets(path: str) -> Iterator[Ticket]:
    with open(path, newline="", encoding="utf-8") as f:
        for line, row in enumerate(csv.DictReader(f), start=2):
            try:
                closed = datetime.fromisoformat(row["closed"]) if row["closed"] else None
                opened = datetime.fromisoformat(row["opened"])
                tags = re.findall(r"#(\w+)", row["subject"])
                yield Ticket(int(row["id"]), row["customer"].strip().title(), opened, closed, tags)
            except ValueError as error:
                print(f"line {line}: skipped ({type(error).__name__})")


def urgency(ticket: Ticket) -> str:
    match (ticket.hours, ticket.tags):
        case (None, _):
            return "open"
        case (h, ["outage", *_]) if h > 4:
            return "late"
        case (h, _) if h <= 24:
            return "in time"
        case _:
            return "slow"


async def rate(customer: str, hours: list[float]) -> tuple[str, float]:
    await asyncio.sleep(0.001)
    return customer, round(sum(hours) / len(hours), 2)


async def main() -> dict:
    tickets = list(read_tickets("tickets.csv"))
    closed = defaultdict(list)
    for t in tickets:
        if t.hours is not None:
            closed[t.customer].append(t.hours)
    rates = dict(await asyncio.gather(*(rate(c, h) for c, h in closed.items())))
    report = {
        "tickets": len(tickets),
        "urgency": dict(Counter(urgency(t) for t in tickets)),
        "mean_hours": {c: rates[c] for c in sorted(rates)},
        "tags": sorted({tag for t in tickets for tag in t.tags}),
        "longest": max((t for t in tickets if t.hours), key=lambda t: t.hours).id,
    }
    Path("reports").mkdir(exist_ok=True)
    Path("reports/first.json").write_text(json.dumps(asdict(tickets[0]), default=str, indent=2))
    return report


if __name__ == "__main__":
    result = asyncio.run(main())
    print(f"{result['tickets']} tickets, {result['urgency'].get('late', 0):>3} late, {len(result['tags'])} tags")
