"""Parts of pages that a report and a live page share: assets, charts, tables, games as data."""
