# SPDX-License-Identifier: MIT
# Horizontal bars on a logarithmic axis as SVG: for every group (a model) one bar for each series (a peer) that has a
# value there. Bars start at 1, so that what is below 1 points to the left.
import math
from xml.sax.saxutils import escape

COLOURS = ["#2b6cb0", "#dd8a1b", "#3a9d5d", "#a0408f"]
FONT = "font-family='DejaVu Sans, Verdana, Helvetica, sans-serif'"
LABELS, PLOT, RIGHT = 230, 600, 60  # widths: names of groups, plot, room for the last value
BAR, GAP, TOP, BOTTOM = 15, 12, 84, 58  # heights


def text(x, y, words, size=13, anchor="start", weight="normal", fill="#222"):
    return (f"<text x='{x:.1f}' y='{y:.1f}' {FONT} font-size='{size}' text-anchor='{anchor}' "
            f"font-weight='{weight}' fill='{fill}'>{escape(words)}</text>")


def ticks(values):
    """1, 2, 5, 10, ... as far as the values and the stretch from 1 to 2 reach."""
    steps = [digit * 10.0**e for e in range(-9, 10) for digit in (1, 2, 5)]
    low = max(step for step in steps if step <= min(1.0, *values))
    high = min(step for step in steps if step >= max(2.0, *values))
    return [step for step in steps if low <= step <= high]


def axis(steps, x_of, bottom):
    for value in steps:
        x = x_of(value)
        colour, width = ("#222", 1.5) if value == 1 else ("#ddd", 1)
        yield f"<line x1='{x:.1f}' y1='{TOP - 6}' x2='{x:.1f}' y2='{bottom}' stroke='{colour}' stroke-width='{width}'/>"
        yield text(x, bottom + 17, f"{value:g}", 12, "middle")


def legend(series):
    x = LABELS
    for name, colour in series.items():
        yield f"<rect x='{x}' y='46' width='14' height='14' fill='{colour}'/>"
        yield text(x + 20, 58, name)
        x += 44 + 8 * len(name)


def bars(groups, series, x_of):
    y = TOP
    for label, values in groups:
        yield text(LABELS - 10, y + BAR * len(values) / 2 + 4, label, 13, "end")
        for name, value in values.items():
            left, right = sorted((x_of(1.0), x_of(value)))
            yield (f"<rect x='{left:.1f}' y='{y}' width='{max(right - left, 1):.1f}' height='{BAR - 2}' "
                   f"fill='{series[name]}'/>")
            yield text(right + 5, y + BAR - 4, f"{value:.1f}", 11)
            y += BAR
        y += GAP


def draw(title, axis_label, groups):
    """groups: pairs of a label and a dict from series to positive value. The picture as a string."""
    groups = [(label, values) for label, values in groups if values]
    names = list(dict.fromkeys(name for _, values in groups for name in values))
    series = {name: COLOURS[i % len(COLOURS)] for i, name in enumerate(names)}
    steps = ticks([value for _, values in groups for value in values.values()] or [1.0])
    bottom = TOP + sum(BAR * len(values) + GAP for _, values in groups)
    width, height = LABELS + PLOT + RIGHT, bottom + BOTTOM

    def x_of(value):
        return LABELS + PLOT * math.log(value / steps[0]) / math.log(steps[-1] / steps[0])

    parts = [f"<svg xmlns='http://www.w3.org/2000/svg' width='{width}' height='{height}' "
             f"viewBox='0 0 {width} {height}' role='img'>",
             f"<title>{escape(title)}</title>",
             f"<rect width='{width}' height='{height}' fill='white'/>",
             text(width / 2, 26, title, 17, "middle", "bold"),
             *legend(series), *axis(steps, x_of, bottom), *bars(groups, series, x_of),
             text(LABELS + PLOT / 2, bottom + 42, axis_label, 13, "middle"),
             "</svg>"]
    return "\n".join(parts) + "\n"
