/// A small line chart over time.
///
/// Screen readers get the same information as text.
struct Sparkline {
  let points: [(x: Double, y: Double)]

  func markup(_ label: String) -> Markup {
    let width = max(1, (points.last?.x ?? 0) - (points.first?.x ?? 0))
    // The height is at least 1, so that a line of zeros is drawn at the bottom.
    let height = max(1, points.map(\.y).max() ?? 0)
    let from = points.first?.x ?? 0
    let text = points.map { point in
      "\(short((point.x - from) / width * 300)),\(short(39 - point.y / height * 38))"
    }.joined(separator: " ")
    return tag(
      "svg",
      [
        "class": "spark", "viewBox": "0 0 300 40", "preserveAspectRatio": "none", "role": "img",
        "aria-label": label,
      ]
    ) { tag("polyline", ["points": text]) }
  }

  private func short(_ value: Double) -> String { "\((value * 10).rounded() / 10)" }
}
