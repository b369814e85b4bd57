"""Forms of a report: one file each, named as users type it.

A form's file has `text(answer, frame)`: the whole report, or one of its frames by name, as text.
A form that is no text raises a ConfigError there, and has `save(answer, frame, path)`, which
returns the files written. One without a place for the notes says so by `SHOWS_NOTES = False`.
"""
