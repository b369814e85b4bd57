"""HTML: one file that a browser opens, without a network, with all tables, charts and games.

`arena/report/run_page.py` fills it, of the parts in `arena/report/page/`.
"""

from __future__ import annotations

from arena.report.export import Contents


def text(contents: Contents, frame: str | None = None) -> str:
    """The whole report as a page; or one frame as a page with its table."""
    from arena.report.page.document import Page, Section, page_table
    from arena.report.page.render import rendered
    from arena.report.table import frame_table

    if frame is None and contents.page:
        return contents.page()
    tables = [frame_table(frame, contents.frame(frame))] if frame else contents.tables
    sections = [
        Section(f"table-{i}", table.title, [page_table(table)])
        for i, table in enumerate(tables, start=1)
    ]
    document = Page(frame or "Report", "Tables", [], contents.sentences, sections, [])
    return rendered("report.html", document=document)
