"""The program that draws charts: a Vega-Lite specification as a line of JSON in, the SVG as a line of JSON out.

A line with `svg`, the text of a picture, gives `png`, its pixels in base 64.

`api.pages.charts.chart_process` runs it as a file of its own, so that it loads nothing but the charts library.
"""

from __future__ import annotations

import base64
import json
import sys


def main() -> None:
    """Answer line by line until the input ends."""
    import vl_convert  # noqa: PLC0415  # only in this process: the service imports the file to know where it is

    for line in sys.stdin:
        try:
            asked = json.loads(line)
            if "svg" in asked:
                answer = {"png": base64.b64encode(vl_convert.svg_to_png(asked["svg"])).decode()}
            else:
                answer = {"svg": vl_convert.vegalite_to_svg(asked)}
        except Exception as error:  # noqa: BLE001 - whatever the library raises, the service gets it as text
            answer = {"error": f"{type(error).__name__}: {error}"}
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
