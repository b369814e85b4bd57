"""The links of the pages for readers to other sites: `python tests/support/outside_links.py`.

It prints each address with the pages that have it, and ends with 1 if one is not sound. Nothing
is fetched: `python -m sphinx -b linkcheck docs site` follows the links.
"""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from pathlib import Path
from urllib.parse import urlsplit

ROOT = Path(__file__).parents[2]
PAGES = [
    *ROOT.glob("*.md"),
    *ROOT.glob("docs/**/*.md"),
    *ROOT.glob("changes/*.md"),
    *ROOT.glob("benchmarks/*.md"),
    *ROOT.glob("results/*.md"),
]
"""All pages for readers."""
LINK = re.compile(r"\]\(\s*<?([a-z][a-z0-9+.-]*:[^)\s>]*)>?\)|<(https?:[^>\s]*)>")


def outside_links() -> dict[str, list[str]]:
    """The pages of each address, by address, outside of blocks of code."""
    found = defaultdict[str, list[str]](list)
    for page in sorted(PAGES):
        text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
        for link in LINK.findall(text):
            found["".join(link)].append(str(page.relative_to(ROOT)))
    return dict(sorted(found.items()))


def fault(address: str) -> str:
    """The fault of an address; empty for a sound one."""
    parts = urlsplit(address)
    if parts.scheme != "https":
        return "not https"
    if not re.fullmatch(r"([a-z0-9-]+\.)+[a-z]{2,}", parts.netloc):
        return "no host of the public net"
    return "" if re.fullmatch(r"[\w./~%+-]*", parts.path) else "characters that need %"


def main() -> None:
    links = outside_links()
    for address, pages in links.items():
        print(address, *pages, fault(address) and f"({fault(address)})")
    sys.exit(any(map(fault, links)))


if __name__ == "__main__":
    main()
